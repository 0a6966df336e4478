import { expect, test } from 'vitest';
import { describeProgress, openProgress } from './readings-progress.ts';

const openAt = (bar: { columns?: number; write(text: string): unknown } | null) => {
  const lines: string[] = [];
  let now = 0;
  const progress = openProgress(
    {
      clock: () => new Date(now),
      out: { stdout: () => {}, stderr: (line) => void lines.push(line) },
      bar,
    },
    { first: 0, all: 1000 },
  );
  const advance = (ms: number) => {
    now += ms;
  };
  return { progress, lines, advance };
};

test('share, readings, speed and what is left', () => {
  expect(describeProgress({ done: 600, all: 1000, readings: 400, seconds: 4, first: 200 })).toBe(
    '60 %, 400 readings, 100 readings/s, 0:04 left',
  );
  expect(describeProgress({ done: 1, all: 36_001, readings: 1, seconds: 1, first: 0 })).toBe(
    '0 %, 1 readings, 1 readings/s, 10:00:00 left',
  );
  expect(describeProgress({ done: 600, all: null, readings: 400, seconds: 0, first: 0 })).toBe(
    '400 readings, 0 readings/s',
  );
});

test('without a terminal there is a line every five seconds', () => {
  const { progress, lines, advance } = openAt(null);
  for (let second = 1; second <= 11; second += 1) {
    advance(1000);
    progress.update(second * 50, second);
  }
  expect(lines).toEqual([
    '25 %, 5 readings, 1 readings/s, 0:15 left',
    '50 %, 10 readings, 1 readings/s, 0:10 left',
  ]);
});

test('at a terminal the bar stays on one line, and other lines go above it', () => {
  const written: string[] = [];
  const { progress, lines, advance } = openAt({ columns: 40, write: (text) => written.push(text) });
  advance(1000);
  progress.update(500, 10);
  progress.update(510, 11);
  progress.say('line 3: refused');
  progress.end();
  expect(written).toEqual(['\r\u001b[K[############------------] 50 %, 10 rea', '\r\u001b[K']);
  expect(lines).toEqual(['line 3: refused']);
});
