// Asks providers that do not call back, as time passes.
import type { Clock } from '../../../platform/clock.ts';
import { type ClockTask, createClockLoop } from '../../../platform/clock-loop.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import type { Acknowledge } from '../answer-by-phone.ts';
import { pollPushover, pollTwilio } from './poll-receipts.ts';
import { pollTelegram } from './poll-telegram.ts';

interface PollDeps {
  db: Database;
  clock: Clock;
  log: Log;
  channels: Channels;
  /** Whether providers can call back. */
  hasHooks: boolean;
  acknowledge: Acknowledge;
}

export function startPolls(deps: PollDeps): { stop(): Promise<void> } {
  const { channels, hasHooks } = deps;
  const { pushover, telegram, sms } = channels;
  const ending = new AbortController();
  const poll = { ...deps, signal: ending.signal };
  const tasks: ClockTask[] = [];
  if (pushover)
    tasks.push({ name: 'pushover', everySeconds: 5, run: (now) => pollPushover({ ...poll, pushover }, now) });
  if (telegram)
    tasks.push({ name: 'telegram', everySeconds: 1, run: (now) => pollTelegram({ ...poll, telegram }, now) });
  if (sms?.gateway === 'twilio' && !hasHooks)
    tasks.push({ name: 'twilio', everySeconds: 5, run: (now) => pollTwilio({ ...poll, sms }, now) });
  const loop = createClockLoop(deps, tasks);
  loop.start();
  return {
    async stop() {
      ending.abort();
      await loop.stop();
    },
  };
}
