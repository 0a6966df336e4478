import { findExtent } from '../../../domain/chart/extent.ts';
import type { OverCurve } from '../../../domain/chart/over-scale.ts';
import { BAND_LABELS, severityOfBand } from '../../../domain/judging/band.ts';
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { findLimitWord, sayLimit, saySpread } from '../../../domain/words/say-value.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import type { Reader } from '../../../platform/html/time.tsx';
import { NoteForm } from '../notes/note-form.tsx';
import type { ShadedSpan } from './alarm-spans.ts';
import { ChannelChoice, SpanChoice } from './chart-choices.tsx';
import { CurveCourse, CurveTable, Marks } from './chart-course.tsx';
import { Drawing } from './chart-drawing.tsx';
import type { ChartRange } from './chart-range.ts';
import type { LimitLine } from './limit-lines.ts';
import type { ChartModel } from './read-chart.ts';

export interface ChartProps {
  serviceId: number;
  chart: ChartModel;
  range: ChartRange;
  reader: Reader;
  channels: { id: number; name: string; label: string }[];
  /** Ids of channels. */
  over: number[];
  /** The reader may pin notes. */
  hasNotes: boolean;
}

export const ChartSection = ({ serviceId, chart, range, reader, channels, over, hasNotes }: ChartProps) => {
  const choice = { serviceId, channel: chart.channel, range, over };
  return (
    <section id="chart" class="card chart-card" aria-labelledby="chart-title">
      <h2 id="chart-title">{chart.label}</h2>
      {channels.length > 1 && <ChannelChoice choice={choice} channels={channels} reader={reader} />}
      <SpanChoice choice={choice} reader={reader} />
      <DrawnChart serviceId={serviceId} chart={chart} rangeName={range.name} over={over} reader={reader} />
      {hasNotes && <NoteForm serviceId={serviceId} reader={reader} />}
    </section>
  );
};

interface DrawnProps {
  serviceId: number;
  chart: ChartModel;
  /** null: a span that was chosen by hand, and does not move with the clock. */
  rangeName: ChartRange['name'];
  over: number[];
  reader: Reader;
}

/** The drawing, what is pointed at, and what it shows in words. */
export const DrawnChart = ({ serviceId, chart, rangeName, over, reader }: DrawnProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <div
        class="chart"
        data-series={`/services/${serviceId}/series`}
        data-channel={chart.channel}
        data-over={over.join()}
        data-range={rangeName ?? ''}
        data-from={new Date(chart.from).toISOString()}
        data-to={new Date(chart.to).toISOString()}
        data-zone={reader.timezone}
      >
        <Drawing chart={chart} reader={reader} />
      </div>
      <p class="chart-readout muted" role="status">
        {chart.at.length === 0 ? say('No readings in this span of time.') : describeStep(chart, language)}
      </p>
      <Legend chart={chart} />
      <Marks chart={chart} reader={reader} />
      <CurveCourse chart={chart} reader={reader} />
      <CurveTable chart={chart} reader={reader} />
    </>
  );
};

const MINUTE_MS = 60_000;

function describeStep({ stepMs }: ChartModel, { say }: Language): string {
  if (stepMs === null) return say('Every reading is drawn.');
  const minutes = stepMs / MINUTE_MS;
  const step = minutes < 60 ? say('{minutes} min', { minutes }) : say('{hours} h', { hours: minutes / 60 });
  return say('The line is the mean of {step}, with the lowest and highest value around it.', { step });
}

const SHADES = {
  // For translators: what the colours of a chart stand for
  critical: message('Critical alarm'),
  warning: message('Warning'),
  stale: message('No data'),
  downtime: message('Downtime'),
  damaged: message('Stored, but cannot be read'),
} satisfies Record<ShadedSpan['kind'], string>;

const isShown = (kind: string, { spans }: ChartModel): boolean =>
  kind !== 'damaged' || spans.some((span) => span.kind === kind);

const nameLimit = (
  { band, value }: LimitLine,
  { unit, words: states }: ChartModel,
  language: Language,
): string => {
  const limit = sayLimit(band, value, { unit, words: states }, language);
  const { say } = language;
  if (findLimitWord(band, value, states) === null)
    return say(
      'Limit {band, select, CRITICAL_HIGH {critical high} WARNING_HIGH {warning high} WARNING_LOW {warning low} other {critical low}} {limit}',
      { band, limit },
    );
  return severityOfBand(band) === 'critical'
    ? say('Critical alarm {limit}', { limit })
    : say('Warning {limit}', { limit });
};

/** What is measured has a scale of its own, which only its words can tell. */
function nameOver(curve: OverCurve, language: Language): string {
  const { label } = curve;
  const extent = findExtent(curve.value);
  if (!extent) return language.say('{channel}: no readings', { channel: label });
  const spread = saySpread(extent.low, extent.high, curve, language);
  return language.say('{channel}: {spread}', { channel: label, spread });
}

const Legend = ({ chart }: { chart: ChartModel }) => {
  const language = useLanguage();
  return (
    <ul class="chart-legend">
      {Object.keys(BAND_LABELS).flatMap((band) => {
        const newest = chart.limits.filter((line) => line.band === band).at(-1);
        return newest ? (
          <li key={band} class={`key key-${severityOfBand(newest.band)}`}>
            {nameLimit(newest, chart, language)}
          </li>
        ) : (
          []
        );
      })}
      {chart.setpoint && <li class="key key-setpoint">{chart.setpoint.label}</li>}
      {chart.over.map((curve, index) => (
        <li key={curve.label} class={`key key-over-${index + 1}`}>
          {nameOver(curve, language)}
        </li>
      ))}
      {Object.entries(SHADES)
        .filter(([kind]) => isShown(kind, chart))
        .map(([kind, words]) => (
          <li key={kind} class={`key key-shade-${kind}`}>
            {language.say(words)}
          </li>
        ))}
    </ul>
  );
};
