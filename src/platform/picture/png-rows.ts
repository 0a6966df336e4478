// From the samples of a row of a PNG to its colours, laid upon white.
import { damaged } from './picture-fault.ts';

export interface PngColours {
  depth: number;
  type: number;
  palette: Buffer | null;
  transparent: Buffer | null;
}

type SetPixel = (x: number, red: number, green: number, blue: number) => void;

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const OPAQUE = 255;

/** Of a pixel. */
export const countBits = ({ type, depth }: PngColours): number => (CHANNELS[type] ?? 1) * depth;

const onWhite = (value: number, opacity: number): number =>
  opacity === OPAQUE ? value : Math.round((value * opacity + OPAQUE * (OPAQUE - opacity)) / OPAQUE);

export function openPainter(colours: PngColours): (row: Uint8Array, width: number, set: SetPixel) => void {
  const { depth, type, palette, transparent } = colours;
  const sampleIn = readSamples(depth);
  const toByte =
    depth === 16 ? (value: number) => value >> 8 : (value: number) => (value * 255) / ((1 << depth) - 1);

  if (type === 3)
    return (row, width, set) => {
      for (let x = 0; x < width; x += 1) {
        const index = sampleIn(row, x);
        const at = index * 3;
        if (!palette || at + 2 >= palette.length) throw damaged();
        const opacity = transparent?.[index] ?? OPAQUE;
        set(
          x,
          onWhite(palette[at] as number, opacity),
          onWhite(palette[at + 1] as number, opacity),
          onWhite(palette[at + 2] as number, opacity),
        );
      }
    };

  const isGrey = type === 0 || type === 4;
  const hasOpacity = type === 4 || type === 6;
  const channels = CHANNELS[type] ?? 1;
  const clear = findClear(colours, isGrey ? 1 : 3);
  return (row, width, set) => {
    for (let x = 0, at = 0; x < width; x += 1, at += channels) {
      const red = sampleIn(row, at);
      const green = isGrey ? red : sampleIn(row, at + 1);
      const blue = isGrey ? red : sampleIn(row, at + 2);
      const isClear = clear !== null && clear[0] === red && clear[1] === green && clear[2] === blue;
      const opacity = isClear ? 0 : hasOpacity ? toByte(sampleIn(row, at + channels - 1)) : OPAQUE;
      set(x, onWhite(toByte(red), opacity), onWhite(toByte(green), opacity), onWhite(toByte(blue), opacity));
    }
  };
}

function readSamples(depth: number): (row: Uint8Array, index: number) => number {
  if (depth === 8) return (row, index) => row[index] ?? 0;
  if (depth === 16) return (row, index) => ((row[index * 2] ?? 0) << 8) | (row[index * 2 + 1] ?? 0);
  const inByte = 8 / depth;
  const mask = (1 << depth) - 1;
  return (row, index) =>
    ((row[Math.floor(index / inByte)] ?? 0) >> (8 - depth * ((index % inByte) + 1))) & mask;
}

/** The one colour that is not there; null: all are. */
function findClear({ type, transparent }: PngColours, channels: number): number[] | null {
  if (!transparent || type === 4 || type === 6) return null;
  if (transparent.length < channels * 2) throw damaged();
  const values = Array.from({ length: channels }, (_, index) => transparent.readUInt16BE(index * 2));
  return channels === 1 ? [values[0] ?? 0, values[0] ?? 0, values[0] ?? 0] : values;
}
