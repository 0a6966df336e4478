// The paths of an inline drawing, in tenths.

export type PathPoint = readonly [x: number, y: number];

export const round = (value: number): number => Math.round(value * 10) / 10;

export const tracePath = (points: readonly PathPoint[]): string =>
  `M${points.map(([x, y]) => `${x} ${y}`).join('L')}`;

/** What lies between two lines that run side by side. */
export const traceArea = (above: readonly PathPoint[], below: readonly PathPoint[]): string =>
  `${tracePath([...above, ...below.toReversed()])}Z`;
