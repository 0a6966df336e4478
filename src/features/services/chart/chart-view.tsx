import { BAND_LABELS, severityOfBand } from '../../../domain/judging/band.ts';
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { findLimitWord, sayLimit } from '../../../domain/words/say-value.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import type { Reader } from '../../../platform/html/time.tsx';
import type { ShadedSpan } from './alarm-spans.ts';
import { Drawing } from './chart-drawing.tsx';
import { type ChartRange, RANGES } from './chart-range.ts';
import type { LimitLine } from './limit-lines.ts';
import type { ChartModel } from './read-chart.ts';

export interface ChartProps {
  serviceId: number;
  chart: ChartModel;
  range: ChartRange;
  reader: Reader;
  channels: { name: string; label: string }[];
}

export const ChartSection = ({ serviceId, chart, range, reader, channels }: ChartProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section id="chart" class="card chart-card" aria-labelledby="chart-title">
      <h2 id="chart-title">{chart.label}</h2>
      {channels.length > 1 && (
        <nav class="choices" aria-label={say('Channel')}>
          {channels.map(({ name, label }) => (
            <a
              key={name}
              href={chartAddress(serviceId, name, range)}
              aria-current={name === chart.channel ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      )}
      <nav class="choices" aria-label={say('Span of time')}>
        {Object.entries(RANGES).map(([name, [span]]) => (
          <a
            key={name}
            href={`/services/${serviceId}?${new URLSearchParams({ channel: chart.channel, range: name })}#chart`}
            data-range={name}
            aria-current={name === range.name ? 'true' : undefined}
          >
            {say(span)}
          </a>
        ))}
      </nav>
      <DrawnChart serviceId={serviceId} chart={chart} rangeName={range.name} reader={reader} />
    </section>
  );
};

interface DrawnProps {
  serviceId: number;
  chart: ChartModel;
  /** null: a span that was chosen by hand, and does not move with the clock. */
  rangeName: ChartRange['name'];
  reader: Reader;
}

/** The drawing, what is pointed at, and what its colours stand for. */
export const DrawnChart = ({ serviceId, chart, rangeName, reader }: DrawnProps) => {
  const language = useLanguage();
  return (
    <>
      <div
        class="chart"
        data-series={`/services/${serviceId}/series`}
        data-channel={chart.channel}
        data-range={rangeName ?? ''}
        data-from={new Date(chart.from).toISOString()}
        data-to={new Date(chart.to).toISOString()}
        data-zone={reader.timezone}
      >
        <Drawing chart={chart} reader={reader} />
      </div>
      <p class="chart-readout muted">
        {chart.at.length === 0
          ? language.say('No readings in this span of time.')
          : describeStep(chart, language)}
      </p>
      <Legend chart={chart} />
    </>
  );
};

const chartAddress = (serviceId: number, channel: string, { name }: ChartRange) =>
  `/services/${serviceId}?${new URLSearchParams({ channel, range: name ?? '24h' })}#chart`;

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
