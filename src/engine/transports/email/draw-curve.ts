// The last hours of a channel as a small picture: the curve, its limits, and how long ago.

import { shareOf } from '../../../domain/share-of.ts';
import type { Curve } from '../../../domain/telling/notice.ts';
import { type Measured, sayValue, withTrueMinus } from '../../../domain/words/say-value.ts';
import { isOnOff, ON_OFF_SCALE, type StateWords } from '../../../domain/words/state-words.ts';
import { type Canvas, type Colour, createCanvas, type Point } from '../../../platform/picture/canvas.ts';
import { canWrite, measureText, writeText } from '../../../platform/picture/stroke-font.ts';

/** As shown. */
export const PICTURE = { width: 480, height: 160 };

/** Drawn larger than shown, for sharp screens; still larger would cost more time than it is worth. */
const px = (shown: number): number => shown * 1.5;

const [WIDTH, HEIGHT] = [px(PICTURE.width), px(PICTURE.height)];
const PLOT = { left: px(48), top: px(13), right: WIDTH - px(75), bottom: HEIGHT - px(26) };
const TEXT = px(10);
const PEN = px(1.2);
const STRONG_PEN = px(1.6);
const GRID_LINES = 4;
const HOUR_MS = 3_600_000;

// Light, with a rim: in a dark mailbox it lies there like a print.
const COLOURS = {
  paper: 0xf8fafc,
  rim: 0xc3ccd5,
  grid: 0xdde3e9,
  ink: 0x52606d,
  curve: 0x0b5a8a,
  strong: 0x18212a,
  critical: 0xb3152a,
  warning: 0xa86500,
} satisfies Record<string, Colour>;

export function drawCurve(curve: Curve, { unit, words }: Measured): Buffer {
  const { from, to, points } = curve;
  const values = points.map(([, value]) => value);
  const states = isOnOff({ words, min: values, max: values }) ? words : null;
  const limits = states ? [] : curve.limits;
  const canvas = createCanvas(WIDTH, HEIGHT, COLOURS.rim);
  canvas.fill(COLOURS.paper, 1, 1, WIDTH - 1, HEIGHT - 1);

  const scale = states ? chooseStates(states) : chooseScale([...values, ...limits.map(({ limit }) => limit)]);
  const span = Math.max(1, to.getTime() - from.getTime());
  const xOf = (at: number) =>
    PLOT.left + Math.min(1, Math.max(0, (at - from.getTime()) / span)) * (PLOT.right - PLOT.left);
  const yOf = (value: number) =>
    PLOT.bottom - shareOf(value, scale.lowest, scale.highest) * (PLOT.bottom - PLOT.top);

  for (const value of scale.ticks) {
    const y = Math.round(yOf(value));
    canvas.fill(COLOURS.grid, PLOT.left, y, PLOT.right, y + 1);
    const label = scale.format(value);
    const left = Math.max(px(3), PLOT.left - px(8) - measureText(label, TEXT));
    write(canvas, label, [left, yOf(value)], COLOURS.ink);
  }
  for (const { label, share } of agoLabels(span)) {
    const x = PLOT.right - share * (PLOT.right - PLOT.left);
    canvas.fill(COLOURS.rim, x, PLOT.bottom + px(3), x + 1, PLOT.bottom + px(6));
    write(canvas, label, [x - measureText(label, TEXT) / 2, HEIGHT - px(12)], COLOURS.ink);
  }

  const labels: Label[] = limits.map(({ severity, limit }) => ({
    text: scale.format(limit, 3),
    y: yOf(limit),
    colour: COLOURS[severity],
    isStrong: false,
  }));
  for (const { severity, limit } of limits) dash(canvas, yOf(limit), COLOURS[severity]);

  const line = points.map(([at, value]): [number, Point] => [at, [xOf(at), yOf(value)]]);
  for (const run of unbroken(line, span / 8))
    canvas.stroke(thinOut(states ? stepwise(run) : run), px(2.2), COLOURS.curve);
  const last = line.at(-1)?.[1];
  const lastValue = points.at(-1)?.[1];
  if (last && lastValue !== undefined) {
    canvas.stroke([last], px(8.5), COLOURS.paper);
    canvas.stroke([last], px(6), COLOURS.curve);
    labels.push({
      text: withUnit(scale.format(lastValue, 1), unit),
      y: last[1],
      colour: COLOURS.strong,
      isStrong: true,
    });
  }
  for (const { text, y, colour, isStrong } of spread(labels))
    write(canvas, text, [PLOT.right + px(9), y], colour, isStrong ? STRONG_PEN : PEN);
  return canvas.png();
}

/** A state stays what it is until it changes. */
const stepwise = (run: Point[]): Point[] =>
  run.flatMap((point, index) => {
    const next = run[index + 1];
    return next ? [point, [next[0], point[1]]] : [point];
  });

interface Label {
  text: string;
  y: number;
  colour: Colour;
  isStrong: boolean;
}

const withUnit = (text: string, unit: string | null): string => {
  const whole = unit === null ? text : `${text} ${unit}`;
  const fits = canWrite(whole) && measureText(whole, TEXT) <= WIDTH - PLOT.right - px(13);
  return fits ? whole : text;
};

function write(canvas: Canvas, text: string, at: Point, colour: Colour, pen = PEN): void {
  for (const stroke of writeText(text, TEXT, at)) canvas.stroke(stroke, pen, colour);
}

function dash(canvas: Canvas, at: number, colour: Colour): void {
  const y = Math.round(at) - 1;
  for (let x = PLOT.left; x < PLOT.right; x += px(11))
    canvas.fill(colour, x, y, Math.min(PLOT.right, x + px(7)), y + 2);
}

interface Scale {
  lowest: number;
  highest: number;
  ticks: number[];
  /** With the decimals of the ticks, and some more. */
  format(value: number, moreDecimals?: number): string;
}

/** What cannot be written with these letters is a number. */
function chooseStates(words: StateWords): Scale {
  const { low: lowest, high: highest, ticks } = ON_OFF_SCALE;
  const fits = (word: string) => canWrite(word) && measureText(word, TEXT) <= PLOT.left - px(11);
  const isWritten = fits(words.off) && fits(words.on);
  return {
    lowest,
    highest,
    ticks,
    format: (value) => sayValue(value, { unit: null, words: isWritten ? words : null }),
  };
}

/** Steps of 1, 2 or 5 times a power of ten, a few of them over all values. */
function chooseScale(values: number[]): Scale {
  const [low, high] = [least(values), most(values)];
  // By halves and within bounds: two of the largest numbers have neither a sum nor a distance.
  const middle = low / 2 + high / 2;
  const reach = 1.15 * (high / 2 - low / 2 || Math.max(0.5, Math.abs(high) * 0.05));
  const lowest = Math.max(middle - reach, -Number.MAX_VALUE);
  const highest = Math.min(middle + reach, Number.MAX_VALUE);
  const rough = highest / GRID_LINES - lowest / GRID_LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const first = Math.ceil(lowest / step);
  const ticks = Array.from(
    { length: Math.floor(highest / step) - first + 1 },
    (_, index) => (first + index) * step,
  );
  return {
    lowest,
    highest,
    ticks,
    format: (value, more = 0) => {
      const shown = Math.abs(value) < 1e15 ? value.toFixed(decimals + more) : value.toPrecision(2 + more);
      return withTrueMinus(String(Number(shown) + 0).replace('+', ''));
    },
  };
}

// Spreading thousands of points into Math.min would overflow the stack.
const least = (values: number[]) => values.reduce((one, other) => Math.min(one, other), values[0] ?? 0);
const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other), values[0] ?? 1);

function agoLabels(spanMs: number): { label: string; share: number }[] {
  const [unitMs, unit] =
    spanMs >= 72 * HOUR_MS ? [24 * HOUR_MS, 'd'] : spanMs >= 2 * HOUR_MS ? [HOUR_MS, 'h'] : [60_000, 'min'];
  const count = spanMs / unitMs;
  const step = [1, 2, 3, 4, 6, 12, 15, 30, 60].find((size) => count / size <= 4.01) ?? Math.ceil(count / 4);
  const labels = [{ label: 'now', share: 0 }];
  for (let ago = step; ago <= count + 0.01; ago += step)
    labels.push({ label: `−${ago} ${unit}`, share: ago / count });
  return labels;
}

/** Where nothing was measured for long there is no line. */
function unbroken(line: [at: number, point: Point][], longestGapMs: number): Point[][] {
  const runs: Point[][] = [];
  line.forEach(([at, point], index) => {
    const before = line[index - 1]?.[0];
    if (before === undefined || at - before > longestGapMs) runs.push([]);
    runs.at(-1)?.push(point);
  });
  return runs;
}

/** Of many points in one column of pixels the lowest and the highest say it all. */
function thinOut(points: Point[]): Point[] {
  if (points.length <= PLOT.right - PLOT.left) return points;
  const columns = new Map<number, Point[]>();
  for (const point of points) {
    const column = Math.floor(point[0] / 2);
    columns.set(column, [...(columns.get(column) ?? []), point]);
  }
  return [...columns.values()].flatMap((column) => {
    const lowest = column.reduce((one, other) => (other[1] < one[1] ? other : one));
    const highest = column.reduce((one, other) => (other[1] > one[1] ? other : one));
    return lowest === highest ? [lowest] : [lowest, highest].sort((one, other) => one[0] - other[0]);
  });
}

/** Moves labels apart that would lie on each other. */
function spread(labels: Label[]): Label[] {
  const room = TEXT + px(4);
  const sorted = labels.toSorted((one, other) => one.y - other.y);
  sorted.forEach((label, index) => {
    const above = sorted[index - 1];
    if (above) label.y = Math.max(label.y, above.y + room);
  });
  const overflow = (sorted.at(-1)?.y ?? 0) - (HEIGHT - px(30));
  if (overflow <= 0) return sorted;
  sorted.toReversed().forEach((label, index, all) => {
    label.y = index === 0 ? label.y - overflow : Math.min(label.y, (all[index - 1]?.y ?? 0) - room);
  });
  return sorted;
}
