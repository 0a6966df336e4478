import { expect, test } from 'vitest';
import { openLog } from './log.ts';
import { MOST_WAITING_CHARACTERS, openLogOutput } from './log-output.ts';

/** Somebody who reads when told to. */
function openReader() {
  const read: string[] = [];
  const unread: { line: string; done: (error?: Error) => void }[] = [];
  return {
    read,
    unread,
    write: (line: string, done: (error?: Error) => void) => void unread.push({ line, done }),
    readAll() {
      for (let next = unread.shift(); next; next = unread.shift()) {
        read.push(next.line);
        next.done();
      }
    },
    goAway() {
      for (const { done } of unread.splice(0)) done(new Error('EPIPE'));
    },
  };
}

const charactersOf = (lines: { line: string }[]) => lines.reduce((sum, { line }) => sum + line.length, 0);

test('what waits for a reader is bounded; what does not fit is counted, and told once he has caught up', () => {
  const reader = openReader();
  const output = openLogOutput(reader.write);
  const log = openLog('info', output);
  const LINES = 10_000;
  for (let line = 0; line < LINES; line += 1) log.info({ text: 'x'.repeat(1000) }, 'a line');
  expect(charactersOf(reader.unread)).toBeLessThanOrEqual(MOST_WAITING_CHARACTERS);
  expect(output.dropped()).toBe(LINES - reader.unread.length);

  reader.readAll();
  expect(JSON.parse(reader.read.at(-1) ?? '')).toMatchObject({ level: 40, lines: output.dropped() });
  expect(reader.read).toHaveLength(LINES - output.dropped() + 1);
  log.info('another');
  reader.readAll();
  expect(JSON.parse(reader.read.at(-1) ?? '')).toMatchObject({ msg: 'another' });
});

test('lines that cannot be written count as dropped', () => {
  const reader = openReader();
  const output = openLogOutput(reader.write);
  output.write('a');
  output.write('b');
  reader.goAway();
  expect(output.dropped()).toBe(2);
});

test('flushing ends when all is read', async () => {
  const reader = openReader();
  const output = openLogOutput(reader.write);
  await output.flush();
  output.write('a');
  const flushed = output.flush();
  reader.readAll();
  await flushed;
});
