// Asks providers that do not call back, as time passes.

import { PROVIDERS, type ProviderSettings } from '../../../engine/providers/providers.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type ClockTask, createClockLoop } from '../../../platform/clock-loop.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { pollReceipts } from './poll-receipts.ts';
import { pollUpdates } from './poll-updates.ts';

interface PollDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** As they are in force. */
  settings: () => {
    providers: ProviderSettings;
    /** Whether providers can call back. */
    hasHooks: boolean;
  };
}

export function startPolls(deps: PollDeps): { stop(): Promise<void> } {
  const ending = new AbortController();
  const poll = { ...deps, signal: ending.signal };
  const tasks = PROVIDERS.flatMap((provider): ClockTask[] => {
    const settingsNow = (): unknown => deps.settings().providers[provider.name];
    const { receipts = [], updates } = provider;
    return [
      ...receipts.map((asked) => ({
        name: asked.kind,
        everySeconds: 5,
        run: async (now: Date) => {
          const settings = settingsNow();
          if (settings !== null && asked.isAsked(settings, deps.settings().hasHooks))
            await pollReceipts({ ...poll, receipts: asked, settings }, now);
        },
      })),
      ...(updates
        ? [
            {
              name: updates.kind,
              everySeconds: 1,
              run: async (now: Date) => {
                const settings = settingsNow();
                if (settings !== null) await pollUpdates({ ...poll, updates, settings }, now);
              },
            },
          ]
        : []),
    ];
  });
  const loop = createClockLoop(deps, tasks);
  loop.start();
  return {
    async stop() {
      ending.abort();
      await loop.stop();
    },
  };
}
