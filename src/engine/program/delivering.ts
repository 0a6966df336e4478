// What a program with the role `deliver` does: decides what is to be told, delivers it, sends mails about accounts, and
// lets somebody outside know that all is well.

import { type ClockTask, createClockLoop } from '../../platform/clock-loop.ts';
import type { OutboundSettings } from '../../platform/outbound/request-outbound.ts';
import { sendAccountMails } from '../accounts/send-account-mails.ts';
import { createDeliverer, type DelivererDeps } from '../delivery/deliverer.ts';
import { setBackLetters } from '../delivery/set-back-letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import { endDueMutes } from '../quiet-times/mutes.ts';
import { createRelayHolder } from '../relays/hold-relays.ts';
import { remind } from '../reminders/remind.ts';
import { sendReminders } from '../reminders/send-reminders.tsx';
import { createHeartbeat } from '../self-watch/heartbeat.ts';
import type { Program } from '../self-watch/programs.ts';
import { expireAcknowledgements } from '../services/expire-acknowledgements.ts';
import { tellOverdueHandOvers } from '../services/overdue-hand-overs.ts';

interface DeliveringDeps extends DelivererDeps {
  mailer: Mailer;
  program: Program;
  heartbeatUrl: URL | null;
  /** What sirens and lamps are reached by. */
  outbound: Pick<OutboundSettings, 'allowPrivate'>;
}

/** One program's part of it. */
export function hireDelivering(deps: DeliveringDeps) {
  const { db, log, program, heartbeatUrl } = deps;
  const deliverer = createDeliverer(deps);
  const relays = createRelayHolder(deps);
  const tasks: ClockTask[] = [
    { name: 'decide', everySeconds: 1, run: program.noting('decide', deliverer.decide) },
    { name: 'form', everySeconds: 1, run: program.noting('form', deliverer.form) },
    { name: 'deliver', everySeconds: 1, run: program.noting('deliver', () => deliverer.work()) },
    { name: 'account-mails', everySeconds: 1, run: (now) => sendAccountMails(deps, now) },
    { name: 'expired', everySeconds: 5, run: (now) => expireAcknowledgements(db, now) },
    { name: 'hand-overs', everySeconds: 5, run: (now) => tellOverdueHandOvers(db, now) },
    { name: 'mutes', everySeconds: 1, run: (now) => endDueMutes(db, now) },
    { name: 'remind', everySeconds: 60, run: (now) => remind(db, now) },
    { name: 'reminders', everySeconds: 5, run: (now) => sendReminders(deps, now) },
    { name: 'relays', everySeconds: 5, run: relays.round },
    { name: 'set-back', everySeconds: 60, run: (now) => setBackLetters(db, now) },
  ];
  if (heartbeatUrl) {
    tasks.push({ name: 'heartbeat', everySeconds: 5, run: createHeartbeat({ db, log, url: heartbeatUrl }) });
  }
  return { tasks, deliverer, relays };
}

export function startDelivering(deps: DeliveringDeps): { stop(): Promise<void> } {
  const { tasks, deliverer, relays } = hireDelivering(deps);
  deps.program.noteMail(() => deps.mailer.choose().isKept);
  const loop = createClockLoop(deps, tasks);
  const holding = createClockLoop(deps, [{ name: 'hold', everySeconds: 1, run: deliverer.hold }]);
  loop.start();
  holding.start();
  return {
    async stop() {
      await loop.stop();
      await Promise.all([deliverer.leave(), relays.leave()]);
      // Until the last letter has left: others would take this program for dead, and send it as well.
      await holding.stop();
    },
  };
}
