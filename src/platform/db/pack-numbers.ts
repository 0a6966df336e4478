// Lists of numbers, and of bytes, as PostgreSQL sends and takes them in binary: written in no time here, and read there without parsing.

/** What the elements are: the type's number in PostgreSQL's catalogue, and how one is written. */
interface Element {
  type: number;
  bytes: number;
  write(list: DataView, at: number, value: number): void;
}

const INT: Element = { type: 23, bytes: 4, write: (list, at, value) => list.setInt32(at, value) };
const XID: Element = { type: 28, bytes: 4, write: (list, at, value) => list.setUint32(at, value) };
const FLOAT: Element = { type: 701, bytes: 8, write: (list, at, value) => list.setFloat64(at, value) };
const BIGINT: Element = {
  type: 20,
  bytes: 8,
  write(list, at, value) {
    list.setInt32(at, Math.floor(value / 2 ** 32));
    list.setUint32(at + 4, value % 2 ** 32);
  },
};

type Numbers = readonly (number | null)[];

/** For `::int[]`. */
export const packInts = (values: Numbers): Buffer => pack(INT, values);
/** For `::xid[]`. */
export const packXids = (values: Numbers): Buffer => pack(XID, values);
/** For `::float8[]`. */
export const packFloats = (values: Numbers): Buffer => pack(FLOAT, values);
/** For `::bigint[]`: whole numbers that JavaScript knows exactly. */
export const packBigints = (values: Numbers): Buffer => pack(BIGINT, values);

const HEADER_BYTES = 20;

function pack({ type, bytes, write }: Element, values: Numbers): Buffer {
  const packed = Buffer.allocUnsafe(HEADER_BYTES + values.length * (4 + bytes));
  const list = new DataView(packed.buffer, packed.byteOffset, packed.length);
  // One dimension, no word on nulls (it is not looked at), the element's type, how many, counted from 1.
  for (const [index, field] of [1, 0, type, values.length, 1].entries()) list.setInt32(index * 4, field);
  let at = HEADER_BYTES;
  // By index: an iterator would put every number into an object of its own.
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    list.setInt32(at, value === null ? -1 : bytes);
    at += 4;
    if (value === null) continue;
    write(list, at, value);
    at += bytes;
  }
  return packed.subarray(0, at);
}

const BYTEA = 17;

/** For `::bytea[]`. */
export function packBytes(values: readonly Uint8Array[]): Buffer {
  const bytes = values.reduce((sum, { byteLength }) => sum + 4 + byteLength, HEADER_BYTES);
  const packed = Buffer.allocUnsafe(bytes);
  for (const [index, field] of [1, 0, BYTEA, values.length, 1].entries())
    packed.writeInt32BE(field, index * 4);
  let at = HEADER_BYTES;
  for (const value of values) {
    packed.writeInt32BE(value.byteLength, at);
    packed.set(value, at + 4);
    at += 4 + value.byteLength;
  }
  return packed;
}
