import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readText } from './backup-text.ts';

/** A text in pieces of these sizes, again and again. */
async function* inPieces(text: string, sizes: number[]): AsyncGenerator<Buffer> {
  let rest = Buffer.from(text);
  for (let turn = 0; rest.length > 0; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield rest.subarray(0, size);
    rest = rest.subarray(size);
  }
}

const collect = async (rows: AsyncIterable<Buffer>) => {
  const parts: Buffer[] = [];
  for await (const part of rows) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
};

// As COPY writes them: a backslash in a value is two.
const row = fc
  .string({ unit: fc.constantFrom('a', '.', '\\\\', '\t', '°', '\\N') })
  .map((text) => `${text}\n`);

test('rows come out as they went in, however they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row), { minLength: 1, maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      async (tables, sizes) => {
        const whole = tables.map((rows) => `mark\n${rows.join('')}\\.\n`).join('');
        const text = readText(inPieces(`${whole}-- {}\n`, sizes));
        for (const rows of tables) {
          expect(await text.line('mark')).toBe('');
          expect(await collect(text.rows())).toBe(rows.join(''));
        }
        expect(await text.line('-- ')).toBe('{}');
        await text.end();
      },
    ),
  );
});

test.each([
  ['another first line', 'something else\n', 'is not a backup of Tocsin'],
  ['no line at all', 'mark without an end', 'is not a backup of Tocsin'],
  ['only half of the mark', 'ma\n', 'is not a backup of Tocsin'],
])('%s', async (_, content, complaint) => {
  await expect(readText(inPieces(content, [3])).line('mark')).rejects.toThrow(complaint);
});

test('rows without an end, and text behind the end, are damage', async () => {
  const cut = readText(inPieces('mark\n1\n2\n\\.', [4]));
  await cut.line('mark');
  await expect(collect(cut.rows())).rejects.toThrow('is damaged');
  const more = readText(inPieces('mark\nmore', [4]));
  await more.line('mark');
  await expect(more.end()).rejects.toThrow('is damaged');
});
