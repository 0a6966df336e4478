// One channel as a chart shows it: each reading where there are few, else what they come to by steps of time.
import type { ServiceId } from '../../domain/ids.ts';
import { planSeries } from '../../domain/readings/series.ts';
import { dayOf, type Span } from '../../domain/readings/span.ts';
import { cutOut, joinSteps, type Step, stepReadings } from '../../domain/readings/step-readings.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type PackSummary, selectSummaries } from './packs.ts';
import { type DamagedStretch, readDays, type StoredChannel } from './read-stored.ts';

type SeriesPoint = Omit<Step, 'at'> & { at: Date };

export interface ChartSeries {
  /** How much time a point stands for, from `at` on; null: each point is a reading. */
  stepMs: number | null;
  points: SeriesPoint[];
  /** Stretches of which something could not be read. */
  damaged: readonly DamagedStretch[];
}

interface SeriesRequest {
  serviceId: ServiceId;
  channelId: number;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** About so many points are returned. */
  most?: number;
}

const DEFAULT_MOST = 2_000;
const HIGHEST_MOST = 4_000;

export async function readChartSeries(db: ReadDatabase, request: SeriesRequest): Promise<ChartSeries> {
  const most = Math.min(Math.max(Math.floor(request.most ?? DEFAULT_MOST), 1), HIGHEST_MOST);
  const span = { from: request.from.getTime(), to: request.to.getTime() };
  if (span.from >= span.to) return { stepMs: null, points: [], damaged: [] };
  const channel: StoredChannel = request;
  const packs = await selectPacksOf(db, channel, span);
  const { stepMs, outside, inside } = planSeries(span, most, {
    stored: packs.reduce((sum, { count }) => sum + count, 0),
    longestPackMs: packs.reduce((longest, { firstAt, lastAt }) => Math.max(longest, lastAt - firstAt), 0),
  });
  // With what waits to be packed of the days before.
  const days = { first: dayOf(inside.from), last: dayOf(inside.to - 1) };
  const { byChannel, damaged } = await readDays(db, [channel], days);
  const readings = cutOut(byChannel.get(channel.channelId) ?? NONE, { from: outside.from, to: inside.to });
  const asked = cutOut(readings, span);
  if (outside.from === outside.to && asked.ats.length <= most)
    return { stepMs: null, points: toPoints(stepReadings(asked, 1)), damaged };
  const whole = packs
    .filter(({ firstAt }) => firstAt >= outside.from && firstAt < outside.to)
    .map(({ firstAt, min, max, mean, count }) => ({ at: firstAt, min, max, mean, count }));
  const steps = [...whole, ...stepReadings(readings, stepMs)].sort((one, other) => one.at - other.at);
  const points = joinSteps(steps, stepMs);
  return { stepMs, points: toPoints(points), damaged };
}

const NONE = { ats: new Float64Array(), values: new Float64Array() };

const selectPacksOf = (
  db: ReadDatabase,
  { serviceId, channelId }: StoredChannel,
  { from, to }: Span,
): Promise<PackSummary[]> =>
  db.query(
    selectSummaries({
      serviceIds: [serviceId],
      channelIds: [channelId],
      days: { first: dayOf(from), last: dayOf(to - 1) },
    }),
  );

const toPoints = (steps: readonly Step[]): SeriesPoint[] =>
  steps.map(({ at, ...step }) => ({ at: new Date(at), ...step }));
