// Asks providers that do not call back, as time passes.
import type { Clock } from '../../../platform/clock.ts';
import { type ClockTask, createClockLoop } from '../../../platform/clock-loop.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import { pollPushover, pollTwilio } from './poll-receipts.ts';
import { pollTelegram } from './poll-telegram.ts';

interface PollDeps {
  db: Database;
  clock: Clock;
  log: Log;
  /** As they are in force. */
  settings: () => {
    channels: Channels;
    /** Whether providers can call back. */
    hasHooks: boolean;
  };
}

export function startPolls(deps: PollDeps): { stop(): Promise<void> } {
  const ending = new AbortController();
  const poll = { ...deps, signal: ending.signal };
  const tasks: ClockTask[] = [
    {
      name: 'pushover',
      everySeconds: 5,
      run: async (now) => {
        const { pushover } = deps.settings().channels;
        if (pushover) await pollPushover({ ...poll, pushover }, now);
      },
    },
    {
      name: 'telegram',
      everySeconds: 1,
      run: async (now) => {
        const { telegram } = deps.settings().channels;
        if (telegram) await pollTelegram({ ...poll, telegram }, now);
      },
    },
    {
      name: 'twilio',
      everySeconds: 5,
      run: async (now) => {
        const { channels, hasHooks } = deps.settings();
        const { sms } = channels;
        if (sms?.gateway === 'twilio' && !hasHooks) await pollTwilio({ ...poll, sms }, now);
      },
    },
  ];
  const loop = createClockLoop(deps, tasks);
  loop.start();
  return {
    async stop() {
      ending.abort();
      await loop.stop();
    },
  };
}
