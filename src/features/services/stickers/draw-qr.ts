import { encode } from 'uqr';

export interface QrDrawing {
  /** Of a square, in modules, with the quiet border that readers need. */
  size: number;
  /** The dark modules, as the path of an SVG. */
  path: string;
}

/** Of four modules, by the standard. */
const BORDER = 4;

/** Still read when a seventh of it is scratched or frosted over. */
export function drawQr(text: string): QrDrawing {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const path = data.flatMap((row, y) =>
    findRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: path.join('') };
}

function findRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    if (!isDark) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}
