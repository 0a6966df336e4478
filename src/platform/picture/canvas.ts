// A surface to draw smooth lines on, for small pictures in mails.
import { encodePng } from './png.ts';

export type Point = readonly [x: number, y: number];

/** `0xrrggbb` */
export type Colour = number;

export interface Canvas {
  fill(colour: Colour, left: number, top: number, right: number, bottom: number): void;
  /** One line through all points, with round corners and ends. */
  stroke(points: readonly Point[], width: number, colour: Colour): void;
  png(): Buffer;
}

const MOST_COLOURS = 256;
// So few steps from no cover to full that blends cannot outgrow the palette soon, so many that no step shows.
const COVER_STEPS = 8;

export function createCanvas(width: number, height: number, background: Colour): Canvas {
  const pixels = new Uint8Array(width * height);
  // Of the stroke that is being drawn, and where it is not nothing.
  const cover = new Uint8Array(width * height);
  const touched: number[] = [];
  const palette = [background];
  const entries = new Map([[background, 0]]);

  const entryOf = (colour: Colour): number => {
    const known = entries.get(colour);
    if (known !== undefined) return known;
    if (palette.length === MOST_COLOURS) return nearest(palette, colour);
    entries.set(colour, palette.length);
    return palette.push(colour) - 1;
  };

  /** How far each pixel around a segment lies under it; where segments meet, the fuller cover counts. */
  const coverSegment = ([ax, ay]: Point, [bx, by]: Point, radius: number): void => {
    const reach = radius + 0.5;
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const outside = (radius + 0.5) ** 2;
    const [left, right] = clampAll([Math.min(ax, bx) - reach, Math.max(ax, bx) + reach + 1], width);
    const [top, bottom] = clampAll([Math.min(ay, by) - reach, Math.max(ay, by) + reach + 1], height);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const px = x + 0.5 - ax;
        const py = y + 0.5 - ay;
        const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
        const qx = px - along * dx;
        const qy = py - along * dy;
        const squared = qx * qx + qy * qy;
        if (squared >= outside) continue;
        const covered = Math.round(Math.min(1, radius + 0.5 - Math.sqrt(squared)) * COVER_STEPS);
        const at = y * width + x;
        const before = cover[at] ?? 0;
        if (covered <= before) continue;
        if (before === 0) touched.push(at);
        cover[at] = covered;
      }
    }
  };

  return {
    fill(colour, left, top, right, bottom) {
      const entry = entryOf(colour);
      for (let y = clampTo(top, height); y < clampTo(bottom, height); y++)
        pixels.fill(entry, y * width + clampTo(left, width), y * width + clampTo(right, width));
    },

    stroke(points, lineWidth, colour) {
      points.forEach((point, index) => {
        coverSegment(points[index - 1] ?? point, point, lineWidth / 2);
      });
      for (const at of touched) {
        const under = palette[pixels[at] ?? 0] ?? background;
        pixels[at] = entryOf(blend(under, colour, (cover[at] ?? 0) / COVER_STEPS));
        cover[at] = 0;
      }
      touched.length = 0;
    },

    png() {
      const bytes = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
      return encodePng({ width, height }, pixels, Uint8Array.from(bytes));
    },
  };
}

const clampAll = ([start, end]: [number, number], size: number): [number, number] => [
  clampTo(start, size),
  clampTo(end, size),
];
const clampTo = (value: number, end: number): number => Math.min(end, Math.max(0, Math.floor(value)));

function blend(under: Colour, over: Colour, share: number): Colour {
  const mix = (shift: number) => {
    const [one, other] = [(under >> shift) & 255, (over >> shift) & 255];
    return Math.round(one + (other - one) * share) << shift;
  };
  return mix(16) | mix(8) | mix(0);
}

function nearest(palette: Colour[], colour: Colour): number {
  const distance = (other: Colour) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce(
    (best, other, index) => (distance(other) < distance(palette[best] ?? 0) ? index : best),
    0,
  );
}
