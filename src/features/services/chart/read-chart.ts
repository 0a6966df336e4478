// All that a chart of one channel shows, for the drawing on the page and for the script that replaces it.

import type { OverCurve } from '../../../domain/chart/over-scale.ts';
import type { ChannelKind } from '../../../domain/equipment/channel-kind.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { findStateWords, type StateWords } from '../../../domain/words/state-words.ts';
import { type ChartSeries, readChartSeries } from '../../../engine/readings/read-series.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { ShownChannel, ShownService } from '../shown-service/queries.ts';
import { clip, listAlarmSpans, type ShadedSpan } from './alarm-spans.ts';
import { type ChartMark, type ChartReader, readMarks } from './chart-marks.ts';
import { selectDowntimeSpans, selectLimitsSpans, selectSpanEvents } from './chart-queries.ts';
import { drawLimits, type LimitLine } from './limit-lines.ts';

/** Instants are epoch milliseconds, and lists of them columns: half the size of a list of points. */
export interface ChartModel {
  channel: string;
  label: string;
  unit: string | null;
  kind: ChannelKind;
  /** Of a state: what its values are called. */
  words: StateWords | null;
  from: number;
  to: number;
  /** How much time a point stands for; null: each is a reading. */
  stepMs: number | null;
  at: number[];
  min: number[];
  max: number[];
  mean: number[];
  setpoint: { label: string; at: number[]; value: number[] } | null;
  /** Other channels, each on a scale of its own. */
  over: OverCurve[];
  limits: LimitLine[];
  spans: ShadedSpan[];
  marks: ChartMark[];
}

export interface ChartWish {
  channel: ShownChannel;
  over: readonly ShownChannel[];
  from: Date;
  to: Date;
}

export async function readChart(
  db: ReadDatabase,
  service: ShownService,
  { channel, over, ...window }: ChartWish,
  reader: ChartReader,
): Promise<ChartModel> {
  const { language } = reader;
  const { id: serviceId } = service;
  const { label, name, unit, kind } = channel;
  const span = { from: window.from.getTime(), to: window.to.getTime() };
  const series = await readChartSeries(db, { serviceId, channelId: channel.id, ...window });
  const versions = await selectLimitsSpans(db, serviceId, channel, window);
  const named = versions.at(-1)?.setpointChannel ?? null;
  const setpoint = kind === 'metric' ? findSetpoint(service, channel, named) : null;
  return {
    channel: name,
    label: label ?? name,
    unit,
    kind,
    words: findStateWords(channel, language),
    ...span,
    stepMs: series.stepMs,
    ...toColumns(series),
    setpoint: setpoint && (await readFewPoints(db, serviceId, setpoint, window)),
    over: await Promise.all(
      over.map(async (other) =>
        holdState(
          {
            unit: other.unit,
            words: findStateWords(other, language),
            ...(await readFewPoints(db, serviceId, other, window)),
          },
          span.to,
        ),
      ),
    ),
    limits: drawLimits(versions, setpoint && latestOf(service, setpoint), span),
    spans: [
      ...listAlarmSpans(await selectSpanEvents(db, serviceId, window), span),
      ...(await selectDowntimeSpans(db, serviceId, window)).flatMap((downtime) =>
        clip({ kind: 'downtime', ...downtime }, span),
      ),
      ...series.damaged.flatMap(({ from, to }) => clip({ kind: 'damaged', from, to: to + 1 }, span)),
    ],
    marks: await readMarks(db, serviceId, window, reader),
  };
}

const toColumns = ({ points }: ChartSeries) => ({
  at: points.map(({ at }) => at.getTime()),
  min: points.map(({ min }) => shorten(min)),
  max: points.map(({ max }) => shorten(max)),
  mean: points.map(({ mean }) => shorten(mean)),
});

/** A door stays as it is until something else is said of it. */
function holdState(curve: OverCurve, to: number): OverCurve {
  const last = curve.value.at(-1);
  if (curve.words === null || last === undefined) return curve;
  return { ...curve, at: [...curve.at, to], value: [...curve.value, last] };
}

/** Means have digits that no chart shows. */
const shorten = (value: number): number => Number(value.toPrecision(7));

/** The one that the limits name, else the only one that is measured alike. */
function findSetpoint(
  { channels }: ShownService,
  { unit }: ShownChannel,
  named: string | null,
): ShownChannel | null {
  if (named !== null) return channels.find(({ name }) => name === named) ?? null;
  const alike = channels.filter((channel) => channel.kind === 'setpoint' && channel.unit === unit);
  return (alike.length === 1 && alike[0]) || null;
}

const latestOf = ({ channelIds, channelValues }: ShownService, { id }: ShownChannel): number | null =>
  channelValues[channelIds.indexOf(id)] ?? null;

async function readFewPoints(
  db: ReadDatabase,
  serviceId: ServiceId,
  { id: channelId, label, name }: ShownChannel,
  window: { from: Date; to: Date },
): Promise<{ label: string; at: number[]; value: number[] }> {
  const { points } = await readChartSeries(db, { serviceId, channelId, ...window, most: 500 });
  return {
    label: label ?? name,
    at: points.map(({ at }) => at.getTime()),
    value: points.map(({ mean }) => shorten(mean)),
  };
}
