import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { drawQr } from './draw-qr.ts';

test('the path covers the dark modules and no others, inside a quiet border', () => {
  const text = 'https://tocsin.lab.example/services/2147483647';
  const { size, path } = drawQr(text);
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let at = Number(x); at < Number(x) + Number(length); at += 1)
      (drawn[Number(y)] as boolean[])[at] = true;
  expect(drawn).toEqual(encode(text, { ecc: 'M', border: 4 }).data);
  expect([...drawn.slice(0, 4), ...drawn.slice(-4)].flat()).not.toContain(true);
});
