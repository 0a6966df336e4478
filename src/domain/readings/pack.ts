// The readings of one channel in few bytes, exact to the bit. docs/readings-format.md has the format byte by byte.
import { type Bits, ROOM_FOR_NUMBER, readBits, readNumber, writeNumber } from './bits.ts';
import { crc32 } from './crc32.ts';
import { DamagedPack } from './damaged-pack.ts';
import { readDecimals, roomForDecimals, toDecimals, writeDecimals } from './decimals.ts';
import { readDoubles, roomForDoubles, writeDoubles } from './doubles.ts';
import { readSteps, roomForSteps, toSteps, writeSteps } from './steps.ts';

export { DamagedPack };

/** Readings of one channel, ascending by time, each time once. Instants in ms since the epoch (integers). */
export interface Readings {
  ats: Float64Array;
  values: Float64Array;
}

const VERSION = 1;
const HEADER_BYTES = 2;
const CHECKSUM_BYTES = 4;

// The second byte says how times and values are told.
const PLACES = 0b0000_0111;
/** In place of places. */
const AS_DOUBLES = 7;
const IS_SINGLE = 0b0000_1000;
const HAS_NEGATIVE_ZEROS = 0b0001_0000;
const TIMES_AS_DOUBLES = 0b0010_0000;
const UNUSED = 0b1100_0000;

export function encodePack({ ats, values }: Readings): Uint8Array {
  const count = ats.length;
  if (count !== values.length)
    throw new RangeError(`${count} times and ${values.length} values are no readings`);
  if (!areTimes(ats)) throw new RangeError('Readings are packed by whole milliseconds that ascend');
  const steps = toSteps(ats);
  const decimals = toDecimals(values);
  const room =
    ROOM_FOR_NUMBER +
    (steps ? roomForSteps(count) : roomForDoubles(count)) +
    (decimals ? roomForDecimals(count) : roomForDoubles(count));
  const bytes = new Uint8Array(HEADER_BYTES + Math.ceil(room / 8) + CHECKSUM_BYTES);
  bytes[0] = VERSION;
  bytes[1] =
    (decimals?.places ?? AS_DOUBLES) |
    (decimals?.isSingle ? IS_SINGLE : 0) |
    (decimals?.hasNegativeZeros ? HAS_NEGATIVE_ZEROS : 0) |
    (steps ? 0 : TIMES_AS_DOUBLES);

  const bits: Bits = { view: new DataView(bytes.buffer), at: HEADER_BYTES * 8, end: bytes.length * 8 };
  writeNumber(bits, count);
  if (count > 0) {
    if (steps) writeSteps(bits, steps);
    else writeDoubles(bits, ats);
    if (decimals) writeDecimals(bits, values, decimals);
    else writeDoubles(bits, values);
  }
  const length = Math.ceil(bits.at / 8);
  bits.view.setInt32(length, crc32(bytes, length), true);
  return bytes.slice(0, length + CHECKSUM_BYTES);
}

/** @throws DamagedPack where it is not what was written. */
export function decodePack(data: Uint8Array): Readings {
  const { bits, layout } = openPack(data);
  const count = readNumber(bits);
  // Each but the first takes a bit for its time and one for its value, at least.
  if (2 * (count - 1) > bits.end - bits.at)
    throw new DamagedPack(`It has no room for the ${count} readings it names`);
  const readings = readReadings(bits, layout, count);
  if (!areTimes(readings.ats)) throw new DamagedPack('Its times are none, or do not ascend');
  const left = bits.end - bits.at;
  if (left >= 8 || (left > 0 && readBits(bits.view, bits.at, left) !== 0))
    throw new DamagedPack('Something is left over behind its readings');
  return readings;
}

function openPack(data: Uint8Array): { bits: Bits; layout: number } {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const length = data.length - CHECKSUM_BYTES;
  if (length <= HEADER_BYTES) throw new DamagedPack('It is cut short');
  const version = view.getUint8(0);
  if (version !== VERSION) throw new DamagedPack(`It is of version ${version}, which is not known`);
  if (view.getInt32(length, true) !== crc32(data, length))
    throw new DamagedPack('Its checksum is not that of its bytes');
  const layout = view.getUint8(1);
  if (layout & UNUSED) throw new DamagedPack(`Its layout ${layout} is not known`);
  return { bits: { view, at: HEADER_BYTES * 8, end: length * 8 }, layout };
}

function readReadings(bits: Bits, layout: number, count: number): Readings {
  if (count === 0) return { ats: new Float64Array(0), values: new Float64Array(0) };
  const ats = layout & TIMES_AS_DOUBLES ? readDoubles(bits, count) : readSteps(bits, count);
  const places = layout & PLACES;
  const values =
    places === AS_DOUBLES
      ? readDoubles(bits, count)
      : readDecimals(bits, count, {
          places,
          isSingle: (layout & IS_SINGLE) !== 0,
          hasNegativeZeros: (layout & HAS_NEGATIVE_ZEROS) !== 0,
        });
  return { ats, values };
}

const LATEST = 8.64e15;

/** They are instants and ascend, each of them once. */
function areTimes(ats: Float64Array): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < ats.length; index += 1) {
    const at = ats[index] ?? 0;
    if (!(at > before) || Math.floor(at) !== at) return false;
    before = at;
  }
  return ats.length === 0 || (Math.abs(ats[0] ?? 0) <= LATEST && before <= LATEST);
}
