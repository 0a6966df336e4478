import { expect, test } from 'vitest';
import { readInterval } from './read-interval.ts';

test.each([
  ['', null],
  ['  ', null],
  ['10', 10],
  [' 2.5 ', 2.5],
  ['0.5', 0.5],
  ['527040', 527_040],
])('%j is %j minutes', (typed, minutes) => {
  expect(readInterval(typed)).toEqual({ ok: true, value: minutes });
});

test.each(['0', '0.0', '-1', '1e3', '7,5', '.5', 'ten', '527041', 'Infinity', '0x10'])(
  '%j is refused',
  (typed) => {
    expect(readInterval(typed)).toEqual({ ok: false, refusal: 'not_an_interval' });
  },
);
