// What a program with the role `deliver` does: decides what is to be told, delivers it, sends mails about accounts, and
// lets somebody outside know that all is well.

import { type ClockTask, createClockLoop } from '../../platform/clock-loop.ts';
import { sendAccountMails } from '../accounts/send-account-mails.ts';
import { createDeliverer, type DelivererDeps } from '../delivery/deliverer.ts';
import { setBackPost } from '../delivery/set-back-post.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createHeartbeat } from '../self-watch/heartbeat.ts';
import type { Program } from '../self-watch/programs.ts';

interface DeliveringDeps extends DelivererDeps {
  mailer: Mailer;
  program: Program;
  heartbeatUrl: URL | null;
}

export function startDelivering(deps: DeliveringDeps): { stop(): Promise<void> } {
  const { db, log, program, heartbeatUrl } = deps;
  const deliverer = createDeliverer(deps);
  const tasks: ClockTask[] = [
    { name: 'decide', everySeconds: 1, run: program.noting('decide', deliverer.decide) },
    { name: 'form', everySeconds: 1, run: program.noting('form', deliverer.form) },
    { name: 'deliver', everySeconds: 1, run: program.noting('deliver', () => deliverer.work()) },
    { name: 'hold', everySeconds: 1, run: (now) => deliverer.hold(now) },
    { name: 'account-mails', everySeconds: 1, run: (now) => sendAccountMails(deps, now) },
    { name: 'set-back', everySeconds: 60, run: (now) => setBackPost(db, now) },
  ];
  if (heartbeatUrl) {
    tasks.push({ name: 'heartbeat', everySeconds: 5, run: createHeartbeat({ db, log, url: heartbeatUrl }) });
  }
  const loop = createClockLoop(deps, tasks);
  loop.start();
  return {
    async stop() {
      await loop.stop();
      await deliverer.leave();
    },
  };
}
