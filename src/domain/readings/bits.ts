// Bits in a row, the highest of each byte first.
import { DamagedPack } from './damaged-pack.ts';

export interface Bits {
  /** Goes on for four bytes after the last bit, so that four can be taken anywhere. */
  view: DataView;
  /** Where to go on, in bits. */
  at: number;
  /** Where they end, in bits. */
  end: number;
}

/** At once: with those before them in their byte they fit into 32. */
export const MOST_BITS = 25;

/** At least one. The place has to hold zeros. */
export function writeBits(view: DataView, at: number, value: number, width: number): number {
  const byte = at >>> 3;
  view.setInt32(byte, view.getInt32(byte) | (value << (32 - width - (at & 7))));
  return at + width;
}

/** At least one. */
export const readBits = (view: DataView, at: number, width: number): number =>
  (view.getInt32(at >>> 3) << (at & 7)) >>> (32 - width);

/** The place after so many bits more. */
export function passBits(at: number, width: number, end: number): number {
  if (at + width > end) throw new DamagedPack('It is cut short');
  return at + width;
}

const LENGTH_BITS = 6;
const LONGEST = 48;
const HALF = 24;

/** Room that a number may take, in bits. */
export const ROOM_FOR_NUMBER = LENGTH_BITS + LONGEST;

/** Numbers of either sign up to this, and differences of two of them, can be written. */
export const LARGEST = 2 ** 45;

/** How many bits a number has. */
export const lengthOf = (number: number): number =>
  number >= 2 ** 32 ? 64 - Math.clz32(number / 2 ** 32) : 32 - Math.clz32(number);

/** A whole number, not negative, of up to 48 bits: its length, and so many bits. */
export function writeNumber(bits: Bits, number: number): void {
  const length = lengthOf(number);
  const high = Math.floor(number / 2 ** HALF);
  bits.at = writeBits(bits.view, bits.at, length, LENGTH_BITS);
  if (length > HALF) bits.at = writeBits(bits.view, bits.at, high, length - HALF);
  if (length > 0) bits.at = writeBits(bits.view, bits.at, number - high * 2 ** HALF, Math.min(length, HALF));
}

export function readNumber(bits: Bits): number {
  const length = takeBits(bits, LENGTH_BITS);
  if (length > LONGEST) throw new DamagedPack('A number in it is longer than any that is written');
  if (length === 0) return 0;
  const high = length > HALF ? takeBits(bits, length - HALF) : 0;
  return high * 2 ** HALF + takeBits(bits, Math.min(length, HALF));
}

function takeBits(bits: Bits, width: number): number {
  const value = readBits(bits.view, bits.at, width);
  bits.at = passBits(bits.at, width, bits.end);
  return value;
}

export const readBit = (bits: Bits): number => takeBits(bits, 1);

/** Small numbers of either sign become small numbers: 0, -1, 1, -2, 2 are 0, 1, 2, 3, 4. */
export const zigzag = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);

export function unzigzag(number: number): number {
  const half = Math.floor(number / 2);
  return number === 2 * half ? half : -half - 1;
}
