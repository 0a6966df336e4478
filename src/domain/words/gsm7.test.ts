import { expect, test } from 'vitest';
import { toGsm7 } from './gsm7.ts';

test.each([
  ['CRITICAL Freezer 3, Room 101: −61.2 °C (limit −65)', 'CRITICAL Freezer 3, Room 101: -61.2 C (limit -65)'],
  ['Kühlschrank „Süd“ 4 µm², 30 €', 'Kühlschrank "Süd" 4 um2, 30 €'],
  ['Łódź, Čeněk', '?odz, Cenek'],
  ['冷凍庫', '???'],
])('%s becomes %s', (text, expected) => {
  expect(toGsm7(text)).toBe(expected);
});
