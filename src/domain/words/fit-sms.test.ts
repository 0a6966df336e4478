import fc from 'fast-check';
import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { speak } from '../language/speak.ts';
import { LONGEST_NAME } from '../names.ts';
import { fitSms } from './fit-sms.ts';
import { countSeptets, toGsm7 } from './gsm7.ts';

const MOST_SEPTETS = 160;
const greek = speak('el', {});
const german = speak('de', {});
const LINK = 'https://tocsin.lab.example/acknowledge/abc';

test('what is too long is cut before its end, which stays whole', () => {
  const sms = fitSms('x'.repeat(300), LINK, english);
  expect(countSeptets(sms)).toBeLessThanOrEqual(MOST_SEPTETS);
  expect(sms).toMatch(/^x+\.\.\. https:\/\/tocsin\.lab\.example\/acknowledge\/abc$/);
});

test('any text with a short end fits, in characters that an SMS has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 60 }), (text, end) => {
      const sms = fitSms(text, end, english);
      expect(countSeptets(sms)).toBeLessThanOrEqual(MOST_SEPTETS);
      expect(toGsm7(sms)).toBe(sms);
    }),
  );
});

test.each([
  ['a language whose letters GSM-7 has', german, 'Kühlschrank 3: −61,2 °C', 'Kühlschrank 3: -61,2 C'],
  ['one whose letters it has not', greek, 'Καταψύκτης 3: −61,2 °C', 'Καταψύκτης 3: −61,2 °C'],
  ['accents count where they are read', speak('cs', {}), 'Mrazák Čeněk', 'Mrazák Čeněk'],
  ['and not in English', english, 'Freezer Čeněk', 'Freezer Cenek'],
])('%s', (_, language, text, sms) => expect(fitSms(text, '', language)).toBe(sms));

test('a name is never lost, in English neither', () => {
  const sms = fitSms('−61.2 °C', LINK, english, (said) => `CRITICAL 冷凍庫: ${said}`);
  expect(sms).toBe(`CRITICAL 冷凍庫: −61.2 °C ${LINK}`);
});

test('where a name with its place is too much for one SMS, the name alone is said', () => {
  const name = `Freezer ${'3'.repeat(82)}`;
  const write = (said: string) => `${name} (Room 101, second floor): ${said}`;
  const writeShorter = (said: string) => `${name}: ${said}`;
  const sms = fitSms('−61.2 °C (limit −65)', LINK, english, write, writeShorter);
  expect(sms).toBe(`${name}: -61.2 C (limit -65) ${LINK}`);
  expect(fitSms('−61.2 °C', '', english, write, writeShorter)).toBe(write('-61.2 C'));
});

test.each([
  ['70 characters for each SMS of one part, 67 of more', speak('uk', {}), 'Ж', 67, 67 * 3],
  ['153 where one of 160 does not take the name', german, 'ü', 153, 160],
])('the longest name is whole: %s', (_, language, letter, mostOfPart, usual) => {
  const name = letter.repeat(LONGEST_NAME);
  const write = (said: string) => `${name}: ${said}`;
  const sms = fitSms(letter.repeat(400), LINK, language, write);
  expect(sms.startsWith(`${name}: ${letter}`)).toBe(true);
  expect(sms).toMatch(/(…|\.\.\.) https:\S+abc$/);
  const parts = Math.ceil(sms.length / mostOfPart);
  expect((parts - 1) * mostOfPart).toBeLessThan(`${name}: … ${LINK}`.length + 2);
  // What is short stays in what is usual.
  expect(fitSms(letter.repeat(400), LINK, language, (said) => `X: ${said}`).length).toBeLessThanOrEqual(
    usual,
  );
});
