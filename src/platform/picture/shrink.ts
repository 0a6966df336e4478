// Makes a picture smaller while it is read, so that nothing holds all of a large one.
import type { Picture, PictureSize, TakeRow } from './picture-fault.ts';

export interface Shrinking {
  takeRow: TakeRow;
  finish(): Picture;
}

const WHITE = 255;

/** To at most that many pixels a side; each is the mean of those it stands for. Rows that are missing stay white. */
export function shrink(from: PictureSize, mostASide: number): Shrinking {
  const scale = Math.min(1, mostASide / Math.max(from.width, from.height));
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  const pixels = new Uint8Array(width * height * 3).fill(WHITE);
  const columnOf = Uint32Array.from(
    { length: from.width },
    (_, x) => 3 * Math.floor((x * width) / from.width),
  );
  const sums = new Uint32Array(width * 3);
  const counts = new Uint32Array(width * 3);
  let taken = 0;

  const flush = (row: number) => {
    const at = row * width * 3;
    for (let index = 0; index < sums.length; index += 1)
      pixels[at + index] = (sums[index] as number) / (counts[index] as number);
    sums.fill(0);
    counts.fill(0);
  };

  return {
    takeRow(row) {
      if (taken >= from.height) return;
      for (let x = 0, at = 0; x < from.width; x += 1, at += 3) {
        const to = columnOf[x] as number;
        for (let channel = 0; channel < 3; channel += 1) {
          sums[to + channel] = (sums[to + channel] as number) + (row[at + channel] as number);
          counts[to + channel] = (counts[to + channel] as number) + 1;
        }
      }
      const own = Math.floor((taken * height) / from.height);
      taken += 1;
      if (taken === from.height || Math.floor((taken * height) / from.height) !== own) flush(own);
    },
    finish: () => ({ width, height, pixels }),
  };
}

export function shrinkPicture({ pixels, ...size }: Picture, mostASide: number): Picture {
  const { takeRow, finish } = shrink(size, mostASide);
  const length = size.width * 3;
  for (let y = 0; y < size.height; y += 1) takeRow(pixels.subarray(y * length, (y + 1) * length));
  return finish();
}
