import { expect, test } from 'vitest';
import { writeMoment } from './pin-note.ts';

test.each([
  ['2026-11-15T00:05:00Z', 'UTC', '2026-11-15 00:05'],
  ['2026-11-15T23:30:00Z', 'Europe/Berlin', '2026-11-16 00:30'],
  ['2026-07-01T12:00:59Z', 'America/New_York', '2026-07-01 08:00'],
])('%s in %s is %s', (at, zone, expected) => expect(writeMoment(Date.parse(at), zone)).toBe(expected));
