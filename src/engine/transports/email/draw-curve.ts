// The last hours of a channel as a small picture: the curve, its limits, and how long ago.

import { splitAtGaps } from '../../../domain/chart/gaps.ts';
import { chooseScale, isOnOff, ON_OFF_SCALE, type Scale } from '../../../domain/chart/scale.ts';
import { shareOf } from '../../../domain/chart/share-of.ts';
import { english } from '../../../domain/language/english.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { Curve } from '../../../domain/notifications/notice.ts';
import { type Measured, sayValue, withTrueMinus } from '../../../domain/words/say-value.ts';
import type { StateWords } from '../../../domain/words/state-words.ts';
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

type Reading = Curve['points'][number];

export function drawCurve(curve: Curve, { unit, words }: Measured, language: Language): Buffer {
  const { from, to, points } = curve;
  const values = points.map(([, value]) => value);
  const states = isOnOff({ words, min: values, max: values }) ? words : null;
  const limits = states ? [] : curve.limits;
  const canvas = createCanvas(WIDTH, HEIGHT, COLOURS.rim);
  canvas.fill(COLOURS.paper, 1, 1, WIDTH - 1, HEIGHT - 1);

  const scale = states ? ON_OFF_SCALE : chooseScale([...values, ...limits.map(({ limit }) => limit)]);
  const format = states ? nameStates(states, language) : withDecimalsOf(scale, language);
  const span = Math.max(1, to.getTime() - from.getTime());
  const xOf = (at: number) =>
    PLOT.left + Math.min(1, Math.max(0, (at - from.getTime()) / span)) * (PLOT.right - PLOT.left);
  const yOf = (value: number) =>
    PLOT.bottom - shareOf(value, scale.low, scale.high) * (PLOT.bottom - PLOT.top);

  for (const value of scale.ticks) {
    const y = Math.round(yOf(value));
    canvas.fill(COLOURS.grid, PLOT.left, y, PLOT.right, y + 1);
    const label = format(value, 1);
    const left = Math.max(px(3), PLOT.left - px(8) - measureText(label, TEXT));
    write(canvas, label, [left, yOf(value)], COLOURS.ink);
  }
  for (const { label, share } of agoLabels(span, language)) {
    const x = PLOT.right - share * (PLOT.right - PLOT.left);
    canvas.fill(COLOURS.rim, x, PLOT.bottom + px(3), x + 1, PLOT.bottom + px(6));
    write(canvas, label, [x - measureText(label, TEXT) / 2, HEIGHT - px(12)], COLOURS.ink);
  }

  const labels: Label[] = limits.map(({ severity, limit }) => ({
    text: format(limit, 3),
    y: yOf(limit),
    colour: COLOURS[severity],
    isStrong: false,
  }));
  for (const { severity, limit } of limits) dash(canvas, yOf(limit), COLOURS[severity]);

  const place = ([at, value]: Reading): Point => [xOf(at), yOf(value)];
  for (const run of splitAtGaps(points, ([at]) => at, span / 8)) {
    const line = run.map(place);
    canvas.stroke(thinOut(states ? stepwise(line) : line), px(2.2), COLOURS.curve);
  }
  const newest = points.at(-1);
  if (newest) {
    const last = place(newest);
    canvas.stroke([last], px(8.5), COLOURS.paper);
    canvas.stroke([last], px(6), COLOURS.curve);
    labels.push({
      text: withUnit(format(newest[1], 1), unit),
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

/** A number with some more decimals than the steps of its scale. */
type Format = (value: number, moreDecimals: number) => string;

/** What cannot be written with these letters is a number. */
function nameStates(words: StateWords, language: Language): Format {
  const fits = (word: string) => canWrite(word) && measureText(word, TEXT) <= PLOT.left - px(11);
  const isWritten = fits(words.off) && fits(words.on);
  return (value) => sayValue(value, { unit: null, words: isWritten ? words : null }, language);
}

function withDecimalsOf({ ticks: [highest = 1, second = 0] }: Scale, language: Language): Format {
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(highest - second) + 1e-9)));
  return (value, more) => {
    if (Math.abs(value) >= 1e15)
      return withTrueMinus(String(Number(value.toPrecision(2 + more))).replace('+', ''));
    return sayWritable(language, ({ number }) => number(value, decimals + more));
  };
}

/** As it can be written with these letters, else in English. */
function sayWritable(language: Language, sayIn: (language: Language) => string): string {
  const said = sayIn(language);
  return canWrite(said) ? said : sayIn(english);
}

function agoLabels(spanMs: number, language: Language): { label: string; share: number }[] {
  const [unitMs, sayAgo]: [number, (ago: number, language: Language) => string] =
    spanMs >= 72 * HOUR_MS
      ? [24 * HOUR_MS, (ago, { say }) => say('−{ago} d', { ago })]
      : spanMs >= 2 * HOUR_MS
        ? [HOUR_MS, (ago, { say }) => say('−{ago} h', { ago })]
        : [60_000, (ago, { say }) => say('−{ago} min', { ago })];
  const count = spanMs / unitMs;
  const step = [1, 2, 3, 4, 6, 12, 15, 30, 60].find((size) => count / size <= 4.01) ?? Math.ceil(count / 4);
  const labels = [{ label: sayWritable(language, ({ sayAs }) => sayAs('on a time axis', 'now')), share: 0 }];
  for (let ago = step; ago <= count + 0.01; ago += step)
    labels.push({ label: sayWritable(language, (spoken) => sayAgo(ago, spoken)), share: ago / count });
  return labels;
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
