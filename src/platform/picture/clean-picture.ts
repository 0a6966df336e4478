// A picture from whoever knows where, made anew: only its pixels go on, at most so many, in a file that we write ourselves.

import { type Picture, PictureFault, type PictureSize } from './picture-fault.ts';
import { encodePng } from './png.ts';
import { isJpeg, readJpeg } from './read-jpeg.ts';
import { isPng, readPng } from './read-png.ts';
import { reduceColours } from './reduce-colours.ts';
import { shrink, shrinkPicture } from './shrink.ts';
import { turnUpright } from './turn.ts';

const MOST_A_SIDE = 2_000;
/** Photographs that stay larger are made smaller still. */
const SMALLER = [1_400, 1_000, 700];
const MOST_BYTES = 2 * 1024 * 1024;

export interface CleanPicture extends PictureSize {
  png: Buffer;
}

/** Throws a PictureFault. */
export async function cleanPicture(bytes: Buffer): Promise<CleanPicture> {
  let picture = await readPicture(bytes);
  for (const side of SMALLER) {
    const cleaned = write(picture);
    if (cleaned.png.length <= MOST_BYTES) return cleaned;
    picture = shrinkPicture(picture, side);
  }
  return write(picture);
}

function write(picture: Picture): CleanPicture {
  const { indexes, palette } = reduceColours(picture);
  const { width, height } = picture;
  return { width, height, png: encodePng(picture, indexes, palette) };
}

async function readPicture(bytes: Buffer): Promise<Picture> {
  let shrinking: ReturnType<typeof shrink> | null = null;
  const begin = (size: PictureSize) => {
    shrinking = shrink(size, MOST_A_SIDE);
    return shrinking.takeRow;
  };
  const finish = (): Picture => {
    if (!shrinking) throw new PictureFault('damaged');
    return shrinking.finish();
  };
  if (isPng(bytes)) {
    await readPng(bytes, begin);
    return finish();
  }
  if (!isJpeg(bytes)) throw new PictureFault('no_picture');
  const orientation = readJpeg(bytes, begin);
  return turnUpright(finish(), orientation);
}
