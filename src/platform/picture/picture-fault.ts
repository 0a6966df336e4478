/** Why a picture cannot be taken in. */
export type PictureFaultWord = 'no_picture' | 'too_many_pixels' | 'damaged' | 'unsupported';

export class PictureFault extends Error {
  constructor(readonly word: PictureFaultWord) {
    super(word);
  }
}

/** Said where what is read does not fit together. */
export const damaged = (): PictureFault => new PictureFault('damaged');

export interface PictureSize {
  width: number;
  height: number;
}

/** Larger ones are refused by their header, before anything of them is unpacked. */
const MOST_PIXELS = 24_000_000;
const LONGEST_SIDE = 20_000;

export function checkSize({ width, height }: PictureSize): void {
  if (width < 1 || height < 1) throw damaged();
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS)
    throw new PictureFault('too_many_pixels');
}

/** Three bytes a pixel, red first; rows from the top. */
export interface Picture extends PictureSize {
  pixels: Uint8Array;
}

/** Takes one row after the other. What it is given is used again. */
export type TakeRow = (row: Uint8Array) => void;
