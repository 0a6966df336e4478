// Reads PNG files (W3C PNG specification) row by row: of a large one no more than a row is unpacked at a time.
import { crc32, createInflate } from 'node:zlib';
import { checkSize, damaged, PictureFault, type PictureSize, type TakeRow } from './picture-fault.ts';
import { countBits, openPainter, type PngColours } from './png-rows.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_CHUNKS = 100_000;

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE);

interface PngFile extends PictureSize, PngColours {
  isInterlaced: boolean;
  packed: Buffer[];
}

const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Of its header alone. */
function readPngSize(bytes: Buffer): PictureSize {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') throw damaged();
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Answers with its size before the first row is taken. */
export async function readPng(bytes: Buffer, begin: (size: PictureSize) => TakeRow): Promise<void> {
  checkSize(readPngSize(bytes));
  const file = readChunks(bytes);
  const takeRow = begin(file);
  const paint = openPainter(file);
  await (file.isInterlaced ? readInterlaced(file, paint, takeRow) : readStraight(file, paint, takeRow));
}

type Paint = ReturnType<typeof openPainter>;

function readChunks(bytes: Buffer): PngFile {
  let file: PngFile | null = null;
  let at = 8;
  for (let count = 0; count < MOST_CHUNKS; count += 1) {
    if (at + 12 > bytes.length) throw damaged();
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) throw damaged();
    const data = bytes.subarray(at + 8, end);
    const isRead = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'].includes(type);
    if (isRead && crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw damaged();
    // What is not read has to be something that nobody needs.
    if (!isRead && !/^[a-z]/.test(type)) throw new PictureFault('unsupported');
    if ((file === null) !== (type === 'IHDR')) throw damaged();
    if (type === 'IHDR') file = readHeader(data);
    if (file && type === 'PLTE') file.palette = data;
    if (file && type === 'tRNS') file.transparent = data;
    if (file && type === 'IDAT') file.packed.push(data);
    if (file && type === 'IEND') return checkFile(file);
    at = end + 4;
  }
  throw damaged();
}

function readHeader(data: Buffer): PngFile {
  if (data.length !== 13) throw damaged();
  const [depth = 0, type = 0, packing, filtering, interlacing = 0] = data.subarray(8);
  if (!DEPTHS[type]?.includes(depth) || packing !== 0 || filtering !== 0 || interlacing > 1) throw damaged();
  return {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth,
    type,
    isInterlaced: interlacing === 1,
    palette: null,
    transparent: null,
    packed: [],
  };
}

function checkFile(file: PngFile): PngFile {
  const { type, palette, packed } = file;
  const hasPalette =
    palette !== null && palette.length > 0 && palette.length <= 768 && palette.length % 3 === 0;
  if (packed.length === 0 || (type === 3 && !hasPalette)) throw damaged();
  return file;
}

const readStraight = async (file: PngFile, paint: Paint, takeRow: TakeRow): Promise<void> => {
  const row = new Uint8Array(file.width * 3);
  const rows = unfilter(file, [file]);
  for await (const { samples } of rows) {
    paint(samples, file.width, (x, red, green, blue) => {
      row[x * 3] = red;
      row[x * 3 + 1] = green;
      row[x * 3 + 2] = blue;
    });
    takeRow(row);
  }
};

/** Seven pictures, each a part of the pixels. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

async function readInterlaced(file: PngFile, paint: Paint, takeRow: TakeRow): Promise<void> {
  const { width, height } = file;
  const pixels = new Uint8Array(width * height * 3);
  const passes = PASSES.map(([left, top, right, down]) => ({
    left,
    top,
    right,
    down,
    width: Math.ceil((width - left) / right),
    height: Math.ceil((height - top) / down),
  })).filter((pass) => pass.width > 0 && pass.height > 0);
  for await (const { samples, y, part } of unfilter(file, passes)) {
    const { left, top, right, down } = part;
    const from = (top + y * down) * width;
    paint(samples, part.width, (x, red, green, blue) => {
      const to = 3 * (from + left + x * right);
      pixels[to] = red;
      pixels[to + 1] = green;
      pixels[to + 2] = blue;
    });
  }
  for (let y = 0; y < height; y += 1) takeRow(pixels.subarray(y * width * 3, (y + 1) * width * 3));
}

/** The rows of each part, as they come out of the packing; what comes beyond them is not unpacked. */
async function* unfilter<Part extends PictureSize>(
  file: PngFile,
  parts: readonly Part[],
): AsyncGenerator<{ part: Part; y: number; samples: Uint8Array }> {
  const bits = countBits(file);
  const distance = Math.max(1, bits >> 3);
  const take = unpack(file.packed);
  for (const part of parts) {
    const length = Math.ceil((part.width * bits) / 8);
    let above = new Uint8Array(length);
    for (let y = 0; y < part.height; y += 1) {
      const filtered = await take(length + 1);
      const samples = Uint8Array.from(filtered.subarray(1));
      undoFilter(filtered[0] ?? 0, samples, above, distance);
      yield { part, y, samples };
      above = samples;
    }
  }
}

/** Gives as many bytes as are asked for. */
function unpack(packed: readonly Buffer[]): (length: number) => Promise<Buffer> {
  const inflate = createInflate();
  inflate.on('error', () => {});
  inflate.end(Buffer.concat(packed));
  const pieces = inflate[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  return async (length) => {
    const gathered = [rest];
    let has = rest.length;
    while (has < length) {
      const { done, value } = await pieces.next().catch(() => {
        throw damaged();
      });
      if (done) throw damaged();
      gathered.push(value);
      has += value.length;
    }
    const all = gathered.length === 1 ? rest : Buffer.concat(gathered);
    rest = all.subarray(length);
    return all.subarray(0, length);
  };
}

function undoFilter(filter: number, row: Uint8Array, above: Uint8Array, distance: number): void {
  const left = (index: number) => (index >= distance ? (row[index - distance] as number) : 0);
  const corner = (index: number) => (index >= distance ? (above[index - distance] as number) : 0);
  const length = row.length;
  if (filter === 1) for (let at = distance; at < length; at += 1) row[at] = (row[at] as number) + left(at);
  else if (filter === 2)
    for (let at = 0; at < length; at += 1) row[at] = (row[at] as number) + (above[at] as number);
  else if (filter === 3)
    for (let at = 0; at < length; at += 1)
      row[at] = (row[at] as number) + ((left(at) + (above[at] as number)) >> 1);
  else if (filter === 4)
    for (let at = 0; at < length; at += 1)
      row[at] = (row[at] as number) + nearest(left(at), above[at] as number, corner(at));
  else if (filter !== 0) throw damaged();
}

function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - above),
    Math.abs(guess - corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
