// The stored readings of some channels as advisor and backtest look at them: each one while they are few enough, else
// the lowest and the highest value of each step.
import type { ChannelHistory } from '../../domain/advisor/history.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { DAY_MS, dayOf, floorTo, HOUR_MS, MINUTE_MS, type Span } from '../../domain/readings/span.ts';
import { stepReadings } from '../../domain/readings/step-readings.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectSummaries } from '../readings/packs.ts';
import { readLastBefore, readStored } from '../readings/read-stored.ts';

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
// Read some days at a time, so that nobody waits while they are unpacked. All steps divide it.
const CHUNK_MS = 5 * DAY_MS;

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

  const { serviceId, channels, related } = request;
  const name = ({ id }: { id: number }) => ({ serviceId, channelId: id });
  const lastBefore = await readLastBefore(db, related.map(name), request.from.getTime());
  for (const [channelId, { at, value }] of lastBefore) add(channelId, at, value);
  const stepMs = (await hasMoreThan(db, request, mostPoints)) ? chooseStep(request, mostPoints) : null;
  let readings = 0;
  for (const span of splitIntoChunks(request)) {
    const stored = await readStored(db, channels.map(name), span);
    for (const [channelId, some] of stored.byChannel) {
      readings += some.ats.length;
      if (stepMs === null)
        for (const [index, at] of some.ats.entries()) add(channelId, at, some.values[index] as number);
      else
        for (const { at, min, max } of stepReadings(some, stepMs)) {
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

function* splitIntoChunks(request: HistoryRequest): Generator<Span> {
  const end = request.to.getTime();
  for (let from = request.from.getTime(); from < end; ) {
    const to = Math.min(floorTo(from, DAY_MS) + CHUNK_MS, end);
    yield { from, to };
    from = to;
  }
}

async function hasMoreThan(db: ReadDatabase, request: HistoryRequest, most: number): Promise<boolean> {
  const { serviceId, channels, from, to } = request;
  const packs = await db.query(
    selectSummaries({
      serviceIds: [serviceId],
      channelIds: channels.map(({ id }) => id),
      days: { first: dayOf(from.getTime()), last: dayOf(to.getTime() - 1) },
    }),
  );
  return packs.reduce((sum, { count }) => sum + count, 0) > most;
}
