import { expect, test } from 'vitest';
import { findNextAsk, GATHER_MS, POLL_MS } from './next-ask.ts';

const part = (renewIn: string | null, every: string | null = null) => ({ renewIn, every });

test.each<[sentence: string, parts: ReturnType<typeof part>[], ms: number]>([
  ['a page that says nothing is asked for every minute', [part(null)], POLL_MS],
  ['one that changes with the clock, when it does', [part('4000')], 4_000],
  ['one that is to be renewed often, so often', [part(null, '15')], 15_000],
  ['of several the first counts', [part('9000', '15'), part('4000'), part(null, '2')], 2_000],
  ['what changes in an hour waits no longer than all others', [part('3600000')], POLL_MS],
  ['what has changed already is asked for with what comes in the same burst', [part('-5')], GATHER_MS],
])('%s', (_, parts, ms) => expect(findNextAsk(parts)).toBe(ms));
