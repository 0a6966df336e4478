// A picture in at most 256 colours: exactly, where it has no more; else those that stand for most of it (median cut).
import type { Picture } from './picture-fault.ts';

const MOST_COLOURS = 256;
/** Colours are told apart by so many bits of red, green and blue. */
const BITS = 5;
const BINS = 1 << (3 * BITS);

export interface Reduced {
  /** One byte a pixel: an entry of the palette. */
  indexes: Uint8Array;
  /** Three bytes a colour, red first. */
  palette: Uint8Array;
}

export const reduceColours = (picture: Picture): Reduced => findExactly(picture) ?? cutColours(picture);

/** null: there are more. */
function findExactly({ pixels }: Picture): Reduced | null {
  const known = new Map<number, number>();
  const indexes = new Uint8Array(pixels.length / 3);
  for (let at = 0, to = 0; at < pixels.length; at += 3, to += 1) {
    const colour =
      ((pixels[at] as number) << 16) | ((pixels[at + 1] as number) << 8) | (pixels[at + 2] as number);
    let index = known.get(colour);
    if (index === undefined) {
      if (known.size === MOST_COLOURS) return null;
      index = known.size;
      known.set(colour, index);
    }
    indexes[to] = index;
  }
  return {
    indexes,
    palette: Uint8Array.from(
      [...known.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
    ),
  };
}

const binOf = (red: number, green: number, blue: number): number =>
  ((red >> 3) << (2 * BITS)) | ((green >> 3) << BITS) | (blue >> 3);

/** Of a bin: 0 is red, 1 green, 2 blue. */
const partOf = (bin: number, channel: number): number => (bin >> ((2 - channel) * BITS)) & ((1 << BITS) - 1);

interface Box {
  bins: number[];
  pixels: number;
  /** Along which it is longest. */
  channel: number;
  length: number;
}

function cutColours({ pixels }: Picture): Reduced {
  const counts = new Uint32Array(BINS);
  const sums = [new Float64Array(BINS), new Float64Array(BINS), new Float64Array(BINS)] as const;
  const binAt = new Uint16Array(pixels.length / 3);
  for (let at = 0, to = 0; at < pixels.length; at += 3, to += 1) {
    const bin = binOf(pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number);
    binAt[to] = bin;
    counts[bin] = (counts[bin] as number) + 1;
    for (const [channel, sum] of sums.entries())
      sum[bin] = (sum[bin] as number) + (pixels[at + channel] as number);
  }
  const boxes = cutBoxes(counts);
  const palette = new Uint8Array(boxes.length * 3);
  const indexOf = new Uint8Array(BINS);
  for (const [index, { bins, pixels: all }] of boxes.entries()) {
    for (const [channel, sum] of sums.entries())
      palette[index * 3 + channel] = Math.round(
        bins.reduce((total, bin) => total + (sum[bin] as number), 0) / all,
      );
    for (const bin of bins) indexOf[bin] = index;
  }
  const indexes = new Uint8Array(binAt.length);
  for (const [at, bin] of binAt.entries()) indexes[at] = indexOf[bin] as number;
  return { indexes, palette };
}

function cutBoxes(counts: Uint32Array): Box[] {
  const measure = (bins: number[]): Box => {
    const pixels = bins.reduce((sum, bin) => sum + (counts[bin] as number), 0);
    const lengths = [0, 1, 2].map((channel) => {
      let [least, most] = [BINS, 0];
      for (const bin of bins) {
        const part = partOf(bin, channel);
        least = Math.min(least, part);
        most = Math.max(most, part);
      }
      return most - least;
    });
    const length = Math.max(...lengths);
    return { bins, pixels, channel: lengths.indexOf(length), length };
  };
  const used = [...counts.keys()].filter((bin) => (counts[bin] as number) > 0);
  const boxes = [measure(used)];
  while (boxes.length < MOST_COLOURS) {
    const weights = boxes.map(({ pixels, length }) => (length === 0 ? 0 : Math.sqrt(pixels) * length));
    const heaviest = Math.max(...weights);
    if (heaviest === 0) return boxes;
    const at = weights.indexOf(heaviest);
    const [one, other] = cutBox(boxes[at] as Box, counts);
    boxes.splice(at, 1, measure(one), measure(other));
  }
  return boxes;
}

/** Where half of its pixels lie on either side. */
function cutBox({ bins, pixels, channel }: Box, counts: Uint32Array): [number[], number[]] {
  const sorted = bins.toSorted((one, other) => partOf(one, channel) - partOf(other, channel));
  let before = 0;
  let cut = 0;
  while (cut < sorted.length - 1 && (cut === 0 || before < pixels / 2)) {
    before += counts[sorted[cut] as number] as number;
    cut += 1;
  }
  return [sorted.slice(0, cut), sorted.slice(cut)];
}
