// From coefficients to rows of colours.
import { type JpegPart, stepsOf, ZIGZAG } from './jpeg-scan.ts';
import { damaged, type PictureSize, type TakeRow } from './picture-fault.ts';

/** Of the cosine transform: by frequency and place. */
const WAVES = Float32Array.from({ length: 64 }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7];
  return 0.5 * (frequency === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});

interface Meaning {
  quantization: readonly (Uint16Array | undefined)[];
  transform: number | null;
}

export function assembleRows(
  frame: PictureSize & { parts: JpegPart[] },
  { quantization, transform }: Meaning,
  takeRow: TakeRow,
): void {
  const { width, height, parts } = frame;
  const { mostAcross, mostDown, stepsDown } = stepsOf(frame, parts);
  const planes = parts.map((part) => {
    const table = quantization[part.table];
    if (!table) throw damaged();
    return {
      part,
      table,
      stride: part.blocksAcross * 8,
      samples: new Uint8ClampedArray(part.blocksAcross * 8 * part.down * 8),
      // Powers of two, and three.
      columns: Uint32Array.from({ length: width }, (_, x) => Math.floor((x * part.across) / mostAcross)),
    };
  });
  const row = new Uint8ClampedArray(width * 3);
  const paint = choosePainter(parts, transform);
  for (let step = 0; step < stepsDown; step += 1) {
    for (const { part, table, samples, stride } of planes) drawBlocks(part, step, table, samples, stride);
    for (let line = 0; line < 8 * mostDown && step * 8 * mostDown + line < height; line += 1) {
      const rows = planes.map(({ part, samples, stride, columns }) => {
        const from = Math.floor((line * part.down) / mostDown) * stride;
        return { samples: samples.subarray(from, from + stride), columns };
      });
      paint(rows, row);
      takeRow(new Uint8Array(row.buffer));
    }
  }
}

/** A row of steps of one part. */
function drawBlocks(
  part: JpegPart,
  step: number,
  table: Uint16Array,
  samples: Uint8ClampedArray,
  stride: number,
): void {
  for (let y = 0; y < part.down; y += 1)
    for (let x = 0; x < part.blocksAcross; x += 1) {
      const from = 64 * ((step * part.down + y) * part.blocksAcross + x);
      drawBlock(part.coefficients, from, table, samples, y * 8 * stride + x * 8, stride);
    }
}

const held = new Float32Array(64);
const turned = new Float32Array(64);

function drawBlock(
  coefficients: Int16Array,
  from: number,
  table: Uint16Array,
  samples: Uint8ClampedArray,
  to: number,
  stride: number,
): void {
  let last = 0;
  for (let index = 0; index < 64; index += 1) {
    const place = ZIGZAG[index] as number;
    const value = (coefficients[from + place] as number) * (table[index] as number);
    held[place] = value;
    if (value !== 0) last = index;
  }
  if (last === 0) {
    const flat = 128 + (held[0] as number) / 8;
    for (let y = 0; y < 8; y += 1) samples.fill(flat, to + y * stride, to + y * stride + 8);
    return;
  }
  // First along the rows, then down the columns.
  for (let y = 0; y < 8; y += 1)
    for (let x = 0; x < 8; x += 1) {
      let sum = 0;
      for (let wave = 0; wave < 8; wave += 1)
        sum += (held[y * 8 + wave] as number) * (WAVES[wave * 8 + x] as number);
      turned[y * 8 + x] = sum;
    }
  for (let x = 0; x < 8; x += 1)
    for (let y = 0; y < 8; y += 1) {
      let sum = 128;
      for (let wave = 0; wave < 8; wave += 1)
        sum += (turned[wave * 8 + x] as number) * (WAVES[wave * 8 + y] as number);
      samples[to + y * stride + x] = sum;
    }
}

interface PlaneRow {
  samples: Uint8ClampedArray;
  columns: Uint32Array;
}

type PaintRow = (planes: readonly PlaneRow[], row: Uint8ClampedArray) => void;

function choosePainter(parts: readonly JpegPart[], transform: number | null): PaintRow {
  if (parts.length === 1) return paintGrey;
  const isRgb = transform === 0 || (transform === null && parts.map(({ id }) => id).join() === '82,71,66');
  return isRgb ? paintRgb : paintBrightness;
}

const at = (plane: PlaneRow | undefined, x: number): number =>
  plane ? (plane.samples[plane.columns[x] as number] as number) : 0;

const paintGrey: PaintRow = ([grey], row) => {
  for (let x = 0, to = 0; to < row.length; x += 1, to += 3) row.fill(at(grey, x), to, to + 3);
};

const paintRgb: PaintRow = ([red, green, blue], row) => {
  for (let x = 0, to = 0; to < row.length; x += 1, to += 3) {
    row[to] = at(red, x);
    row[to + 1] = at(green, x);
    row[to + 2] = at(blue, x);
  }
};

const paintBrightness: PaintRow = ([bright, bluish, reddish], row) => {
  for (let x = 0, to = 0; to < row.length; x += 1, to += 3) {
    const y = at(bright, x);
    const blue = at(bluish, x) - 128;
    const red = at(reddish, x) - 128;
    row[to] = y + 1.402 * red;
    row[to + 1] = y - 0.344136 * blue - 0.714136 * red;
    row[to + 2] = y + 1.772 * blue;
  }
};
