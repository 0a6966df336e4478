// Values as whole numbers: what a sensor says has a few decimal places, though a double has seventeen digits.
import {
  type Bits,
  LARGEST,
  ROOM_FOR_NUMBER,
  readBit,
  readNumber,
  unzigzag,
  writeBits,
  writeNumber,
  zigzag,
} from './bits.ts';
import { readResiduals, roomForResiduals, toDifferences, writeResiduals } from './residuals.ts';

/** How a value is made of its whole number. */
export interface DecimalForm {
  places: number;
  /** Rounded to single precision, as many gateways do it. */
  isSingle: boolean;
  /** Some of the zeros are -0. */
  hasNegativeZeros: boolean;
}

interface Decimals extends DecimalForm {
  scaled: Float64Array;
}

const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const MOST_PLACES = SCALES.length - 1;

/** Both are exact, so their quotient is the double nearest to the decimal: what reading its text gives. */
const toValue = (scaled: number, scale: number, isSingle: boolean): number =>
  isSingle ? Math.fround(scaled / scale) : scaled / scale;

/** With as few places as will do for every one of them; null: they are no decimals. */
export const toDecimals = (values: Float64Array): Decimals | null =>
  tryDecimals(values, false) ?? tryDecimals(values, true);

function tryDecimals(values: Float64Array, isSingle: boolean): Decimals | null {
  const scaled = new Float64Array(values.length);
  let hasNegativeZeros = false;
  let places = 0;
  let scale = 1;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const number = Math.round(value * scale);
    if (toValue(number, scale, isSingle) === value && Math.abs(number) <= LARGEST) {
      scaled[index] = number;
      hasNegativeZeros ||= Object.is(value, -0);
    } else {
      places += 1;
      scale = SCALES[places] ?? 0;
      if (places > MOST_PLACES) return null;
      // From the beginning, with one place more.
      index = -1;
    }
  }
  return { places, isSingle, hasNegativeZeros, scaled };
}

/** Room that so many may take, in bits. */
export const roomForDecimals = (count: number): number => ROOM_FOR_NUMBER + roomForResiduals(count) + count;

/** At least one; `scaled` is used up. */
export function writeDecimals(
  bits: Bits,
  values: Float64Array,
  { scaled, hasNegativeZeros }: Decimals,
): void {
  toDifferences(scaled);
  writeNumber(bits, zigzag(scaled[0] ?? 0));
  writeResiduals(bits, scaled);
  if (!hasNegativeZeros) return;
  for (let index = 0; index < values.length; index += 1)
    if (values[index] === 0) bits.at = writeBits(bits.view, bits.at, Object.is(values[index], -0) ? 1 : 0, 1);
}

export function readDecimals(bits: Bits, count: number, form: DecimalForm): Float64Array {
  const { places, isSingle, hasNegativeZeros } = form;
  const scale = SCALES[places] ?? 1;
  const values = new Float64Array(count);
  let scaled = unzigzag(readNumber(bits));
  readResiduals(bits, values);
  for (let index = 0; index < count; index += 1) {
    scaled += values[index] ?? 0;
    values[index] = toValue(scaled, scale, isSingle);
  }
  if (hasNegativeZeros)
    for (let index = 0; index < count; index += 1)
      if (values[index] === 0 && readBit(bits) === 1) values[index] = -0;
  return values;
}
