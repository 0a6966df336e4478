import { expect, test } from 'vitest';
import { formatMinute, splitAtTimes } from './instant.ts';

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
