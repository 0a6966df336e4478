import { expect, test } from 'vitest';
import { ADVICE_TEXTS } from '../advisor/words.ts';
import { english } from '../language/english.ts';
import { type Compiled, speak } from '../language/speak.ts';
import { sayAgain, write } from './written.ts';

const german = speak('de', {
  'Between {fromDay} and {toDay} {name} stayed between {low} and {high} for 99 % of the time ({readings} readings).':
    [
      { fact: 'name' },
      ' lag vom ',
      { fact: 'fromDay' },
      ' bis ',
      { fact: 'toDay' },
      ' zu 99 % zwischen ',
      { fact: 'low' },
      ' und ',
      { fact: 'high' },
    ] satisfies Compiled,
  '{place} once it lasts {span}: normal spikes beyond it are over sooner.': [
    { fact: 'place' },
    ' nach ',
    { fact: 'span' },
  ],
  'Critical above {limit}': ['Kritisch über ', { fact: 'limit' }],
  '{hours} h': [{ fact: 'hours' }, ' Std.'],
});

test.each([
  [
    'Between 3 Mar and 30 Nov Probe 2.5 and 3 stayed between −80.5 and −71.2 °C for 99 % of the time (40320 readings).',
    'Probe 2.5 and 3 lag vom 3. März bis 30. Nov. zu 99 % zwischen −80,5 und −71,2 °C',
  ],
  [
    'Critical above −60.5 °C once it lasts 2.5 h: normal spikes beyond it are over sooner.',
    'Kritisch über −60,5 °C nach 2,5 Std.',
  ],
  ['Whatever another program wrote, 2.5 of it.', 'Whatever another program wrote, 2.5 of it.'],
])('%s', (written, said) => {
  expect(sayAgain(written, ADVICE_TEXTS, german)).toBe(said);
  expect(sayAgain(written, ADVICE_TEXTS, english)).toBe(written);
});

test('what is written has plain signs', () =>
  expect(write('{name} at {value}', { name: 'Temperature', value: -2.5 })).toBe('Temperature at -2.5'));
