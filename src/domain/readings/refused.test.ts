import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { isWaiting, type Refused, said, sayRefused } from './refused.ts';

test.each<[Refused, string]>([
  [{ code: 'unknown_device' }, 'Unknown device'],
  [
    { code: 'not_remembered', most: 100 },
    'Unknown device, and not remembered yet: 100 new ones came within a minute',
  ],
  [{ code: 'too_old', limit: '10 years' }, 'Older than 10 years'],
  [{ code: 'not_finite', channel: 'temperature' }, 'values.temperature: not a finite number'],
  [{ code: 'bad_name', channel: 'x'.repeat(400) }, `values.${'x'.repeat(60)}…: not a channel name`],
  [
    { code: 'other_unit', channel: 'pressure', unit: 'psi', before: 'bar' },
    'values.pressure: comes in psi, and came in bar so far: an administrator has to agree, under Settings, Channels',
  ],
  [{ code: 'codec_says', text: 'too short' }, 'the codec says: too short'],
  [said('the series is cut off'), 'the series is cut off'],
])('%j', (refused, words) => expect(sayRefused(refused, english)).toBe(words));

test('who waits did nothing wrong', () => {
  expect([{ code: 'unknown_device' } as const, { code: 'archived' } as const].map(isWaiting)).toEqual([
    true,
    false,
  ]);
});
