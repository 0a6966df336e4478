// The catalogues of `languages/`: English is what the sources say, and a translation says the same facts.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { extract, findMessages } from '../bin/extract-messages.mjs';
import {
  compile,
  compileTranslations,
  type Entries,
  isOffered,
  listTranslations,
  readCatalogue,
} from '../bin/languages.mjs';
import type { Compiled, MessagePart } from '../src/domain/language/speak.ts';

/** 2,500 texts take 40 KB. */
const MOST_BYTES_A_TEXT = 16.2;

const english = readCatalogue('en.json');

test('`languages/en.json` has what the sources say: else `npm run words`', () =>
  expect(english).toEqual(extract()));

test('a message is found with its context and the note above it', () => {
  const source = `
    // For translators: {door} is its name.
    say('{door} is open', { door });
    sayAs('of a shop', 'open');
    sayWith(language, isNew ? 'Make <a>one</a>' : 'Change <a>it</a>', parts);
    say(found);`;
  expect(findMessages('some.ts', source)).toEqual([
    { message: '{door} is open', context: undefined, note: '{door} is its name.' },
    { message: 'open', context: 'of a shop', note: undefined },
    { message: 'Make <a>one</a>', context: undefined, note: undefined },
    { message: 'Change <a>it</a>', context: undefined, note: undefined },
  ]);
});

describe('a language is offered', () => {
  const all: Entries = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`id${index}`, { defaultMessage: `Text ${index}` }]),
  );
  all.id7 = { defaultMessage: 'Alarm', description: 'The title of the list' };
  const without = (...ids: string[]): Entries =>
    Object.fromEntries(
      Object.entries(all).map(([id, one]) => [id, ids.includes(id) ? { defaultMessage: '' } : one]),
    );
  test.each([
    ['when it is complete', [], true],
    ['when 95 of 100 texts are there', ['id1', 'id2', 'id3', 'id4', 'id5'], true],
    ['not with fewer', ['id1', 'id2', 'id3', 'id4', 'id5', 'id6'], false],
    ['not while a text lacks that has a note', ['id7'], false],
  ])('%s', (_, lacking, offered) => expect(isOffered(all, without(...lacking))).toBe(offered));
});

/** The names of facts and tags in a message, and for each choice by number the forms that it has. */
function read(message: Compiled) {
  const names = new Set<string>();
  const plurals: string[][] = [];
  const visit = (piece: MessagePart): void => {
    if (typeof piece === 'string') return;
    if ('fact' in piece) names.add(piece.fact);
    else if ('tag' in piece) {
      names.add(`<${piece.tag}>`);
      piece.inside.forEach(visit);
    } else {
      const counted = 'plural' in piece;
      names.add(counted ? piece.plural : `${piece.select}: ${Object.keys(piece.forms).sort().join()}`);
      if (counted && !piece.ordinal) plurals.push(Object.keys(piece.forms));
      for (const form of Object.values(piece.forms)) form.forEach(visit);
    }
  };
  if (typeof message !== 'string') message.forEach(visit);
  return { names: [...names].sort(), plurals };
}

describe.each(listTranslations())('%s', (tag) => {
  const translations = readCatalogue(`${tag}.json`);
  const both = Object.entries(english).flatMap(([id, { defaultMessage }]) => {
    const translated = translations[id]?.defaultMessage;
    return translated ? [{ id, english: defaultMessage, translated }] : [];
  });

  test('is complete', () =>
    expect(Object.keys(english).filter((id) => !translations[id]?.defaultMessage)).toEqual([]));

  test('is offered', () => expect(isOffered(english, translations)).toBe(true));

  test('has nothing that English has not: else `npm run words`', () =>
    expect(Object.keys(translations).filter((id) => !english[id])).toEqual([]));

  test('says the same facts, with the same links', () => {
    const said = both.map((one) => ({ id: one.id, names: read(compile(one.translated)).names }));
    expect(said).toEqual(both.map((one) => ({ id: one.id, names: read(compile(one.english)).names })));
  });

  test('has a form for each number', () => {
    const forms = new Intl.PluralRules(tag)
      .resolvedOptions()
      .pluralCategories.filter((form) => form !== 'many');
    const lacking = both.filter(({ translated }) =>
      read(compile(translated)).plurals.some((plural) =>
        forms.some((form) => !plural.includes(form) && !(form === 'one' && plural.includes('=1'))),
      ),
    );
    expect(lacking).toEqual([]);
  });

  test('begins and ends with spaces where English does', () => {
    const edges = (text: string) => [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
    expect(both.filter((one) => edges(one.english).join('|') !== edges(one.translated).join('|'))).toEqual(
      [],
    );
  });

  test(`is no more than ${MOST_BYTES_A_TEXT} bytes a text to load`, () => {
    const size = gzipSync(JSON.stringify(compileTranslations(english, translations))).length;
    expect(size / Object.keys(english).length).toBeLessThanOrEqual(MOST_BYTES_A_TEXT);
  });
});
