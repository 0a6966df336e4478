import { describe, expect, test } from 'vitest';
import type { AccountId } from '../ids.ts';
import { LONGEST_NOTE, mayChangeNote, readNote } from './unit-note.ts';

const reader = { timezone: 'Europe/Berlin', now: new Date('2026-11-15T03:00:00Z') };

describe('a note', () => {
  test.each([
    ['2026-11-15 02:30', '2026-11-15T01:30:00.000Z'],
    ['2026-11-15T02:30', '2026-11-15T01:30:00.000Z'],
    [' 2026-11-14 ', '2026-11-13T23:00:00.000Z'],
    ['2026-11-15T02:30:00Z', '2026-11-15T02:30:00.000Z'],
    ['2026-11-15 04:00', '2026-11-15T03:00:00.000Z'],
  ])('at %s', (at, expected) => {
    const read = readNote({ at, text: ' Gasket\r\nchanged ' }, reader);
    expect(read).toEqual({ ok: true, value: { at: new Date(expected), text: 'Gasket\nchanged' } });
  });

  test.each([
    [{ text: ' \r\n' }, 'no_text'],
    [{ text: 'x'.repeat(LONGEST_NOTE + 1) }, 'text_too_long'],
    [{ at: 'yesterday' }, 'unparsable_moment'],
    [{ at: '' }, 'unparsable_moment'],
    [{ at: '2026-11-15 25:00' }, 'unparsable_moment'],
    [{ at: '2026-11-15 04:01' }, 'moment_to_come'],
  ] as const)('%j is refused', (typed, refusal) =>
    expect(readNote({ at: '2026-11-15 02:30', text: 'Gasket', ...typed }, reader)).toEqual({
      ok: false,
      refusal,
    }),
  );
});

test.each([
  ['viewer', 1, false],
  ['operator', 1, true],
  ['operator', 2, false],
  ['administrator', 2, true],
] as const)('%s %i may change the one of 1: %s', (role, accountId, expected) =>
  expect(mayChangeNote(role, { accountId: accountId as AccountId }, { authorId: 1 as AccountId })).toBe(
    expected,
  ),
);
