// A scan of a JPEG: coefficients of blocks of 8 × 8 pixels, all at once or in steps.
import { type Huffman, openBits, type ScanBits } from './jpeg-bits.ts';
import { damaged, PictureFault, type PictureSize } from './picture-fault.ts';

/** Brightness, or one of the colours. */
export interface JpegPart {
  id: number;
  /** Blocks of it in each step over all parts. */
  across: number;
  down: number;
  table: number;
  /** As they are stored: up to whole steps. */
  blocksAcross: number;
  blocksDown: number;
  /** As there are in a scan of it alone. */
  ownAcross: number;
  ownDown: number;
  coefficients: Int16Array;
}

interface Frame extends PictureSize {
  parts: JpegPart[];
}

export interface Scan {
  frame: Frame;
  isProgressive: boolean;
  parts: { part: JpegPart; dc: number; ac: number }[];
  from: number;
  to: number;
  /** What was known before, and what is now: so many bits are still to come. */
  high: number;
  low: number;
  restartEvery: number;
  huffman: { dc: (Huffman | undefined)[]; ac: (Huffman | undefined)[] };
}

// biome-ignore format: a square
export const ZIGZAG = Uint8Array.of(
  0, 1, 8, 16, 9, 2, 3, 10,
  17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34,
  27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36,
  29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
);

type Described = Pick<JpegPart, 'id' | 'across' | 'down' | 'table'>;

export const stepsOf = (
  { width, height }: PictureSize,
  parts: readonly Pick<JpegPart, 'across' | 'down'>[],
) => {
  const mostAcross = Math.max(...parts.map(({ across }) => across));
  const mostDown = Math.max(...parts.map(({ down }) => down));
  return {
    mostAcross,
    mostDown,
    stepsAcross: Math.ceil(width / (8 * mostAcross)),
    stepsDown: Math.ceil(height / (8 * mostDown)),
  };
};

export function makeParts(size: PictureSize, described: readonly Described[]): JpegPart[] {
  const isFair = (count: number) => count >= 1 && count <= 4;
  if (!described.every(({ across, down, table }) => isFair(across) && isFair(down) && table <= 3))
    throw damaged();
  const { mostAcross, mostDown, stepsAcross, stepsDown } = stepsOf(size, described);
  if (described.some(({ across, down }) => mostAcross % across !== 0 || mostDown % down !== 0))
    throw new PictureFault('unsupported');
  return described.map((one) => {
    const blocksAcross = stepsAcross * one.across;
    const blocksDown = stepsDown * one.down;
    return {
      ...one,
      blocksAcross,
      blocksDown,
      ownAcross: Math.ceil(Math.ceil((size.width * one.across) / mostAcross) / 8),
      ownDown: Math.ceil(Math.ceil((size.height * one.down) / mostDown) / 8),
      coefficients: new Int16Array(blocksAcross * blocksDown * 64),
    };
  });
}

/** Answers where the next marker stands. */
export function readScan(bytes: Buffer, begin: number, scan: Scan): number {
  const bits = openBits(bytes, begin);
  const readers = scan.parts.map((one) => ({ ...one, readBlock: openBlocks(scan, one, bits) }));
  const [alone] = readers;
  const { stepsAcross, stepsDown } = stepsOf(scan.frame, scan.frame.parts);
  const isAlone = readers.length === 1 && alone !== undefined;
  const across = isAlone ? alone.part.ownAcross : stepsAcross;
  const steps = across * (isAlone ? alone.part.ownDown : stepsDown);
  for (let step = 0; step < steps; step += 1) {
    if (scan.restartEvery > 0 && step > 0 && step % scan.restartEvery === 0) {
      bits.restart();
      for (const { readBlock } of readers) readBlock.restart();
    }
    const [column, row] = [step % across, Math.floor(step / across)];
    if (isAlone) alone.readBlock.read(64 * (row * alone.part.blocksAcross + column));
    else
      for (const { part, readBlock } of readers)
        for (let y = 0; y < part.down; y += 1)
          for (let x = 0; x < part.across; x += 1)
            readBlock.read(64 * ((row * part.down + y) * part.blocksAcross + column * part.across + x));
  }
  return bits.end();
}

interface ReadBlock {
  read(at: number): void;
  restart(): void;
}

function openBlocks(scan: Scan, { part, dc, ac }: Scan['parts'][number], bits: ScanBits): ReadBlock {
  const { isProgressive, from, to, high, low, huffman } = scan;
  const { coefficients } = part;
  const dcTable = huffman.dc[dc];
  const acTable = huffman.ac[ac];
  let before = 0;
  /** So many blocks have nothing more. */
  let empty = 0;

  const readDifference = (): number => {
    if (!dcTable) throw damaged();
    const size = bits.decode(dcTable);
    if (size > 15) throw damaged();
    before += bits.readSigned(size);
    return before;
  };

  const readRun = (): { size: number; zeros: number } => {
    if (!acTable) throw damaged();
    const code = bits.decode(acTable);
    return { size: code & 15, zeros: code >> 4 };
  };

  const readRest = (at: number, first: number): void => {
    for (let index = first; index <= to; index += 1) {
      const { size, zeros } = readRun();
      if (size === 0 && zeros < 15) {
        empty = isProgressive ? (1 << zeros) + bits.read(zeros) - 1 : 0;
        return;
      }
      index += zeros;
      if (size === 0) continue;
      if (index > to) throw damaged();
      coefficients[at + (ZIGZAG[index] as number)] = bits.readSigned(size) * (1 << low);
    }
  };

  /** One bit more of what is known, and what begins with this bit. */
  const refineRest = (at: number): void => {
    const bit = 1 << low;
    const refine = (place: number) => {
      const value = coefficients[place] as number;
      if (bits.readBit() === 1 && (Math.abs(value) & bit) === 0)
        coefficients[place] = value + (value > 0 ? bit : -bit);
    };
    let index = from;
    if (empty === 0)
      for (; index <= to; index += 1) {
        let { size, zeros } = readRun();
        let value = 0;
        if (size > 0) value = bits.readBit() === 1 ? bit : -bit;
        else if (zeros < 15) {
          empty = (1 << zeros) + bits.read(zeros);
          break;
        }
        for (; index <= to; index += 1) {
          const place = at + (ZIGZAG[index] as number);
          if (coefficients[place] !== 0) refine(place);
          else if (zeros === 0) break;
          else zeros -= 1;
        }
        if (value !== 0 && index <= to) coefficients[at + (ZIGZAG[index] as number)] = value;
      }
    if (empty > 0) {
      for (; index <= to; index += 1) {
        const place = at + (ZIGZAG[index] as number);
        if (coefficients[place] !== 0) refine(place);
      }
      empty -= 1;
    }
  };

  const readProgressive = (at: number): void => {
    if (from === 0) {
      if (high === 0) coefficients[at] = readDifference() * (1 << low);
      else if (bits.readBit() === 1) coefficients[at] = (coefficients[at] as number) | (1 << low);
    } else if (high > 0) refineRest(at);
    else if (empty > 0) empty -= 1;
    else readRest(at, from);
  };

  return {
    read(at) {
      if (isProgressive) return readProgressive(at);
      coefficients[at] = readDifference();
      readRest(at, 1);
    },
    restart() {
      before = 0;
      empty = 0;
    },
  };
}
