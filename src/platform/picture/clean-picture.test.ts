import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JPEGS } from '../../../test/support/pictures.ts';
import { cleanPicture } from './clean-picture.ts';
import type { PictureFault } from './picture-fault.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

interface Drawn {
  width: number;
  height: number;
  depth?: number;
  type?: number;
  interlaced?: boolean;
}

const header = ({ width, height, depth = 8, type = 2, interlaced = false }: Drawn): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, type, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', data);
};

/** rows: as they are packed, each with its filter. */
const png = (drawn: Drawn, rows: Uint8Array, ...more: Buffer[]): Buffer =>
  Buffer.concat([
    SIGNATURE,
    header(drawn),
    ...more,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** What was written, as the colours of its pixels. */
function readBack(bytes: Buffer): { pixels: string[]; width: number; height: number; names: string[] } {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const head = chunks.get('IHDR') as Buffer;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const rows = inflateSync(chunks.get('IDAT') as Buffer);
  const palette = chunks.get('PLTE') as Buffer;
  const pixels = Array.from({ length: width * height }, (_, index) => {
    const entry = rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] as number;
    return palette.toString('hex', entry * 3, entry * 3 + 3);
  });
  return { pixels, width, height, names: [...chunks.keys()] };
}

const cleaned = async (bytes: Buffer) => readBack((await cleanPicture(bytes)).png);
const faultOf = (bytes: Buffer): Promise<string> =>
  cleanPicture(bytes).then(
    () => 'none',
    (fault: PictureFault) => fault.word,
  );

const COLOURS: [name: string, drawn: Partial<Drawn>, row: number[], more: Buffer[], expected: string[]][] = [
  ['colours', { type: 2 }, [255, 0, 0, 0, 255, 0], [], ['ff0000', '00ff00']],
  [
    'colours of 16 bits',
    { type: 2, depth: 16 },
    [255, 9, 0, 9, 0, 9, 0, 1, 255, 1, 0, 1],
    [],
    ['ff0000', '00ff00'],
  ],
  ['greys', { type: 0 }, [0, 128], [], ['000000', '808080']],
  ['greys of one bit', { type: 0, depth: 1 }, [0b01000000], [], ['000000', 'ffffff']],
  ['greys of four bits', { type: 0, depth: 4 }, [0x0f], [], ['000000', 'ffffff']],
  [
    'greys of 16 bits, one of them clear',
    { type: 0, depth: 16 },
    [0, 7, 0, 8],
    [chunk('tRNS', Buffer.from([0, 7]))],
    ['ffffff', '000000'],
  ],
  ['a palette', { type: 3 }, [1, 0], [chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6]))], ['040506', '010203']],
  [
    'a palette of two bits with a clear colour',
    { type: 3, depth: 2 },
    [0b01000000],
    [chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])), chunk('tRNS', Buffer.from([0]))],
    ['040506', 'ffffff'],
  ],
  ['greys with opacity', { type: 4 }, [0, 0, 0, 255], [], ['ffffff', '000000']],
  ['colours with opacity', { type: 6 }, [255, 0, 0, 255, 0, 0, 0, 127], [], ['ff0000', '808080']],
];

test.each(COLOURS)('PNG of %s', async (_name, drawn, row, more, expected) => {
  const size = { width: 2, height: 1, ...drawn };
  expect((await cleaned(png(size, Uint8Array.from([0, ...row]), ...more))).pixels).toEqual(expected);
});

test('each filter of a row is undone', async () => {
  const grey = { width: 3, height: 5, type: 0 };
  const rows = [0, 10, 20, 30, 1, 10, 10, 10, 2, 5, 5, 5, 3, 8, 0, 0, 4, 1, 1, 1];
  const { pixels } = await cleaned(png(grey, Uint8Array.from(rows)));
  expect(pixels.map((colour) => Number.parseInt(colour.slice(0, 2), 16))).toEqual([
    10, 20, 30, 10, 20, 30, 15, 25, 35, 15, 20, 27, 16, 21, 28,
  ]);
});

test('an interlaced picture is put together', async () => {
  const [width, height] = [9, 9];
  const grey = (x: number, y: number) => x * 20 + y;
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  const rows = passes.flatMap(([left = 0, top = 0, right = 1, down = 1]) => {
    const lines: number[] = [];
    for (let y = top; y < height; y += down) {
      if (left >= width) continue;
      lines.push(0);
      for (let x = left; x < width; x += right) lines.push(grey(x, y));
    }
    return lines;
  });
  const { pixels } = await cleaned(png({ width, height, type: 0, interlaced: true }, Uint8Array.from(rows)));
  expect(pixels.map((colour) => Number.parseInt(colour.slice(0, 2), 16))).toEqual(
    Array.from({ length: 81 }, (_, index) => grey(index % 9, Math.floor(index / 9))),
  );
});

const isNear = (colour: string, wanted: string): boolean =>
  [0, 2, 4].every(
    (at) =>
      Math.abs(
        Number.parseInt(colour.slice(at, at + 2), 16) - Number.parseInt(wanted.slice(at, at + 2), 16),
      ) < 24,
  );

describe('JPEG', () => {
  const file = (name: keyof typeof JPEGS) => Buffer.from(JPEGS[name], 'base64');

  test.each(['baseline', 'fullColour', 'progressive', 'progressiveRestarts', 'restarts'] as const)(
    '%s',
    async (name) => {
      const { pixels, width, height } = await cleaned(file(name));
      expect([width, height]).toEqual([40, 24]);
      const at = (x: number, y: number) => pixels[y * 40 + x] as string;
      expect(
        [at(4, 4), at(20, 12), at(36, 4), at(36, 20)].map((one, index) =>
          isNear(one, ['c80000', 'ffffff', '0000c8', '000000'][index] as string),
        ),
      ).toEqual([true, true, true, true]);
    },
  );

  test('greys', async () => {
    const { pixels } = await cleaned(file('grey'));
    expect(isNear(pixels[20] as string, 'ffffff')).toBe(true);
    expect(isNear(pixels[40 * 20 + 36] as string, '000000')).toBe(true);
  });

  test('one that was held sideways stands upright, and nothing else that its camera said is kept', async () => {
    const { png: written } = await cleanPicture(file('held'));
    const { pixels, width, height, names } = readBack(written);
    expect([width, height]).toEqual([24, 40]);
    // What was on the left is above.
    expect(isNear(pixels[12] as string, 'c80000')).toBe(true);
    expect(isNear(pixels[24 * 38 + 20] as string, '0000c8')).toBe(true);
    expect(names).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    expect(written.includes('secret')).toBe(false);
  });

  test('colours for printing are refused by their name', async () => {
    expect(await faultOf(file('print'))).toBe('unsupported');
  });

  test('one that is cut off anywhere is damaged', async () => {
    const whole = file('progressive');
    for (let length = 4; length < whole.length; length += 7)
      expect(await faultOf(whole.subarray(0, length))).toBe('damaged');
  });

  test('an arithmetic, a lossless and a twelve bit one are not read', async () => {
    const whole = file('baseline');
    const frame = whole.indexOf(Buffer.from([0xff, 0xc0]));
    for (const [offset, value] of [
      [1, 0xc9],
      [1, 0xc3],
      [4, 12],
    ] as const) {
      const other = Buffer.from(whole);
      other[frame + offset] = value;
      expect(await faultOf(other)).toBe('unsupported');
    }
    const huge = Buffer.from(whole);
    huge.writeUInt16BE(65_535, frame + 5);
    huge.writeUInt16BE(65_535, frame + 7);
    expect(await faultOf(huge)).toBe('too_many_pixels');
  });
});

describe('what was made to hurt', () => {
  const white = (width: number, height: number) =>
    Buffer.alloc((width * 3 + 1) * height, 255).map((value, index) =>
      index % (width * 3 + 1) === 0 ? 0 : value,
    );

  test.each([
    ['SVG that is called a picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a page', Buffer.from('<!doctype html><script>1</script>')],
    ['nothing', Buffer.alloc(0)],
    ['GIF', Buffer.from('GIF89a')],
  ])('%s is no picture', async (_name, bytes) => expect(await faultOf(bytes)).toBe('no_picture'));

  test.each([
    [65_535, 65_535],
    [5_000, 5_000],
    [2 ** 31, 1],
    [20_001, 1],
  ])('%d × %d pixels are refused by their header', async (width, height) => {
    expect(await faultOf(png({ width, height }, Buffer.alloc(10)))).toBe('too_many_pixels');
  });

  test('what is packed beyond the picture is not unpacked', async () => {
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024), {
      level: 9,
      strategy: constants.Z_DEFAULT_STRATEGY,
    });
    const file = Buffer.concat([
      SIGNATURE,
      header({ width: 4, height: 4 }),
      chunk('IDAT', bomb),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    const before = process.memoryUsage().rss;
    expect((await cleaned(file)).pixels).toHaveLength(16);
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  test('a wrong checksum, a missing end and too few rows are damages', async () => {
    const whole = png({ width: 4, height: 4 }, white(4, 4));
    const wrong = Buffer.from(whole);
    wrong[whole.length - 20] = (wrong[whole.length - 20] as number) ^ 1;
    expect(await faultOf(wrong)).toBe('damaged');
    expect(await faultOf(whole.subarray(0, whole.length - 12))).toBe('damaged');
    expect(await faultOf(png({ width: 4, height: 5 }, white(4, 4)))).toBe('damaged');
    expect(await faultOf(png({ width: 4, height: 4, type: 3 }, white(4, 4)))).toBe('damaged');
    expect(await faultOf(png({ width: 4, height: 4 }, white(4, 4), chunk('IHDR', Buffer.alloc(13))))).toBe(
      'damaged',
    );
    expect(await faultOf(png({ width: 4, height: 4 }, white(4, 4), chunk('ABCD', Buffer.alloc(1))))).toBe(
      'unsupported',
    );
  });

  test('nothing that stands beside the pixels goes on', async () => {
    const text = chunk('tEXt', Buffer.from('Comment\0<script>secret</script>'));
    const polyglot = Buffer.concat([
      png({ width: 4, height: 4 }, white(4, 4), text),
      Buffer.from('<script>secret</script>PK\x03\x04'),
    ]);
    const { png: written } = await cleanPicture(polyglot);
    expect(written.includes('secret')).toBe(false);
    expect(readBack(written).names).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  });

  test('whatever bytes come, they are read or refused in words', async () => {
    const seeds = [
      png({ width: 4, height: 4 }, white(4, 4)),
      ...Object.values(JPEGS).map((text) => Buffer.from(text, 'base64')),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (seed, changes) => {
          const bytes = Buffer.from(seed);
          for (const [at, value] of changes) bytes[8 + (at % (bytes.length - 8))] = value;
          expect(['none', 'no_picture', 'too_many_pixels', 'damaged', 'unsupported']).toContain(
            await faultOf(bytes),
          );
        },
      ),
      { numRuns: 400 },
    );
  }, 60_000);
});

test('a large picture is made smaller, one of many colours is drawn in 256', async () => {
  const [width, height] = [3000, 40];
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows.set([x % 256, (y * 6) % 256, (x >> 4) % 256], y * (width * 3 + 1) + 1 + 3 * x);
  const { pixels, width: made } = await cleaned(png({ width, height }, rows));
  expect(made).toBe(2000);
  expect(new Set(pixels).size).toBeLessThanOrEqual(256);
  expect(new Set(pixels).size).toBeGreaterThan(200);
});
