import { expect, test } from 'vitest';
import { planDeparture } from './storm.ts';

const NOW = new Date('2026-11-15T03:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const CALM = null;

test.each([
  ['nothing waits, all is calm', CALM, null, 0, 'nothing', CALM],
  ['a message is held for two seconds', CALM, at(-1.9), 1, 'nothing', CALM],
  ['then it leaves', CALM, at(-2), 1, 'single letters', CALM],
  ['five leave each on its own', CALM, at(-2), 5, 'single letters', CALM],
  ['six are a storm', CALM, at(-2), 6, 'digest', at(30)],
  ['many that came a moment ago are held too', CALM, at(-1), 500, 'nothing', CALM],
  ['what joins a storm waits for its digest', at(1), at(-29), 40, 'nothing', at(1)],
  ['and leaves in it', at(0), at(-29), 40, 'digest', at(30)],
  ['even a single one, and even if it came a moment ago', at(0), at(-1), 1, 'digest', at(30)],
  ['a storm in which nothing joined is over', at(0), null, 0, 'nothing', CALM],
] as const)('%s', (_, nextDigestAt, oldestAt, messages, leaves, next) => {
  expect(planDeparture({ nextDigestAt, oldestAt, messages }, NOW)).toEqual({ leaves, nextDigestAt: next });
});
