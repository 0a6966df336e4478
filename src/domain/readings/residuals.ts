// What is left of numbers after a good guess: whole, of either sign, nearly always small, and about as large as those just
// before. Each takes little more than the bits it has: a Rice code whose width follows the numbers.
import {
  type Bits,
  lengthOf,
  MOST_BITS,
  passBits,
  ROOM_FOR_NUMBER,
  readBits,
  readNumber,
  unzigzag,
  writeBits,
  writeNumber,
  zigzag,
} from './bits.ts';
import { DamagedPack } from './damaged-pack.ts';

/** So many ones in place of a quotient: the number follows as it is. */
const ESCAPE = 12;
const WIDTH_BITS = 5;
const WIDEST = 20;
/** So many of the first ones say which width to begin with. */
const FIRST_ONES = 32;

/** Room that so many may take, in bits. */
export const roomForResiduals = (count: number): number => WIDTH_BITS + count * (ESCAPE + ROOM_FOR_NUMBER);

/** `level`: 16 times what the numbers are on average, the last ones counting most. */
const widthAt = (level: number): number => Math.min(WIDEST, 31 - Math.clz32((level >> 4) | 1));

/** From the second on: the first number is told by itself. */
export function writeResiduals(bits: Bits, residuals: Float64Array): void {
  const { view } = bits;
  const first = firstWidth(residuals);
  let at = writeBits(view, bits.at, first, WIDTH_BITS);
  let level = 16 << first;
  for (let index = 1; index < residuals.length; index += 1) {
    const number = zigzag(residuals[index] ?? 0);
    const width = widthAt(level);
    level -= level >> 4;
    if (number < ESCAPE << width) {
      const quotient = number >>> width;
      const ones = (2 << quotient) - 2;
      const rest = number & ((1 << width) - 1);
      if (quotient + 1 + width <= MOST_BITS) {
        at = writeBits(view, at, (ones << width) | rest, quotient + 1 + width);
      } else {
        at = writeBits(view, at, ones, quotient + 1);
        at = writeBits(view, at, rest, width);
      }
      level += number;
    } else {
      bits.at = writeBits(view, at, (1 << ESCAPE) - 1, ESCAPE);
      writeNumber(bits, number);
      at = bits.at;
      level += 16 << width;
    }
  }
  bits.at = at;
}

/** By their average length: what lies far out among them counts for little. */
function firstWidth(residuals: Float64Array): number {
  const last = Math.min(FIRST_ONES, residuals.length - 1);
  let lengths = 0;
  for (let index = 1; index <= last; index += 1) lengths += lengthOf(zigzag(residuals[index] ?? 0));
  return last < 1 ? 0 : Math.min(WIDEST, Math.max(0, Math.round(lengths / last) - 1));
}

/** From the second on, into the given ones. */
export function readResiduals(bits: Bits, residuals: Float64Array): void {
  const { view, end } = bits;
  let at = passBits(bits.at, WIDTH_BITS, end);
  let level = 16 << Math.min(WIDEST, readBits(view, bits.at, WIDTH_BITS));
  for (let index = 1; index < residuals.length; index += 1) {
    const width = widthAt(level);
    level -= level >> 4;
    const window = view.getInt32(at >>> 3) << (at & 7);
    // Ones up to the first zero.
    const quotient = Math.clz32(~window);
    if (quotient < ESCAPE) {
      const begin = at + quotient + 1;
      at = begin + width;
      if (at > end) throw new DamagedPack('It is cut short');
      // Nearly always the rest is in the window, too.
      const rest =
        quotient + 1 + width <= MOST_BITS
          ? window << (quotient + 1)
          : view.getInt32(begin >>> 3) << (begin & 7);
      const number = (quotient << width) | ((rest >>> 1) >>> (31 - width));
      residuals[index] = (number >>> 1) ^ -(number & 1);
      level += number;
    } else {
      bits.at = passBits(at, ESCAPE, end);
      residuals[index] = unzigzag(readNumber(bits));
      at = bits.at;
      level += 16 << width;
    }
  }
  bits.at = at;
}

/** In place: all but the first become what they are more than the one before. */
export function toDifferences(numbers: Float64Array): void {
  for (let index = numbers.length - 1; index > 0; index -= 1)
    numbers[index] = (numbers[index] ?? 0) - (numbers[index - 1] ?? 0);
}
