import { afterAll, describe, expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import {
  addLanguage,
  allLanguages,
  chooseLanguage,
  countMissing,
  languageFor,
  nameOfLanguage,
  replaceLanguages,
} from './languages.ts';

const before = allLanguages();
const made = addLanguage('nl', {
  '{count, plural, one {# day} other {# days}}': [
    {
      plural: 'count',
      offset: 0,
      ordinal: false,
      forms: { one: [{ fact: 'count' }, ' dag'], other: [{ fact: 'count' }, ' dagen'] },
    },
  ],
});
addLanguage('pt-BR', {});
afterAll(() => replaceLanguages(before));

describe('by what a browser asks for', () => {
  test.each([
    ['nl', 'nl'],
    ['nl-BE,nl;q=0.9,en;q=0.8', 'nl'],
    ['NL', 'nl'],
    ['pt-BR', 'pt-BR'],
    ['pt-br,en;q=0.5', 'pt-BR'],
    ['pt, en;q=0.5', 'en'],
    ['ja,en;q=0.5', 'en'],
    ['en;q=0.5, nl;q=0.9', 'nl'],
    ['nl;q=0, en', 'en'],
    ['*', null],
    ['', null],
    [undefined, null],
    [',;q=,;;=', null],
    [`${'x,'.repeat(5000)}nl`, null],
  ])('%j: %j', (header, tag) => expect(chooseLanguage(header)?.tag ?? null).toBe(tag));
});

test('the first that was chosen and that there is counts, else English', () => {
  expect(languageFor(null, 'tlh', 'nl')).toBe(made);
  expect(languageFor(null, 'tlh')).toBe(english);
  expect(allLanguages()).toContain(made);
});

test('a language is called as it calls itself', () => expect(nameOfLanguage(made)).toBe('Nederlands'));

test('what is not translated is said in English, with its facts, and counted', () => {
  const before = countMissing().get('nl') ?? 0;
  expect(made.say('{count, plural, one {# day} other {# days}}', { count: 2 })).toBe('2 dagen');
  expect(countMissing().get('nl') ?? 0).toBe(before);
  expect(made.say('{count, plural, one {# hour} other {# hours}}', { count: 1 })).toBe('1 hour');
  expect(countMissing().get('nl')).toBe(before + 1);
});
