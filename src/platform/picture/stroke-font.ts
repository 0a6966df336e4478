// Numbers and the letters a chart needs, as strokes of a pen: smooth at every size, and no font file to carry.
import type { Point } from './canvas.ts';
import { arc, type Glyph, line } from './stroke.ts';
import { LETTERS } from './stroke-letters.ts';

/** Capitals are 6 high, from 0 at the top to the baseline at 6. */
const HEIGHT = 6;
const GAP = 1.6;

const GLYPHS: Record<string, Glyph> = {
  ...LETTERS,
  '0': { width: 3.6, strokes: [arc(1.8, 3, 1.8, 3, 0, 360)] },
  '1': {
    width: 2,
    strokes: [
      [
        [0, 1.4],
        [1.7, 0],
        [1.7, 6],
      ],
    ],
  },
  '2': { width: 3.6, strokes: [[...arc(1.8, 1.75, 1.75, 1.75, 195, 395), [0, 6], [3.6, 6]]] },
  '3': {
    width: 3.5,
    strokes: [[...arc(1.6, 1.5, 1.6, 1.5, 205, 450), ...arc(1.6, 4.4, 1.8, 1.6, 270, 510)]],
  },
  '4': {
    width: 3.9,
    strokes: [
      [
        [2.9, 6],
        [2.9, 0],
        [0, 4.3],
        [3.9, 4.3],
      ],
    ],
  },
  '5': { width: 3.5, strokes: [[[3.2, 0], [0.5, 0], [0.2, 2.9], ...arc(1.7, 4.05, 1.8, 1.95, 230, 510)]] },
  '6': { width: 3.6, strokes: [[[2.9, 0], ...arc(1.8, 4.1, 1.8, 1.9, 200, 560)]] },
  '7': {
    width: 3.5,
    strokes: [
      [
        [0, 0],
        [3.5, 0],
        [1.2, 6],
      ],
    ],
  },
  '8': { width: 3.6, strokes: [arc(1.8, 1.45, 1.5, 1.45, 0, 360), arc(1.8, 4.45, 1.8, 1.55, 0, 360)] },
  '9': { width: 3.6, strokes: [[...arc(1.8, 1.9, 1.8, 1.9, 20, 380), [0.7, 6]]] },
  // Of an exponent, and of a number.
  '-': { width: 2, strokes: [line('0,3.4 2,3.4')] },
  '−': { width: 2.6, strokes: [line('0,3.4 2.6,3.4')] },
  '.': {
    width: 0.4,
    strokes: [
      [
        [0.2, 5.9],
        [0.2, 6],
      ],
    ],
  },
  ',': { width: 0.8, strokes: [line('0.7,5.7 0.1,7')] },
  '%': {
    width: 5,
    strokes: [
      [
        [4.4, 0],
        [0.6, 6],
      ],
      arc(1, 1.3, 1, 1.3, 0, 360),
      arc(4, 4.7, 1, 1.3, 0, 360),
    ],
  },
  '°': { width: 1.9, strokes: [arc(0.95, 0.95, 0.95, 0.95, 0, 360)] },
  C: { width: 4.2, strokes: [arc(2.4, 3, 2.4, 3, 315, 45)] },
  F: {
    width: 3.2,
    strokes: [
      [
        [3.2, 0],
        [0, 0],
        [0, 6],
      ],
      [
        [0, 3],
        [2.7, 3],
      ],
    ],
  },
  O: { width: 4.6, strokes: [arc(2.3, 3, 2.3, 3, 0, 360)] },
  e: { width: 3.3, strokes: [[[0, 4.1], [3.3, 4.1], ...arc(1.65, 4.1, 1.65, 1.9, 360, 45)]] },
  h: {
    width: 3,
    strokes: [
      [
        [0, 0],
        [0, 6],
      ],
      [[0, 4], ...arc(1.5, 3.6, 1.5, 1.5, 195, 360), [3, 6]],
    ],
  },
  i: {
    width: 0.4,
    strokes: [
      [
        [0.2, 2.2],
        [0.2, 6],
      ],
      [
        [0.2, 0.3],
        [0.2, 0.4],
      ],
    ],
  },
  n: {
    width: 3,
    strokes: [
      [
        [0, 2.2],
        [0, 6],
      ],
      [[0, 4], ...arc(1.5, 3.6, 1.5, 1.5, 195, 360), [3, 6]],
    ],
  },
  o: { width: 3.4, strokes: [arc(1.7, 4.05, 1.7, 1.95, 0, 360)] },
  w: {
    width: 4.6,
    strokes: [
      [
        [0, 2.2],
        [1.2, 6],
        [2.3, 2.6],
        [3.4, 6],
        [4.6, 2.2],
      ],
    ],
  },
  m: {
    width: 4.8,
    strokes: [
      [
        [0, 2.2],
        [0, 6],
      ],
      [[0, 3.8], ...arc(1.2, 3.4, 1.2, 1.3, 195, 360), [2.4, 6]],
      [[2.4, 3.8], ...arc(3.6, 3.4, 1.2, 1.3, 195, 360), [4.8, 6]],
    ],
  },
  d: {
    width: 3.4,
    strokes: [
      arc(1.7, 4.1, 1.7, 1.9, 0, 360),
      [
        [3.4, 0],
        [3.4, 6],
      ],
    ],
  },
  ' ': { width: 0.8, strokes: [] },
};

const glyphsOf = (text: string): Glyph[] => [...text].flatMap((character) => GLYPHS[character] ?? []);

export const canWrite = (text: string): boolean => [...text].every((character) => character in GLYPHS);

export function measureText(text: string, height: number): number {
  const glyphs = glyphsOf(text);
  return (glyphs.reduce((sum, { width }) => sum + width + GAP, -GAP) * height) / HEIGHT;
}

/** The strokes that write it, with the left end of its middle line at the given place. */
export function writeText(text: string, height: number, [left, middle]: Point): Point[][] {
  const scale = height / HEIGHT;
  let offset = 0;
  return glyphsOf(text).flatMap(({ width, strokes }) => {
    const at = offset;
    offset += width + GAP;
    return strokes.map((stroke) =>
      stroke.map(([x, y]): Point => [left + (at + x) * scale, middle + (y - HEIGHT / 2) * scale]),
    );
  });
}
