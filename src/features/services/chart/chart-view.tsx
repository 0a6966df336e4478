import { BAND_LABELS, severityOfBand } from '../../../domain/judging/band.ts';
import { english } from '../../../domain/language/english.ts';
import { findLimitWord, sayLimit } from '../../../domain/words/say-value.ts';
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

export const ChartSection = ({ serviceId, chart, range, reader, channels }: ChartProps) => (
  <section id="chart" class="card chart-card" aria-labelledby="chart-title">
    <h2 id="chart-title">{chart.label}</h2>
    {channels.length > 1 && (
      <nav class="choices" aria-label="Channel">
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
    <nav class="choices" aria-label="Span of time">
      {Object.entries(RANGES).map(([name, [label]]) => (
        <a
          key={name}
          href={`/services/${serviceId}?${new URLSearchParams({ channel: chart.channel, range: name })}#chart`}
          data-range={name}
          aria-current={name === range.name ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
    <div
      class="chart"
      data-series={`/services/${serviceId}/series`}
      data-channel={chart.channel}
      data-range={range.name ?? ''}
      data-from={new Date(chart.from).toISOString()}
      data-to={new Date(chart.to).toISOString()}
      data-zone={reader.timezone}
    >
      <Drawing chart={chart} reader={reader} />
    </div>
    <p class="chart-readout muted">
      {chart.at.length === 0 ? 'No readings in this span of time.' : describeStep(chart)}
    </p>
    <Legend chart={chart} />
  </section>
);

const chartAddress = (serviceId: number, channel: string, { name }: ChartRange) =>
  `/services/${serviceId}?${new URLSearchParams({ channel, range: name ?? '24h' })}#chart`;

const MINUTE_MS = 60_000;

function describeStep({ stepMs }: ChartModel): string {
  if (stepMs === null) return 'Every reading is drawn.';
  const minutes = stepMs / MINUTE_MS;
  const step = minutes < 60 ? `${minutes} min` : `${minutes / 60} h`;
  return `The line is the mean of ${step}, with the lowest and highest value around it.`;
}

const SHADES: Record<ShadedSpan['kind'], string> = {
  critical: 'Critical alarm',
  warning: 'Warning',
  stale: 'No data',
  downtime: 'Downtime',
  damaged: 'Stored, but cannot be read',
};

const isShown = (kind: string, { spans }: ChartModel): boolean =>
  kind !== 'damaged' || spans.some((span) => span.kind === kind);

const nameLimit = ({ band, value }: LimitLine, { unit, words: states }: ChartModel): string => {
  const limit = sayLimit(band, value, { unit, words: states }, english);
  return findLimitWord(band, value, states) === null
    ? `Limit ${BAND_LABELS[band].toLowerCase()} ${limit}`
    : `${SHADES[severityOfBand(band)]} ${limit}`;
};

const Legend = ({ chart }: { chart: ChartModel }) => {
  return (
    <ul class="chart-legend">
      {Object.keys(BAND_LABELS).flatMap((band) => {
        const newest = chart.limits.filter((line) => line.band === band).at(-1);
        return newest ? (
          <li key={band} class={`key key-${severityOfBand(newest.band)}`}>
            {nameLimit(newest, chart)}
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
            {words}
          </li>
        ))}
    </ul>
  );
};
