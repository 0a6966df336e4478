// Snappy in its block format, as a sender would pack it: what repeats is pointed to. Not the tightest.

const LONGEST_COPY = 64;
const FURTHEST = 65_535;

export function packSnappy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed: number[] = varint(bytes.length);
  const seen = new Map<string, number>();
  let literalFrom = 0;
  let at = 0;
  while (at + 4 <= bytes.length) {
    const key = `${bytes[at]},${bytes[at + 1]},${bytes[at + 2]},${bytes[at + 3]}`;
    const earlier = seen.get(key);
    seen.set(key, at);
    if (earlier === undefined || at - earlier > FURTHEST) {
      at += 1;
      continue;
    }
    let length = 4;
    while (
      length < LONGEST_COPY &&
      at + length < bytes.length &&
      bytes[earlier + length] === bytes[at + length]
    )
      length += 1;
    addLiteral(packed, bytes.subarray(literalFrom, at));
    addCopy(packed, at - earlier, length);
    at += length;
    literalFrom = at;
  }
  addLiteral(packed, bytes.subarray(literalFrom));
  return Uint8Array.from(packed);
}

function addLiteral(packed: number[], literal: Uint8Array): void {
  const last = literal.length - 1;
  if (last < 0) return;
  const lengthBytes = last < 60 ? 0 : last < 2 ** 8 ? 1 : last < 2 ** 16 ? 2 : last < 2 ** 24 ? 3 : 4;
  packed.push(lengthBytes === 0 ? last << 2 : (59 + lengthBytes) << 2);
  for (let index = 0; index < lengthBytes; index += 1) packed.push((last >>> (8 * index)) & 255);
  for (const byte of literal) packed.push(byte);
}

function addCopy(packed: number[], back: number, length: number): void {
  if (length < 12 && back < 2_048) packed.push(((back >>> 8) << 5) | ((length - 4) << 2) | 1, back & 255);
  else packed.push(((length - 1) << 2) | 2, back & 255, back >>> 8);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}
