import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSeptets, fitSms, MOST_SEPTETS, toGsm7 } from './gsm7.ts';

test.each([
  ['CRITICAL Freezer 3, Room 101: −61.2 °C (limit −65)', 'CRITICAL Freezer 3, Room 101: -61.2 C (limit -65)'],
  ['Kühlschrank „Süd“ 4 µm², 30 €', 'Kühlschrank ?Süd" 4 um2, 30 €'],
  ['Łódź, Čeněk', '?odz, Cenek'],
  ['冷凍庫', '???'],
])('%s becomes %s', (text, expected) => {
  expect(toGsm7(text)).toBe(expected);
});

test('what is too long is cut before its end, which stays whole', () => {
  const sms = fitSms('x'.repeat(300), 'https://tocsin.lab.example/acknowledge/abc');
  expect(countSeptets(sms)).toBeLessThanOrEqual(MOST_SEPTETS);
  expect(sms).toMatch(/^x+\.\.\. https:\/\/tocsin\.lab\.example\/acknowledge\/abc$/);
});

test('any text with a short end fits, in characters that an SMS has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 60 }), (text, end) => {
      const sms = fitSms(text, end);
      expect(countSeptets(sms)).toBeLessThanOrEqual(MOST_SEPTETS);
      expect(toGsm7(sms)).toBe(sms);
    }),
  );
});
