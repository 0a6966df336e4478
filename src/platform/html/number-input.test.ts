import { expect, test } from 'vitest';
import { speak } from '../../domain/language/speak.ts';
import { numberInput } from './number-input.ts';

const [english, german] = [speak('en', {}), speak('de', {})];

const isTaken = (typed: string, language = english) =>
  new RegExp(`^(?:${numberInput(language, '').pattern})$`, 'v').test(typed);

test.each(['7', ' -7.5 ', '−80', '.5', '1e3', '1.500'])('%j is a number', (typed) =>
  expect(isTaken(typed)).toBe(true),
);

test.each(['7,5', '1.234.567', 'cold', '7 °C'])('%j is none', (typed) => expect(isTaken(typed)).toBe(false));

test.each(['7', '7,5', '-7.5', '−79,875', '1,500', '1234.567', '0.1'])(
  '%j is a number where decimals have a comma',
  (typed) => expect(isTaken(typed, german)).toBe(true),
);

test.each(['1.500', '-1.500', '12.500', '1.234,5'])(
  '%j may mean thousands there: it is asked for again',
  (typed) => expect(isTaken(typed, german)).toBe(false),
);

test.each([
  ['-79.875', '-79.875', '-79,875'],
  ['7', '7', '7'],
  ['', '', ''],
  ['cold', 'cold', 'cold'],
])('%j stands there as %j, and as %j', (value, plain, withComma) => {
  expect(numberInput(english, value).value).toBe(plain);
  expect(numberInput(german, value).value).toBe(withComma);
});
