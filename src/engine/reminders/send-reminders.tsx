// Reminders leave as mails, by a queue of their own: none waits behind an alarm, and no alarm waits behind one.
import { createHash } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts';
import { Button, Heading, Paragraph, renderMail } from '../../platform/mail/mail-page.tsx';
import type { Mailer } from '../mail/mailer.ts';
import { planRetry } from '../transports/retry.ts';
import { type ClaimedReminder, leaseReminders, markReminder, type ReminderEnd } from './reminders.ts';

interface ReminderDeps {
  db: Database;
  mailer: Mailer;
  log: Log;
  /** Without a slash at its end. */
  publicUrl: string;
}

const AT_ONCE = 20;
const LEASE_MS = 120_000;
const TIMEOUT_MS = 20_000;
export const RECEIPTS = '/receipt';

export async function sendReminders(deps: ReminderDeps, now: Date): Promise<void> {
  const claimed = await leaseReminders(deps.db, AT_ONCE, new Date(now.getTime() + LEASE_MS), now);
  const ends = claimed.map(async (reminder) =>
    markReminder(deps.db, await sendReminder(deps, reminder, now), now),
  );
  for (const end of await Promise.allSettled(ends))
    if (end.status === 'rejected') deps.log.error({ err: end.reason }, 'a reminder is not marked');
}

async function sendReminder(deps: ReminderDeps, reminder: ClaimedReminder, now: Date): Promise<ReminderEnd> {
  const { id, createdAt, attempt } = reminder;
  const outcome = await tryToSend(deps, reminder, now);
  if (outcome.isSent) return { id, state: 'sent', error: null, nextAttemptAt: null };
  const nextAttemptAt = outcome.isFinal
    ? null
    : planRetry({ createdAt, attempt, retryAfterMs: null, isLasting: false }, now, Math.random);
  deps.log.warn({ reminder: id, kind: reminder.kind, error: outcome.error }, 'a reminder did not leave');
  return { id, state: nextAttemptAt ? 'queued' : 'failed', error: outcome.error, nextAttemptAt };
}

async function tryToSend(deps: ReminderDeps, reminder: ClaimedReminder, now: Date): Promise<MailOutcome> {
  const { accountId, organizationId } = reminder;
  try {
    const mail = writeReminder(reminder, deps.publicUrl);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await deps.mailer.send(mail, { accountId, organizationId }, now, signal);
  } catch (error) {
    deps.log.error({ err: error, reminder: reminder.id }, 'a reminder failed unexpectedly');
    return { isSent: false, isFinal: false, error: 'Unexpected error, see the log' };
  }
}

function writeReminder(reminder: ClaimedReminder, publicUrl: string): Mail {
  const { id, kind, createdAt, organizationName, email, name, words, token } = reminder;
  const { subject, lines, button } = words;
  const url = publicUrl + (token === null ? (words.path ?? '/') : `${RECEIPTS}/${token}`);
  const footer = `This mail was sent to ${email} by Tocsin, the alarm monitoring of ${organizationName}.`;
  const html = renderMail({
    title: subject,
    preview: lines[0] ?? '',
    footer,
    children: (
      <>
        <Heading>{subject}</Heading>
        <Paragraph>Hello {name},</Paragraph>
        {lines.map((line) => (
          <Paragraph key={line}>{line}</Paragraph>
        ))}
        <Button href={url}>{button}</Button>
      </>
    ),
  });
  return {
    subject: `${organizationName}: ${subject}`,
    body: {
      text: [`Hello ${name},`, '', ...lines, '', `${button}:`, url, '', '-- ', footer, ''].join('\n'),
      html,
      pictures: [],
    },
    id: createHash('sha256').update(`reminder ${id} ${createdAt.toISOString()}`).digest('hex').slice(0, 32),
    threadId: null,
    to: { name, address: email },
    headers: { 'X-Tocsin-Kind': kind },
    isUrgent: kind === 'shift' || kind === 'unconfirmed',
  };
}
