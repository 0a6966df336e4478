// What a program with the role `engine` does beside the clock: it fetches what was missed.

import { openCodecs } from '../../../engine/codecs/codecs.ts';
import { openUplinkDecoder } from '../../../engine/codecs/uplink-decoder.ts';
import { openSourceLedger } from '../../../engine/sources/source-ledger.ts';
import { createClockLoop } from '../../../platform/clock-loop.ts';
import { type CatchUpDeps, openCatchUp } from './catch-up.ts';

type CatchingUpDeps = Omit<CatchUpDeps, 'ledger' | 'codecs'>;

export function startCatchingUp(deps: CatchingUpDeps): { stop(): Promise<void> } {
  const { db, log } = deps;
  const ledger = openSourceLedger(db, log);
  const codecs = openCodecs();
  const catchUp = openCatchUp({ ...deps, ledger, codecs: openUplinkDecoder(db, codecs) });
  const loop = createClockLoop(deps, [{ name: 'catch-up', everySeconds: 30, run: catchUp.round }]);
  loop.start();
  return {
    async stop() {
      await loop.stop();
      await catchUp.leave();
      await codecs.close();
      await ledger.close();
    },
  };
}
