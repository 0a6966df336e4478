// What a program with the role `deliver` does: decides what is to be told, delivers it, sends mails about accounts, and
// lets somebody outside know that all is well.
import { sendAccountMails } from '../account-mail/send-account-mails.ts';
import { type ClockTask, createClockLoop } from '../clock-loop.ts';
import type { Mailer } from '../mailer.ts';
import { decideDue } from '../outbox-decide.ts';
import { createDeliverer, type DelivererDeps } from './deliverer.ts';
import { createHeartbeat } from './heartbeat.ts';

interface DeliveringDeps extends DelivererDeps {
  mailer: Mailer;
  heartbeatUrl: URL | null;
}

export function startDelivering(deps: DeliveringDeps): { stop(): Promise<void> } {
  const { db, log, heartbeatUrl } = deps;
  const deliverer = createDeliverer(deps);
  const telling: ClockTask[] = [
    { name: 'decide', everySeconds: 1, run: (now) => decideDue(db, now) },
    { name: 'deliver', everySeconds: 1, run: deliverer.work },
  ];
  const accounts: ClockTask[] = [
    { name: 'account-mails', everySeconds: 1, run: (now) => sendAccountMails(deps, now) },
  ];
  const watching: ClockTask[] = heartbeatUrl
    ? [{ name: 'heartbeat', everySeconds: 5, run: createHeartbeat({ db, log, url: heartbeatUrl }) }]
    : [];
  // Loops of their own: a mail server or an address that hangs must not delay an alarm.
  const loops = [telling, accounts, watching].map((tasks) => createClockLoop(deps, tasks));
  for (const loop of loops) loop.start();
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await deliverer.leave();
    },
  };
}
