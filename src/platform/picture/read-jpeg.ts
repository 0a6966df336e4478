// Reads JPEG files (ITU T.81) of eight bits, baseline and progressive: what cameras, scanners and drawing programs write.

import { makeHuffman } from './jpeg-bits.ts';
import { assembleRows } from './jpeg-colours.ts';
import { type JpegPart, makeParts, readScan, type Scan } from './jpeg-scan.ts';
import { checkSize, damaged, PictureFault, type PictureSize, type TakeRow } from './picture-fault.ts';

const MOST_SCANS = 64;

export const isJpeg = (bytes: Buffer): boolean => bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff;

interface JpegFile {
  frame: (PictureSize & { isProgressive: boolean; parts: JpegPart[] }) | null;
  quantization: (Uint16Array | undefined)[];
  huffman: { dc: Scan['huffman']['dc']; ac: Scan['huffman']['ac'] };
  restartEvery: number;
  orientation: number;
  /** As Adobe says it: 0 is red, green and blue. null: it says nothing. */
  transform: number | null;
}

/** Of its header alone. */
function readJpegSize(bytes: Buffer): PictureSize {
  for (const { marker, data } of segmentsOf(bytes)) if (isFrame(marker)) return readSize(marker, data);
  throw damaged();
}

/** Answers how it was held: 1 to 8, as Exif numbers it. */
export function readJpeg(bytes: Buffer, begin: (size: PictureSize) => TakeRow): number {
  checkSize(readJpegSize(bytes));
  const file: JpegFile = {
    frame: null,
    quantization: [],
    huffman: { dc: [], ac: [] },
    restartEvery: 0,
    orientation: 1,
    transform: null,
  };
  let scans = 0;
  const segments = segmentsOf(bytes);
  for (let next = segments.next(); !next.done; ) {
    const { marker, data, end } = next.value;
    if (marker !== 0xda) {
      readSegment(file, marker, data);
      next = segments.next();
      continue;
    }
    scans += 1;
    if (!file.frame || scans > MOST_SCANS) throw damaged();
    next = segments.next(readScan(bytes, end, readScanHeader(file, data)));
  }
  const { frame, quantization, transform, orientation } = file;
  if (!frame || scans === 0) throw damaged();
  assembleRows(frame, { quantization, transform }, begin(frame));
  return orientation;
}

interface Segment {
  marker: number;
  data: Buffer;
  end: number;
}

/** To the end of the picture; after a scan it goes on where that ended. */
function* segmentsOf(bytes: Buffer): Generator<Segment, void, number | undefined> {
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw damaged();
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) return;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || end < at + 4 || end > bytes.length)
      throw damaged();
    at = (yield { marker, data: bytes.subarray(at + 4, end), end }) ?? end;
  }
  // The end itself is two bytes.
  if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return;
  throw damaged();
}

/** The frames that there are, those that nobody writes included. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readSize(marker: number, data: Buffer): PictureSize {
  if (marker > 0xc2 || data[0] !== 8) throw new PictureFault('unsupported');
  if (data.length < 6) throw damaged();
  return { height: data.readUInt16BE(1), width: data.readUInt16BE(3) };
}

function readSegment(file: JpegFile, marker: number, data: Buffer): void {
  if (isFrame(marker)) {
    if (file.frame) throw damaged();
    const size = readSize(marker, data);
    const count = data[5] ?? 0;
    if (count !== 1 && count !== 3) throw new PictureFault('unsupported');
    if (data.length < 6 + 3 * count) throw damaged();
    const described = Array.from({ length: count }, (_, index) => {
      const [id = 0, sampling = 0, table = 0] = data.subarray(6 + 3 * index);
      return { id, across: sampling >> 4, down: sampling & 15, table };
    });
    file.frame = { ...size, isProgressive: marker === 0xc2, parts: makeParts(size, described) };
  } else if (marker === 0xdb) readQuantization(file, data);
  else if (marker === 0xc4) readHuffman(file, data);
  else if (marker === 0xdd && data.length >= 2) file.restartEvery = data.readUInt16BE(0);
  else if (marker === 0xe1) file.orientation = readOrientation(data) ?? file.orientation;
  else if (marker === 0xee && data.length >= 12 && data.toString('latin1', 0, 5) === 'Adobe')
    file.transform = data[11] ?? null;
}

function readQuantization({ quantization }: JpegFile, data: Buffer): void {
  let at = 0;
  while (at < data.length) {
    const head = data[at] as number;
    const isWide = head >> 4 === 1;
    const length = isWide ? 128 : 64;
    if (at + 1 + length > data.length || (head & 15) > 3) throw damaged();
    const from = at + 1;
    quantization[head & 15] = Uint16Array.from({ length: 64 }, (_, index) =>
      isWide ? data.readUInt16BE(from + 2 * index) : (data[from + index] as number),
    );
    at = from + length;
  }
}

function readHuffman({ huffman }: JpegFile, data: Buffer): void {
  let at = 0;
  while (at < data.length) {
    const head = data[at] as number;
    const counts = data.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const end = at + 17 + total;
    if (counts.length < 16 || total > 256 || end > data.length || (head & 15) > 3 || head >> 4 > 1)
      throw damaged();
    (head >> 4 === 0 ? huffman.dc : huffman.ac)[head & 15] = makeHuffman(counts, data.subarray(at + 17, end));
    at = end;
  }
}

function readScanHeader({ frame, huffman, restartEvery }: JpegFile, data: Buffer): Scan {
  const count = data[0] ?? 0;
  if (!frame || count < 1 || count > frame.parts.length || data.length < 4 + 2 * count) throw damaged();
  const parts = Array.from({ length: count }, (_, index) => {
    const [id, tables = 0] = data.subarray(1 + 2 * index);
    const part = frame.parts.find((one) => one.id === id);
    if (!part) throw damaged();
    return { part, dc: tables >> 4, ac: tables & 15 };
  });
  if (new Set(parts.map(({ part }) => part)).size < count) throw damaged();
  const [first = 0, last = 0, approximation = 0] = data.subarray(1 + 2 * count);
  const isWhole = !frame.isProgressive;
  const [from, to] = isWhole ? [0, 63] : [first, last];
  if (from > to || to > 63 || (!isWhole && from === 0 && to !== 0) || (from > 0 && count > 1))
    throw damaged();
  const [high, low] = isWhole ? [0, 0] : [approximation >> 4, approximation & 15];
  if (low > 13) throw damaged();
  return { frame, isProgressive: frame.isProgressive, parts, from, to, high, low, restartEvery, huffman };
}

/** From the only thing that is read of what a camera says; null: it does not say. */
function readOrientation(data: Buffer): number | null {
  if (data.toString('latin1', 0, 6) !== 'Exif\0\0') return null;
  const tiff = data.subarray(6);
  if (tiff.length < 8) return null;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const list = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (list + 2 > tiff.length) return null;
  const count = read16(list);
  for (let index = 0; index < count; index += 1) {
    const at = list + 2 + 12 * index;
    if (at + 12 > tiff.length) return null;
    if (read16(at) === 0x0112) return read16(at + 8);
  }
  return null;
}
