import { expect, test } from 'vitest';
import { formatMinute, isRealTime, splitAtTimes } from './instant.ts';

const at = new Date('2026-11-15T02:00:00Z');

test.each([
  [`No data since ${formatMinute(at)}`, ['No data since ', at]],
  [`In downtime until ${formatMinute(at)}, planned by Ada`, ['In downtime until ', at, ', planned by Ada']],
  [`${formatMinute(at)}`, [at]],
  ['Temperature -55.2 °C is above', ['Temperature -55.2 °C is above']],
  ['', []],
])('%s comes apart at its times', (text, parts) => {
  expect(splitAtTimes(text)).toEqual(parts);
});

test.each([
  ['2026-02-28T23:59:59.999999Z', true],
  ['2026-02-31T00:00:00.000000Z', false],
  ['0000-01-01T00:00:00.000000Z', false],
  ['2026-11-19T24:00:00.000000Z', false],
  ['2026-11-19T25:00:00.000000Z', false],
])('%s is a real time: %s', (text, isReal) => expect(isRealTime(text)).toBe(isReal));
