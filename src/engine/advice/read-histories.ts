// The stored readings of some channels as advisor and backtest look at them: each one while they are few enough, else
// the lowest and the highest value of each step.
import sql from 'sql-template-tag';
import type { ChannelHistory } from '../../domain/advisor/history.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import { floorTo, HOUR_MS, MINUTE_MS } from '../../domain/readings/rollup.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface HistoryRequest {
  serviceId: ServiceId;
  channels: { id: number; name: string }[];
  /** Of these the last value before the span counts too: setpoints and states, which may be sent rarely. */
  related: { id: number; name: string }[];
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface Histories {
  byChannel: Map<string, ChannelHistory>;
  /** How many are stored; fewer points may stand for them. */
  readings: number;
}

/** Of all channels together: 30 days of four channels with a reading each minute are looked at one by one. */
const MOST_POINTS = 200_000;
const STEPS_MS = [1, 5, 15, 60, 240, 1440].map((minutes) => minutes * MINUTE_MS);
// Read a day at a time: rows are never all in memory, and nobody waits while they are unpacked. All steps divide it.
const CHUNK_MS = 24 * HOUR_MS;

export async function readHistories(
  db: ReadDatabase,
  request: HistoryRequest,
  mostPoints = MOST_POINTS,
): Promise<Histories> {
  const points = new Map<number, { at: number[]; value: number[] }>();
  const add = (channelId: number, at: Instant, value: number) => {
    const known = points.get(channelId) ?? { at: [], value: [] };
    known.at.push(at);
    known.value.push(value);
    points.set(channelId, known);
  };

  for (const { channelId, at, value } of await selectLastBefore(db, request)) add(channelId, at, value);
  const stepMs = (await hasMoreThan(db, request, mostPoints)) ? chooseStep(request, mostPoints) : null;
  let readings = 0;
  for (const chunk of splitIntoChunks(request)) {
    if (stepMs === null) {
      const rows = await selectEach(db, chunk);
      readings += rows.length;
      for (const { channelId, at, value } of rows) add(channelId, at, value);
    } else {
      for (const { channelId, at, min, max, count } of await selectSteps(db, chunk, stepMs)) {
        readings += count;
        add(channelId, at, min);
        if (max !== min) add(channelId, at + stepMs / 2, max);
      }
    }
  }
  const byChannel = new Map(
    request.channels.map(({ id, name }) => {
      const { at = [], value = [] } = points.get(id) ?? {};
      return [name, { at: Float64Array.from(at), value: Float64Array.from(value) }];
    }),
  );
  return { byChannel, readings };
}

/** The smallest that keeps two points per step of every channel within what is looked at. */
function chooseStep({ from, to, channels }: HistoryRequest, mostPoints: number): number {
  const spanMs = to.getTime() - from.getTime();
  const fits = (stepMs: number) => (2 * channels.length * spanMs) / stepMs <= mostPoints;
  return STEPS_MS.find(fits) ?? 24 * HOUR_MS;
}

function* splitIntoChunks(request: HistoryRequest): Generator<HistoryRequest> {
  const end = request.to.getTime();
  for (let from = request.from.getTime(); from < end; ) {
    const to = Math.min(floorTo(from, CHUNK_MS) + CHUNK_MS, end);
    yield { ...request, from: new Date(from), to: new Date(to) };
    from = to;
  }
}

interface Point {
  channelId: number;
  at: Instant;
  value: number;
}

interface Step {
  channelId: number;
  at: Instant;
  min: number;
  max: number;
  count: number;
}

const idsOf = (channels: { id: number }[]) => channels.map(({ id }) => id);

const within = ({ serviceId, channels, from, to }: HistoryRequest) => sql`
  service_id = ${serviceId} and channel_id = any(${idsOf(channels)}::int[])
    and taken_at >= ${from} and taken_at < ${to}`;

async function hasMoreThan(db: ReadDatabase, request: HistoryRequest, most: number): Promise<boolean> {
  const row = first(
    await db.query<{ count: number }>(sql`
      select count(*)::int as "count" from (select from reading where ${within(request)} limit ${most + 1}) as kept`),
  );
  return (row?.count ?? 0) > most;
}

const selectEach = (db: ReadDatabase, request: HistoryRequest): Promise<Point[]> =>
  db.query(sql`
    select channel_id as "channelId", round(date_part('epoch', taken_at) * 1000) as "at", value
    from reading where ${within(request)} order by taken_at`);

const selectSteps = (db: ReadDatabase, request: HistoryRequest, stepMs: number): Promise<Step[]> =>
  db.query(sql`
    select channel_id as "channelId",
      round(date_part('epoch', date_bin(${stepMs / 1000} * interval '1 second', taken_at, 'epoch')) * 1000) as "at",
      min(value) as "min", max(value) as "max", count(*)::int as "count"
    from reading where ${within(request)} group by 1, 2 order by 2`);

const selectLastBefore = (db: ReadDatabase, { serviceId, related, from }: HistoryRequest) =>
  db.query<Point>(sql`
    select given.channel_id as "channelId", round(date_part('epoch', taken_at) * 1000) as "at", value
    from unnest(${idsOf(related)}::int[]) as given (channel_id)
    cross join lateral (
      select taken_at, value from reading
      where service_id = ${serviceId} and channel_id = given.channel_id and taken_at < ${from}
      order by taken_at desc limit 1) as last`);
