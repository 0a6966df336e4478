// The chart as a drawing that needs no script. The script of the page puts one in its place that can be zoomed.

import { findExtent } from '../../../domain/chart/extent.ts';
import { type OverCurve, scaleOver } from '../../../domain/chart/over-scale.ts';
import { round } from '../../../domain/chart/paths.ts';
import { chooseScale, isOnOff, ON_OFF_SCALE, type Scale } from '../../../domain/chart/scale.ts';
import { shareOf } from '../../../domain/chart/share-of.ts';
import { isHigh, severityOfBand } from '../../../domain/judging/band.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { saySpread, sayValue } from '../../../domain/words/say-value.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import { type Reader, showTime, Time } from '../../../platform/html/time.tsx';
import type { ShadedSpan } from './alarm-spans.ts';
import {
  drawJoined,
  drawLine,
  drawSpread,
  drawSteps,
  HEIGHT,
  nearLimits,
  type ToPixel,
  WIDTH,
} from './chart-paths.ts';
import type { LimitLine } from './limit-lines.ts';
import type { ChartModel } from './read-chart.ts';

export const Drawing = ({ chart, reader }: { chart: ChartModel; reader: Reader }) => {
  const language = useLanguage();
  const hasStates = isOnOff(chart);
  const scale = hasStates
    ? ON_OFF_SCALE
    : chooseScale([
        ...chart.min,
        ...chart.max,
        ...(chart.setpoint?.value ?? []),
        ...nearLimits(chart).map(({ value }) => value),
      ]);
  const x = (at: number) => round(((at - chart.from) / (chart.to - chart.from)) * WIDTH);
  const y = (value: number) => round((1 - shareOf(value, scale.low, scale.high)) * HEIGHT);
  return (
    <figure class="drawing">
      <div class={`drawing-side${hasStates ? ' drawing-states' : ''}`} aria-hidden="true">
        {scale.ticks.map((tick) => (
          <span key={tick}>{sayValue(tick, { unit: null, words: chart.words }, language)}</span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={describeDrawing(chart, language)}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {chart.spans.map((span) => (
          <Shade key={`${span.kind}-${span.from}`} span={span} x={x} />
        ))}
        {(hasStates ? scale.ticks : scale.ticks.slice(1, -1)).map((tick) => (
          <path key={tick} class="grid" d={`M0 ${y(tick)}H${WIDTH}`} />
        ))}
        {nearLimits(chart).map((line) => (
          <Limit key={`${line.band}-${line.from}`} line={line} x={x} y={y} scale={scale} />
        ))}
        {chart.setpoint && (
          <path class="setpoint-line" d={drawSteps(chart.setpoint.at, chart.setpoint.value, x, y)} />
        )}
        {chart.stepMs !== null && <path class="curve-spread" d={drawSpread(chart, x, y)} />}
        <path class="curve-line" d={drawLine(chart, x, y)} />
        {chart.over.map((curve, index) => (
          <Over key={curve.label} curve={curve} place={index + 1} x={x} />
        ))}
        {chart.marks.map(({ at, words }) => (
          <path key={`${at}-${words}`} class="mark" d={`M${x(at)} 0V${HEIGHT}`}>
            <title>{words}</title>
          </path>
        ))}
      </svg>
      <div class="drawing-foot" aria-hidden="true">
        {[0, 0.5, 1].map((part) => (
          <Time key={part} {...showTime(new Date(chart.from + part * (chart.to - chart.from)), reader)} />
        ))}
      </div>
    </figure>
  );
};

const Over = ({ curve, place, x }: { curve: OverCurve; place: number; x: ToPixel }) => {
  const { low, high } = scaleOver(curve);
  const y = (value: number) => round((1 - shareOf(value, low, high)) * HEIGHT);
  const line = curve.words ? drawSteps(curve.at, curve.value, x, y) : drawJoined(curve, x, y);
  return <path class={`over-line over-line-${place}`} d={line} />;
};

const Shade = ({ span, x }: { span: ShadedSpan; x: ToPixel }) => (
  <rect
    class={`shade shade-${span.kind}`}
    x={x(span.from)}
    y={0}
    width={Math.max(round(x(span.to) - x(span.from)), 1)}
    height={HEIGHT}
  />
);

const Limit = ({ line, x, y, scale }: { line: LimitLine; x: ToPixel; y: ToPixel; scale: Scale }) => {
  const edge = y(isHigh(line.band) ? scale.high : scale.low);
  const [left, right, at] = [x(line.from), x(line.to), y(line.value)];
  return (
    <>
      <rect
        class={`limit-band limit-band-${severityOfBand(line.band)}`}
        x={left}
        y={Math.min(edge, at)}
        width={round(right - left)}
        height={round(Math.abs(edge - at))}
      />
      <path class={`limit-line limit-line-${severityOfBand(line.band)}`} d={`M${left} ${at}H${right}`} />
    </>
  );
};

function describeDrawing(chart: ChartModel, language: Language): string {
  const { label: channel, min, max, mean } = chart;
  const extent = findExtent([...min, ...max]);
  if (!extent) return language.say('{channel}: no readings in this span of time', { channel });
  // What is drawn of a step is a mean, which nothing ever had.
  const last =
    chart.stepMs === null
      ? sayValue(mean.at(-1) ?? 0, chart, language)
      : saySpread(min.at(-1) ?? 0, max.at(-1) ?? 0, chart, language);
  const spread = saySpread(extent.low, extent.high, chart, language);
  return language.say('{channel}: {spread}, last {last}', { channel, spread, last });
}
