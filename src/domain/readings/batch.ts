// The readings of one transaction as they wait in the inbox: written and read in no time, kept for seconds.
// docs/readings-format.md has the format byte by byte. Columns are copied as they lie in memory, which is little endian
// wherever the program runs.
import { DamagedPack } from './damaged-pack.ts';

/** What one transaction brought, in the order it was taken. */
export interface Batch {
  serviceIds: Int32Array;
  channelIds: Int32Array;
  ats: Float64Array;
  values: Float64Array;
}

const VERSION = 1;
const HEADER_BYTES = 16;
const CHECKSUM_BYTES = 4;

// The second byte says how times are told: in four bytes since the earliest, where they lie close enough.
const AS_DOUBLES = 0;
const SINCE_EARLIEST = 1;
const LONGEST_SPAN_MS = 2 ** 32 - 1;

export function encodeBatch({ serviceIds, channelIds, ats, values }: Batch): Uint8Array {
  const count = ats.length;
  if ([serviceIds, channelIds, values].some((column) => column.length !== count))
    throw new RangeError('The columns of a batch differ in length');
  const earliestAt = findEarliest(ats);
  const layout = earliestAt === null ? AS_DOUBLES : SINCE_EARLIEST;
  const buffer = new ArrayBuffer(sizeOf(count, layout));
  const columns = layOut(buffer, count, layout);
  columns.values.set(values);
  columns.serviceIds.set(serviceIds);
  columns.channelIds.set(channelIds);
  if (earliestAt === null) columns.times.set(ats);
  else for (let index = 0; index < count; index += 1) columns.times[index] = (ats[index] ?? 0) - earliestAt;

  const view = new DataView(buffer);
  view.setUint8(0, VERSION);
  view.setUint8(1, layout);
  view.setUint32(4, count, true);
  view.setFloat64(8, earliestAt ?? 0, true);
  const end = buffer.byteLength - CHECKSUM_BYTES;
  view.setInt32(end, checksum(buffer, end), true);
  return new Uint8Array(buffer);
}

/** Copies: the given bytes may be used for something else. @throws DamagedPack where they are not what was written. */
export function decodeBatch(data: Uint8Array): Batch {
  // In a buffer of its own every column begins where a list of such numbers may.
  const { buffer } = new Uint8Array(data);
  const end = buffer.byteLength - CHECKSUM_BYTES;
  if (end < HEADER_BYTES) throw new DamagedPack('It is cut short');
  const view = new DataView(buffer);
  const [version, layout, count] = [view.getUint8(0), view.getUint8(1), view.getUint32(4, true)];
  if (version !== VERSION) throw new DamagedPack(`It is of version ${version}, which is not known`);
  if (layout > SINCE_EARLIEST) throw new DamagedPack(`Its layout ${layout} is not known`);
  if (buffer.byteLength !== sizeOf(count, layout))
    throw new DamagedPack(`Its ${buffer.byteLength} bytes are not those of the ${count} readings it names`);
  if (view.getInt32(end, true) !== checksum(buffer, end))
    throw new DamagedPack('Its checksum is not that of its bytes');
  const { values, times, serviceIds, channelIds } = layOut(buffer, count, layout);
  const earliestAt = view.getFloat64(8, true);
  const ats = new Float64Array(times);
  if (layout === SINCE_EARLIEST)
    for (let index = 0; index < count; index += 1) ats[index] = earliestAt + (ats[index] ?? 0);
  return { serviceIds, channelIds, ats, values };
}

const timeBytes = (layout: number): number => (layout === SINCE_EARLIEST ? 4 : 8);

const sizeOf = (count: number, layout: number): number =>
  HEADER_BYTES + count * (16 + timeBytes(layout)) + CHECKSUM_BYTES;

/** The longest numbers first, so that each column begins at a multiple of their size. */
function layOut(buffer: ArrayBuffer, count: number, layout: number) {
  const timesFrom = HEADER_BYTES + count * 8;
  const idsFrom = timesFrom + count * timeBytes(layout);
  return {
    values: new Float64Array(buffer, HEADER_BYTES, count),
    times:
      layout === SINCE_EARLIEST
        ? new Uint32Array(buffer, timesFrom, count)
        : new Float64Array(buffer, timesFrom, count),
    serviceIds: new Int32Array(buffer, idsFrom, count),
    channelIds: new Int32Array(buffer, idsFrom + count * 4, count),
  };
}

/** null: the others cannot be told from it in four bytes. */
function findEarliest(ats: Float64Array): number | null {
  let earliest = ats[0] ?? 0;
  let latest = earliest;
  for (let index = 0; index < ats.length; index += 1) {
    const at = ats[index] ?? 0;
    if (Math.floor(at) !== at) return null;
    if (at < earliest) earliest = at;
    if (at > latest) latest = at;
  }
  return latest - earliest <= LONGEST_SPAN_MS ? earliest : null;
}

/** Word by word, which are a quarter as many as bytes. Every change within one word is found. */
function checksum(buffer: ArrayBuffer, end: number): number {
  const words = new Int32Array(buffer, 0, end / 4);
  let sum = words.length;
  for (let index = 0; index < words.length; index += 1) {
    const mixed = Math.imul(sum ^ (words[index] ?? 0), 0x85eb_ca6b);
    sum = (mixed << 15) | (mixed >>> 17);
  }
  return sum;
}
