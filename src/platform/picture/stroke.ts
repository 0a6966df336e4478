import type { Point } from './canvas.ts';

export interface Glyph {
  width: number;
  strokes: readonly (readonly Point[])[];
}

/** Part of an ellipse, by degrees clockwise from three o'clock. */
export function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): Point[] {
  const steps = Math.max(4, Math.ceil(Math.abs(to - from) / 30));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)] as const;
  });
}

/** `0,2.2 0,6`: from point to point. */
export const line = (text: string): Point[] =>
  text.split(' ').map((point) => {
    const [x = 0, y = 0] = point.split(',').map(Number);
    return [x, y];
  });
