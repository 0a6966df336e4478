import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createCanvas } from './canvas.ts';
import { canWrite, measureText, writeText } from './stroke-font.ts';

/** Reads a picture back, pixel by pixel, as `rrggbb`. */
function readPng(png: Buffer): { width: number; height: number; at(x: number, y: number): string } {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [width = 0, height = 0] = [0, 4].map((at) => chunks.get('IHDR')?.readUInt32BE(at) ?? 0);
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0);
  expect(rows).toHaveLength((width + 1) * height);
  return {
    width,
    height,
    at: (x, y) => {
      const entry = rows[y * (width + 1) + 1 + x] ?? 0;
      return palette.subarray(entry * 3, entry * 3 + 3).toString('hex');
    },
  };
}

const WHITE = 0xffffff;

test('a line covers what lies under it, fades at its rim, and leaves the rest alone', () => {
  const canvas = createCanvas(20, 12, WHITE);
  canvas.stroke(
    [
      [4, 6],
      [16, 6],
    ],
    3,
    0xff0000,
  );
  const picture = readPng(canvas.png());
  expect(picture).toMatchObject({ width: 20, height: 12 });
  expect(picture.at(10, 6)).toBe('ff0000');
  expect(picture.at(10, 2)).toBe('ffffff');
  expect(picture.at(10, 7)).toBe('ff8080');
});

test('where the segments of one line meet nothing is painted twice', () => {
  const canvas = createCanvas(20, 20, WHITE);
  canvas.stroke(
    [
      [4, 10],
      [10, 10],
      [16, 10],
    ],
    2,
    0,
  );
  const picture = readPng(canvas.png());
  expect(picture.at(10, 8)).toBe(picture.at(7, 8));
});

test('what lies outside is left out', () => {
  const canvas = createCanvas(4, 4, WHITE);
  canvas.fill(0x00ff00, -5, 2, 99, 99);
  canvas.stroke(
    [
      [-50, -50],
      [-20, 90],
    ],
    2,
    0,
  );
  const picture = readPng(canvas.png());
  expect([picture.at(0, 1), picture.at(3, 3)]).toEqual(['ffffff', '00ff00']);
});

test('more colours than a palette holds are replaced by the nearest', () => {
  const canvas = createCanvas(400, 1, WHITE);
  for (let x = 0; x < 400; x++) canvas.fill(x * 0x000020, x, 0, x + 1, 1);
  const picture = readPng(canvas.png());
  expect(picture.at(100, 0)).toBe((100 * 0x20).toString(16).padStart(6, '0'));
  expect(picture.at(399, 0)).toMatch(/^00(1|2|3)/);
});

test('numbers and units can be written, and longer texts are wider', () => {
  expect(canWrite('−80.5 °C')).toBe(true);
  expect(canWrite('1e-7')).toBe(true);
  expect(canWrite('abcdefghijklmnopqrstuvwxyz')).toBe(true);
  expect(canWrite('µmol')).toBe(false);
  expect(measureText('−80.5', 10)).toBeGreaterThan(measureText('−80', 10));
  const [[start] = []] = writeText('7', 12, [100, 50]);
  expect(start).toEqual([100, 44]);
});
