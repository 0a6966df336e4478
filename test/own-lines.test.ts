import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { keepOwnLines } from '../bin/own-lines.mjs';

const root = resolve(import.meta.dirname, '..');

/** A part of the program with a library in it. */
async function bundle() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/domain/quiet-times/series.ts'],
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'node',
    sourcemap: true,
    sourcesContent: false,
    minifyWhitespace: true,
    write: false,
  });
  const read = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { lines: read('.js').split('\n'), whole: JSON.parse(read('.js.map')) };
}

test('a map leads from each place of ours to its line, from libraries nowhere, and is a fraction of the whole', async () => {
  const { lines, whole } = await bundle();
  const own = keepOwnLines(whole);
  expect(own.mappings.length).toBeLessThan(whole.mappings.length / 4);
  const [before, after] = [new SourceMap(whole), new SourceMap(own)];
  const seen = { ours: 0, libraries: 0 };
  const wrong: unknown[] = [];
  for (const [line, text] of lines.entries())
    for (let column = 0; column < text.length; column += 7) {
      const [said, says] = [before.findEntry(line, column), after.findEntry(line, column)];
      if (!('originalSource' in said) || said.originalSource === undefined) continue;
      const isOurs = !said.originalSource.includes('node_modules/');
      seen[isOurs ? 'ours' : 'libraries'] += 1;
      const place = 'originalSource' in says ? [says.originalSource, says.originalLine] : [undefined];
      const expected = isOurs ? [said.originalSource, said.originalLine] : [undefined];
      if (place[0] !== expected[0] || (isOurs && place[1] !== expected[1])) wrong.push({ said, says });
    }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(Math.min(seen.ours, seen.libraries)).toBeGreaterThan(300);
});
