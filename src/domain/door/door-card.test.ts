import { describe, expect, test } from 'vitest';
import { fieldsOf, orderParts, waitUntil } from './door-card.ts';

const NOW = new Date('2026-03-01T03:12:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const none = { lastAt: null, fromAddress: 0, firstFromAddressAt: null };

describe('what it shows', () => {
  test('words in any order, twice or unknown, become parts in one order', () => {
    expect(orderParts(['phones', 'names', 'phones', 'password'])).toEqual(['names', 'phones']);
    expect(fieldsOf(['names', 'what_to_do', 'phones'])).toEqual(['whatToDo', 'phones']);
  });
});

describe('how often', () => {
  test.each([
    ['nobody has yet', none, null],
    ['somebody just did', { ...none, lastAt: ago(1) }, { until: ago(-4), of: 'unit' }],
    ['five minutes are over', { ...none, lastAt: ago(5) }, null],
    ['nine from one address', { lastAt: null, fromAddress: 9, firstFromAddressAt: ago(30) }, null],
    [
      'ten from one address',
      { lastAt: null, fromAddress: 10, firstFromAddressAt: ago(30) },
      { until: ago(-30), of: 'address' },
    ],
  ] as const)('%s', (_name, arrivals, expected) => {
    expect(waitUntil(arrivals, NOW)).toEqual(expected);
  });
});
