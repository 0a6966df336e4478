import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import type { Compiled, MessagePart } from '../../domain/language/speak.ts';
import { CONTEXT_END, speak } from '../../domain/language/speak.ts';
import { Spoken, sayWith, useLanguage } from './language.tsx';

const pieces: readonly MessagePart[] = ['Sagt ', { fact: 'name' }, ': ', { tag: 'a', inside: ['öffnen'] }];
const german = speak('de', {
  '{name} says: <a>open</a>': pieces satisfies Compiled,
  [`of a door${CONTEXT_END}open`]: 'offen',
});

const View = () => {
  const language = useLanguage();
  return (
    <p title={language.sayAs('of a door', 'open')}>
      {sayWith(language, '{name} says: <a>open</a>', {
        name: '<Ada>',
        a: (inside) => <a href="/">{inside}</a>,
      })}
    </p>
  );
};

test('a sentence with a link is said in the language of the page, escaped', () => {
  expect(
    renderToString(
      <Spoken.Provider value={german}>
        <View />
      </Spoken.Provider>,
    ),
  ).toBe('<p title="offen">Sagt &lt;Ada>: <a href="/">öffnen</a></p>');
});

test('numbers are written as people of the language write them', () => {
  expect([
    english.number(-79.84),
    german.number(-79.84),
    german.number(-0.0001),
    german.number(1e21),
  ]).toEqual(['−79.84', '−79,84', '0', '1e+21']);
});
