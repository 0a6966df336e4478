import { expect, test } from 'vitest';
import { judgePin } from './phone-pin.ts';

test.each(['4711', '0042', '1233', '90210', '198703', '13579024'])('%s may be chosen', (pin) => {
  expect(judgePin(pin)).toEqual({ ok: true, value: pin });
});

test.each(['', '471', '471147114', '47a1', ' 4711', '４７１１', '-4711', '47.11', '4711\n'])(
  '%j is no PIN',
  (typed) => {
    expect(judgePin(typed)).toMatchObject({ refusal: 'not_a_pin' });
  },
);

test.each([
  '0000',
  '77777777',
  '1234',
  '4321',
  '7890',
  '8901',
  '01234567',
  '98765432',
  '2109',
  '1212',
  '123123',
  '47114711',
  '2580',
  '1987',
  '2024',
])('%s is among the first that others would try', (typed) => {
  expect(judgePin(typed)).toMatchObject({ refusal: 'pin_too_obvious' });
});
