import type { Picture } from './picture-fault.ts';

/** As its camera was held: 1 to 8, as Exif numbers them. */
export function turnUpright({ width, height, pixels }: Picture, orientation: number): Picture {
  if (orientation < 2 || orientation > 8) return { width, height, pixels };
  const isOnSide = orientation >= 5;
  const turned = {
    width: isOnSide ? height : width,
    height: isOnSide ? width : height,
    pixels: new Uint8Array(pixels.length),
  };
  // Where a pixel of the picture that is made comes from.
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBelow = [3, 4, 6, 7].includes(orientation);
  for (let y = 0, to = 0; y < turned.height; y += 1)
    for (let x = 0; x < turned.width; x += 1, to += 3) {
      const [column, row] = isOnSide ? [y, x] : [x, y];
      const from =
        3 * ((fromBelow ? height - 1 - row : row) * width + (fromRight ? width - 1 - column : column));
      turned.pixels[to] = pixels[from] as number;
      turned.pixels[to + 1] = pixels[from + 1] as number;
      turned.pixels[to + 2] = pixels[from + 2] as number;
    }
  return turned;
}
