// Writes PNG files (W3C PNG specification): one byte a pixel, an entry of a palette.
import { constants, crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_PER_PIXEL = 8;
const IS_PALETTE = 3;

/** `palette` holds three bytes a colour, red first. */
export function encodePng(
  { width, height }: { width: number; height: number },
  pixels: Uint8Array,
  palette: Uint8Array,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS_PER_PIXEL, IS_PALETTE], 8);

  // Each row begins with its filter; 0 leaves it as it is, best for palettes.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);

  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    // Looking for runs alone costs a few kilobytes and saves half the time.
    chunk('IDAT', deflateSync(rows, { level: 6, strategy: constants.Z_RLE })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
