import { expect, test } from 'vitest';
import { readRange } from './chart-range.ts';

const given = {
  now: new Date('2026-11-15T03:00:00Z'),
  timeZone: 'Europe/Berlin',
  unlessGiven: '24h' as const,
};
const spell = (query: Record<string, string>) => {
  const range = readRange(query, given);
  if (!range.ok) return range.refusal;
  const { from, to, name } = range.value;
  return `${from.toISOString()} ${to.toISOString()} ${name}`;
};

test.each([
  [{}, '2026-11-14T03:00:00.000Z 2026-11-15T03:00:00.000Z 24h'],
  [{ range: '1h' }, '2026-11-15T02:00:00.000Z 2026-11-15T03:00:00.000Z 1h'],
  [{ range: 'constructor' }, '2026-11-14T03:00:00.000Z 2026-11-15T03:00:00.000Z 24h'],
  [{ from: '2026-11-14' }, '2026-11-13T23:00:00.000Z 2026-11-15T03:00:00.000Z null'],
  [
    { from: '2026-11-14T10:00Z', to: '2026-11-14T12:00+01:00' },
    '2026-11-14T10:00:00.000Z 2026-11-14T11:00:00.000Z null',
  ],
  [{ to: '2026-11-01T00:00Z' }, '2026-10-31T00:00:00.000Z 2026-11-01T00:00:00.000Z null'],
  [{ from: '', to: '' }, '2026-11-14T03:00:00.000Z 2026-11-15T03:00:00.000Z 24h'],
  [{ from: 'yesterday' }, 'unparsable_from'],
  [{ from: '2026-11-14', to: '2026-02-30' }, 'unparsable_to'],
  [{ from: '2026-11-14', to: '2026-11-14' }, 'from_not_before_to'],
])('%j', (query, expected) => expect(spell(query as Record<string, string>)).toBe(expected));
