// The last hours of a channel before it was told of, small enough for a picture in a message. They decorate it: no message
// waits for them longer than a moment, and none fails with them.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { type Band, severityOfBand } from '../../domain/judging/band.ts';
import type { Curve } from '../../domain/notifications/notice.ts';
import type { Readings } from '../../domain/readings/pack.ts';
import { floorTo, type Span } from '../../domain/readings/span.ts';
import { cutOut } from '../../domain/readings/step-readings.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/within.ts';
import { BANDS, judgingVersion } from '../sql-parts/limits.ts';
import { readStored } from './read-stored.ts';

const SPAN_MS = 6 * 60 * 60_000;
const STEP_MS = 180_000;

export interface CurveRow {
  /** Of the notification. */
  id: string;
  serviceId: ServiceId | null;
  channelId: number | null;
  channel: string | null;
  toldAt: Date;
}

/** By notification. */
export type Curves = ReadonlyMap<string, Curve>;

/** How long messages wait for their curves. The database gives up sooner, so that it is not kept busy for nothing. */
const PATIENCE_MS = 1_500;
const STATEMENT_MS = 1_000;

/** Always an answer, and in time: without curves where they fail or are late. */
export function createCurveReader({ db, log }: { db: Database; log: Log }) {
  let isReading = false;
  return async (rows: readonly CurveRow[]): Promise<Curves> => {
    // While the database has not answered the last question it is asked no other.
    if (isReading) return new Map();
    isReading = true;
    const reading = readCurves(db, rows).finally(() => {
      isReading = false;
    });
    try {
      return await within(PATIENCE_MS, reading);
    } catch (error) {
      log.warn({ err: error }, 'messages leave without their curves');
      return new Map();
    }
  };
}

/** Those about no channel, or without readings, are left out. */
export async function readCurves(db: Database, rows: readonly CurveRow[]): Promise<Curves> {
  const drawn = rows.filter(({ channelId }) => channelId !== null);
  if (drawn.length === 0) return new Map();
  const tolds = drawn.map(({ toldAt }) => toldAt.getTime());
  const span = { from: Math.min(...tolds) - SPAN_MS, to: Math.max(...tolds) + 1 };
  const [stored, limitRows] = await db.transaction(async (tx) => {
    tx.later(sql`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`);
    return [await readStored(tx, listChannels(drawn), span), await tx.query(selectLimits(drawn))] as const;
  });
  const limits = new Map(limitRows.map(({ id, bands }) => [id, bands]));
  return new Map(
    drawn.flatMap(({ id, channelId, toldAt }) => {
      const from = new Date(toldAt.getTime() - SPAN_MS);
      const readings = stored.byChannel.get(channelId ?? 0);
      const points = readings ? drawPoints(readings, { from: from.getTime(), to: toldAt.getTime() + 1 }) : [];
      if (points.length === 0) return [];
      const lines = (limits.get(id) ?? [])
        .flatMap(({ band, limit }) => (limit === null ? [] : [{ severity: severityOfBand(band), limit }]))
        .sort((one, other) => one.limit - other.limit);
      return [[id, { from, to: toldAt, points, limits: lines }] as const];
    }),
  );
}

const listChannels = (rows: readonly CurveRow[]) =>
  rows.flatMap(({ serviceId, channelId }) =>
    serviceId !== null && channelId !== null ? [{ serviceId, channelId }] : [],
  );

/** Of each step its lowest and its highest reading, and the newest of all: nothing is drawn that was not measured. */
function drawPoints(readings: Readings, span: Span): [number, number][] {
  const { ats, values } = cutOut(readings, span);
  const points: [number, number][] = [];
  const add = (place: number) => points.push([ats[place] as number, values[place] as number]);
  for (let begin = 0; begin < ats.length; ) {
    const step = floorTo(ats[begin] as number, STEP_MS);
    let [lowest, highest, end] = [begin, begin, begin];
    for (; end < ats.length && floorTo(ats[end] as number, STEP_MS) === step; end += 1) {
      if ((values[end] as number) < (values[lowest] as number)) lowest = end;
      if ((values[end] as number) > (values[highest] as number)) highest = end;
    }
    add(Math.min(lowest, highest));
    if (lowest !== highest) add(Math.max(lowest, highest));
    begin = end;
  }
  const newest = ats.length - 1;
  if (newest >= 0 && points.at(-1)?.[0] !== ats[newest]) add(newest);
  return points;
}

interface LimitsRow {
  id: string;
  bands: Band[];
}

/** Limits in percent stand on another scale than the readings. */
const selectLimits = (rows: readonly CurveRow[]): Statement<LimitsRow> => sql`
    select given.id, version.bands
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ serviceId }) => serviceId)}::int[],
      ${rows.map(({ channel }) => channel)}::text[]) as given (id, service_id, channel)
    cross join lateral ${judgingVersion(sql`is_percentage, ${BANDS} as bands`, sql`given.service_id`, sql`given.channel`)} version
    where not version.is_percentage`;
