// The small letters that numbers and units do without, for words such as `closed` and `running`. They stand between 2.2
// and the baseline at 6; what goes below ends at 8.
import { arc, type Glyph, line } from './stroke.ts';

const bowl = arc(1.7, 4.1, 1.7, 1.9, 0, 360);

export const LETTERS: Record<string, Glyph> = {
  a: {
    width: 3.2,
    strokes: [[...arc(1.6, 3.7, 1.5, 1.5, 200, 360), [3.2, 6]], arc(1.5, 4.95, 1.5, 1.1, 0, 360)],
  },
  b: { width: 3.4, strokes: [line('0,0 0,6'), bowl] },
  c: { width: 3, strokes: [arc(1.7, 4.1, 1.7, 1.9, 315, 45)] },
  f: { width: 2.2, strokes: [[...arc(2.2, 1.4, 1.3, 1.4, 270, 180), [0.9, 6]], line('0,2.3 2.1,2.3')] },
  g: { width: 3.4, strokes: [bowl, [[3.4, 2.2], ...arc(1.7, 6.4, 1.7, 1.6, 0, 150)]] },
  j: { width: 1.2, strokes: [[[1.2, 2.2], ...arc(0, 6.8, 1.2, 1.2, 0, 90)], line('1.2,0.3 1.2,0.4')] },
  k: { width: 2.8, strokes: [line('0,0 0,6'), line('2.6,2.2 0,4.6'), line('1,3.7 2.8,6')] },
  l: { width: 0.4, strokes: [line('0.2,0 0.2,6')] },
  p: { width: 3.4, strokes: [line('0,2.2 0,8'), bowl] },
  q: { width: 3.4, strokes: [line('3.4,2.2 3.4,8'), bowl] },
  r: { width: 2, strokes: [line('0,2.2 0,6'), [[0, 4], ...arc(1.5, 3.6, 1.5, 1.4, 190, 290)]] },
  s: {
    width: 2.8,
    strokes: [[...arc(1.4, 3.15, 1.3, 0.95, 330, 90), ...arc(1.4, 5.05, 1.4, 0.95, 270, 510)]],
  },
  t: { width: 2, strokes: [[[0.8, 0.8], ...arc(2, 4.8, 1.2, 1.2, 180, 90)], line('0,2.3 2,2.3')] },
  u: { width: 3, strokes: [[[0, 2.2], ...arc(1.5, 4.5, 1.5, 1.5, 180, 0), [3, 4]], line('3,2.2 3,6')] },
  v: { width: 3.2, strokes: [line('0,2.2 1.6,6 3.2,2.2')] },
  x: { width: 3, strokes: [line('0,2.2 3,6'), line('3,2.2 0,6')] },
  y: { width: 3.2, strokes: [line('0,2.2 1.6,6'), line('3.2,2.2 0.9,8')] },
  z: { width: 2.8, strokes: [line('0,2.2 2.8,2.2 0,6 2.8,6')] },
};
