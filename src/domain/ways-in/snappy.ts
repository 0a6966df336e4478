// Snappy in its block format: the length of the whole, then pieces that are literal or repeat what came before.

export type Unpacked = Uint8Array | 'too_large' | 'unreadable';

/** A piece of three bytes makes 64 at most, and no other makes more of fewer. */
const MOST_FROM_A_BYTE = 64 / 3;

/** Copied by hand: that is quicker than to prepare for it. */
const SHORT_PIECE = 64;

/** So much is unpacked in one go. */
const PIECE_BYTES = 64 * 1024;

/** Memory is taken for what the bytes can really become, and never for more than allowed. Stops after each piece. */
export function* unpackSnappy(packed: Uint8Array, mostBytes: number): Generator<void, Unpacked> {
  const header = readLength(packed);
  if (!header) return 'unreadable';
  if (header.length > mostBytes) return 'too_large';
  if (header.length > packed.length * MOST_FROM_A_BYTE) return 'unreadable';
  const unpacked = new Uint8Array(header.length);
  return (yield* fill(unpacked, packed, header.from)) ? unpacked : 'unreadable';
}

function readLength(packed: Uint8Array): { length: number; from: number } | null {
  let length = 0;
  for (let from = 0; from < 5; from += 1) {
    const byte = packed[from];
    if (byte === undefined) return null;
    length += (byte & 127) * 2 ** (7 * from);
    if (byte < 128) return length < 2 ** 32 ? { length, from: from + 1 } : null;
  }
  return null;
}

/** false: the pieces do not make exactly this much, or point outside. */
function* fill(unpacked: Uint8Array, packed: Uint8Array, from: number): Generator<void, boolean> {
  let [read, written] = [from, 0];
  /** Little-endian. */
  const number = (bytes: number): number => {
    let value = 0;
    for (let index = 0; index < bytes; index += 1) value += (packed[read + index] ?? 0) * 2 ** (8 * index);
    read += bytes;
    return value;
  };
  for (let pieceEnd = PIECE_BYTES; read < packed.length; ) {
    if (written >= pieceEnd) {
      pieceEnd = written + PIECE_BYTES;
      yield;
    }
    const tag = packed[read] as number;
    read += 1;
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >>> 2;
      const length = (short < 60 ? short : number(short - 59)) + 1;
      if (read + length > packed.length || written + length > unpacked.length) return false;
      if (length > SHORT_PIECE) unpacked.set(packed.subarray(read, read + length), written);
      else
        for (let index = 0; index < length; index += 1)
          unpacked[written + index] = packed[read + index] as number;
      read += length;
      written += length;
      continue;
    }
    const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const back = kind === 1 ? (tag >>> 5) * 256 + number(1) : number(kind === 2 ? 2 : 4);
    if (read > packed.length || back === 0 || back > written || written + length > unpacked.length)
      return false;
    // Byte by byte: a piece may repeat what it has just made.
    for (const end = written + length; written < end; written += 1)
      unpacked[written] = unpacked[written - back] as number;
  }
  return written === unpacked.length;
}
