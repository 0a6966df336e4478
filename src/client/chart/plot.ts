// One chart as it is drawn: the curve with its spread, axes in the person's zone, and what is under the cursor.
import uPlot from 'uplot';
import { type OverCurve, scaleOver } from '../../domain/chart/over-scale.ts';
import { isOnOff } from '../../domain/chart/scale.ts';
import { sayMoment } from '../../domain/moment.ts';
import { sayValue } from '../../domain/words/say-value.ts';
import { readNow } from '../app/moments.ts';
import { pageLanguage } from '../app/page-language.ts';
import { toColumns } from './columns.ts';
import { findNearest } from './find-nearest.ts';
import { findRange } from './find-range.ts';
import type { Looks } from './looks.ts';
import { paintBackground } from './paint.ts';
import { sayPoint } from './say-point.ts';
import type { ChartData } from './series.ts';

interface PlotDeps {
  place: HTMLElement;
  zone: string;
  looks: Looks;
  /** The person chose a span with the mouse. */
  onZoom(from: number, to: number): void;
  /** What is under the cursor, in words; null: nothing. */
  onPoint(words: string | null): void;
  /** The person pressed a moment. */
  onPress(at: number): void;
}

const LEAST_DRAG_PX = 8;

const [MINUTE, HOUR, DAY, MONTH, YEAR] = [60, 3600, 86_400, 2_592_000, 31_536_000] as const;
/** From this step on: the label, and below it what began with this year, month or day. 24 hours, day before month. */
const TIMES: uPlot.Axis.Values = [
  [YEAR, '{YYYY}', null, null, null, null, null, null, 1],
  [MONTH, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [HOUR, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [MINUTE, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
];

/** As far as they are drawn; those of uPlot itself are English. */
const nameDates = (): uPlot.DateNames => {
  const months = new Intl.DateTimeFormat(pageLanguage.tag, { month: 'short', timeZone: 'UTC' });
  return {
    MMMM: [],
    MMM: Array.from({ length: 12 }, (_, month) => months.format(Date.UTC(2026, month))),
    WWWW: [],
    WWW: [],
  };
};

export function drawPlot(data: ChartData, { place, zone, looks, onZoom, onPoint, onPress }: PlotDeps): uPlot {
  const columns = toColumns(data);
  const paths = data.kind === 'state' ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const axis = {
    stroke: looks.text,
    font: looks.font,
    grid: { stroke: looks.grid },
    ticks: { stroke: looks.grid },
  };
  const hidden = { stroke: 'transparent', points: { show: false } };
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
      ...(pageLanguage.tag !== 'en' && { fmtDate: (format: string) => uPlot.fmtDate(format, nameDates()) }),
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false } },
      scales: {
        x: { min: data.from / 1000, max: data.to / 1000, auto: false },
        y: { range: (_, low, high) => findRange(data, low, high) },
        ...Object.fromEntries(data.over.map((curve, place) => [scaleName(place), scaleOf(curve)])),
      },
      axes: [
        { ...axis, values: TIMES },
        {
          ...axis,
          size: sizeAxis,
          ...(isOnOff(data) && { splits: () => [0, 1] }),
          values: (_, ticks) =>
            ticks.map((tick) => sayValue(tick, { unit: null, words: data.words }, pageLanguage)),
        },
      ],
      series: [
        {},
        {
          stroke: looks.line,
          width: 1.5,
          ...(paths && { paths }),
          points: { show: columns[0].length < 60, size: 4, fill: looks.line },
        },
        hidden,
        hidden,
        {
          stroke: looks.setpoint,
          width: 1,
          dash: [4, 4],
          ...(stepped && { paths: stepped }),
          points: { show: false },
        },
        ...data.over.map((curve, place) => drawOver(curve, place, looks)),
      ],
      bands: data.stepMs === null ? [] : [{ series: [3, 2], fill: withStrength(looks.spread, '30') }],
      hooks: {
        drawAxes: [(drawn) => paintBackground(drawn, data, looks)],
        setSelect: [
          (drawn) => {
            const { left, width } = drawn.select;
            if (width < LEAST_DRAG_PX) return;
            const from = drawn.posToVal(left, 'x') * 1000;
            const to = drawn.posToVal(left + width, 'x') * 1000;
            drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            onZoom(from, to);
          },
        ],
        setCursor: [(drawn) => onPoint(describePoint(drawn, data, zone))],
      },
    },
    columns as uPlot.AlignedData,
    place,
  );
  // A drag ends with a click, too.
  let pressedAt = 0;
  plot.over.addEventListener('pointerdown', ({ clientX }) => {
    pressedAt = clientX;
  });
  plot.over.addEventListener('click', ({ clientX, offsetX }) => {
    if (Math.abs(clientX - pressedAt) < LEAST_DRAG_PX) onPress(plot.posToVal(offsetX, 'x') * 1000);
  });
  return plot;
}

const scaleName = (place: number) => `over-${place}`;

function scaleOf(curve: OverCurve): uPlot.Scale {
  const { low, high } = scaleOver(curve);
  return { range: () => [low, high] };
}

/** A door is filled, so that one sees when it was open. */
function drawOver({ words }: OverCurve, place: number, looks: Looks): uPlot.Series {
  const stroke = looks.over[place] ?? looks.text;
  const paths = words ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  return {
    scale: scaleName(place),
    stroke,
    width: 1.5,
    dash: OVER_DASHES[place] ?? [],
    points: { show: false },
    ...(paths && { paths }),
    ...(words && { fill: withStrength(stroke, '40') }),
  };
}

const OVER_DASHES = [
  [8, 3],
  [2, 3],
  [10, 3, 2, 3],
];

/** As wide as its longest word. */
const sizeAxis: uPlot.Axis.Size = (plot, ticks) => {
  const widest = Math.max(0, ...(ticks ?? []).map((tick) => plot.ctx.measureText(tick).width));
  return Math.max(56, Math.ceil(widest / devicePixelRatio) + 20);
};

/** A hexadecimal colour, made translucent. */
const withStrength = (colour: string, strength: string) =>
  /^#[0-9a-f]{6}$/i.test(colour) ? colour + strength : colour;

function describePoint(plot: uPlot, data: ChartData, zone: string): string | null {
  const { idx } = plot.cursor;
  const under = idx == null ? undefined : plot.data[0]?.[idx];
  if (idx == null || under === undefined) return null;
  // Others may have been measured just there: what is told is the reading beside it.
  const at = findNearest(data.at, Math.round(under * 1000));
  const words = at === null ? null : sayPoint(data, at, plot.data[4]?.[idx] ?? null);
  return (
    words &&
    pageLanguage.say('{moment}: {words}', {
      moment: sayMoment(new Date(at ?? 0), zone, readNow(), pageLanguage, { withSeconds: true }),
      words,
    })
  );
}
