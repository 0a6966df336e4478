import { expect, test } from 'vitest';
import { readByFormat } from './time-format.ts';

test.each([
  ['15.11.2026 2:59', 'dd.MM.yyyy HH:mm', '2026-11-15T02:59:00Z'],
  [' 20261115025930 ', 'yyyyMMddHHmmss', '2026-11-15T02:59:30Z'],
  ['am 5. (11) 2026?', 'am dd. (MM) yyyy?', '2026-11-05T00:00:00Z'],
  ['1/1/2026 and more', 'dd/MM/yyyy', null],
  ['1/1/26', 'dd/MM/yyyy', null],
  ['1/1', 'dd/MM/yyyy', null],
  ['//2026', 'dd/MM/yyyy', null],
  ['1.2.2026 1', 'dd.MM.yyyy dd', '2026-02-01T00:00:00Z'],
])('%s by %s', (text, format, iso) => expect(readByFormat(text, format)).toBe(iso));

test('a form with very many fields is read once from left to right', () => {
  expect(readByFormat(`${'1'.repeat(60)}x`, 'ss'.repeat(40))).toBe(null);
  expect(readByFormat('1'.repeat(60), 'ss'.repeat(100))).toBe(null);
});
