// A program of its own that is watched, and then does as it is told: the first argument says what, the second where the
// watcher's thread is.
import { BEAT_MS } from '../../src/platform/process/standstill.ts';
import { watchStandstill } from '../../src/platform/process/watch-standstill.ts';

const [, , deed, file = ''] = process.argv;
const stillTicks = 4;
watchStandstill({ file, stillTicks, isLogged: true, wordsFd: null });

const DEEDS: Record<string, () => void> = {
  loop: function loopForever() {
    for (;;);
  },
  // One of the kind that the suite finds in the source, and would find here.
  expression: function matchForever() {
    /^(a+)+$/.test(`${'a'.repeat(60)}b`);
  },
  // Most of the time away, but never for so long.
  work: function workOn() {
    const until = performance.now() + 3 * BEAT_MS;
    while (performance.now() < until);
    process.stdout.write('still here\n');
    setTimeout(workOn, 10);
  },
};
setTimeout(DEEDS[deed ?? ''] as () => void, 100);
