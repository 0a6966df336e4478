// Mails that leave by a queue in the database: each was leased, is tried once, and ends handed over, kept, waiting for another
// attempt or given up. Each is marked by itself.
import type { Log } from '../../platform/log.ts';
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts';
import { holdBriefly } from '../../platform/process/in-hand.ts';
import { openGate } from '../../platform/turns.ts';
import type { Mailer } from './mailer.ts';

export const AT_ONCE = 10;
/** All mail shares the connections to one server, and alarms have to find some. */
const SIDE_BY_SIDE = 2;
const TIMEOUT_MS = 20_000;
/** Until the last one has had its time, and somewhat longer. */
export const LEASE_MS = (AT_ONCE / SIDE_BY_SIDE) * TIMEOUT_MS + 20_000;

interface QueuedMail {
  id: string;
  kind: string;
  /** How the log names it. */
  named: Record<string, unknown>;
  owner: Parameters<Mailer['send']>[1];
  write(): Mail;
  /** null: it is given up. */
  planNext(): Date | null;
}

export interface QueuedEnd {
  id: string;
  state: 'sent' | 'queued' | 'failed';
  handedTo?: string | null;
  isKept?: boolean;
  error: string | null;
  nextAttemptAt: Date | null;
}

interface QueueDeps {
  mailer: Pick<Mailer, 'send'>;
  log: Log;
  /** As in "a reminder did not leave". */
  what: string;
  mark(end: QueuedEnd): Promise<unknown>;
}

export async function sendQueued(deps: QueueDeps, mails: readonly QueuedMail[], now: Date): Promise<void> {
  const gate = openGate({ atOnce: SIDE_BY_SIDE });
  const ends = mails.map((mail) => gate.pass('', async () => deps.mark(await send(deps, mail, now))));
  for (const end of await Promise.allSettled(ends))
    if (end.status === 'rejected') deps.log.error({ err: end.reason }, `${deps.what} is not marked`);
}

async function send(deps: QueueDeps, mail: QueuedMail, now: Date): Promise<QueuedEnd> {
  const { id, kind, named } = mail;
  const outcome = await tryToSend(deps, mail, now);
  if (outcome.isSent || outcome.isKept) {
    const went = outcome.isSent ? { handedTo: outcome.handedTo, isKept: false } : { isKept: true };
    return { id, state: 'sent', error: null, nextAttemptAt: null, ...went };
  }
  const nextAttemptAt = outcome.isFinal ? null : mail.planNext();
  deps.log.warn({ ...named, kind, error: outcome.error }, `${deps.what} did not leave`);
  return { id, state: nextAttemptAt ? 'queued' : 'failed', error: outcome.error, nextAttemptAt };
}

async function tryToSend(
  { mailer, log, what }: QueueDeps,
  { id, kind, named, owner, write }: QueuedMail,
  now: Date,
): Promise<MailOutcome> {
  try {
    const mail = holdBriefly(`mail ${kind} ${id}`, write);
    return await mailer.send(mail, owner, now, AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    log.error({ err: error, ...named }, `${what} failed unexpectedly`);
    return { isSent: false, isFinal: false, error: 'Unexpected error, see the log' };
  }
}
