// Doubles as they are, each by the bytes in which it differs from the one before. For numbers that are nothing simpler.
import { type Bits, passBits, readBits, writeBits } from './bits.ts';

const BYTES = 8;
const COUNT_BITS = 3;
const MOST_BITS = 1 + 2 * COUNT_BITS + 8 * BYTES;

/** Room that so many may take, in bits. */
export const roomForDoubles = (count: number): number => count * MOST_BITS;

export function writeDoubles(bits: Bits, values: Float64Array): void {
  const { view } = bits;
  const [before, current] = [new DataView(new ArrayBuffer(BYTES)), new DataView(new ArrayBuffer(BYTES))];
  let at = bits.at;
  for (let index = 0; index < values.length; index += 1) {
    current.setFloat64(0, values[index] ?? 0);
    const high = current.getInt32(0) ^ before.getInt32(0);
    const low = current.getInt32(4) ^ before.getInt32(4);
    if ((high | low) === 0) {
      at = writeBits(view, at, 0, 1);
      continue;
    }
    const leading = (high === 0 ? 32 + Math.clz32(low) : Math.clz32(high)) >>> 3;
    const trailing = (low === 0 ? 32 + zerosBehind(high) : zerosBehind(low)) >>> 3;
    at = writeBits(view, at, 1, 1);
    at = writeBits(view, at, leading, COUNT_BITS);
    at = writeBits(view, at, trailing, COUNT_BITS);
    for (let byte = leading; byte < BYTES - trailing; byte += 1)
      at = writeBits(view, at, current.getUint8(byte) ^ before.getUint8(byte), 8);
    before.setFloat64(0, values[index] ?? 0);
  }
  bits.at = at;
}

const zerosBehind = (word: number): number => 31 - Math.clz32(word & -word);

export function readDoubles(bits: Bits, count: number): Float64Array {
  const { view, end } = bits;
  const values = new Float64Array(count);
  const current = new DataView(new ArrayBuffer(BYTES));
  let at = bits.at;
  for (let index = 0; index < count; index += 1) {
    const differs = readBits(view, at, 1);
    at = passBits(at, 1, end);
    if (differs) {
      const leading = readBits(view, at, COUNT_BITS);
      const trailing = readBits(view, at, 2 * COUNT_BITS) & 7;
      at = passBits(at, 2 * COUNT_BITS, end);
      for (let byte = leading; byte < BYTES - trailing; byte += 1) {
        current.setUint8(byte, current.getUint8(byte) ^ readBits(view, at, 8));
        at = passBits(at, 8, end);
      }
    }
    values[index] = current.getFloat64(0);
  }
  bits.at = at;
  return values;
}
