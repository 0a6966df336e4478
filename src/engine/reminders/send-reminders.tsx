// Reminders leave as mails, by a queue of their own: none waits behind an alarm, and no alarm waits behind one.
import { createHash } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { Button, Heading, Paragraph, renderMail } from '../../platform/mail/mail-page.tsx';
import type { Mailer } from '../mail/mailer.ts';
import { AT_ONCE, LEASE_MS, type QueuedEnd, sendQueued } from '../mail/send-queued.ts';
import { planRetry } from '../transports/retry.ts';
import { type ClaimedReminder, leaseReminders, markReminder } from './reminders.ts';

interface ReminderDeps {
  db: Database;
  mailer: Mailer;
  log: Log;
  /** Without a slash at its end. */
  publicUrl: () => string;
}

export const RECEIPTS = '/receipt';

export async function sendReminders({ db, mailer, log, publicUrl }: ReminderDeps, now: Date): Promise<void> {
  const claimed = await leaseReminders(db, AT_ONCE, new Date(now.getTime() + LEASE_MS), now);
  const mails = claimed.map((reminder) => ({
    id: reminder.id,
    kind: reminder.kind,
    named: { reminder: reminder.id },
    owner: { accountId: reminder.accountId, organizationId: reminder.organizationId },
    write: () => writeReminder(reminder, publicUrl()),
    planNext: () => planNextAttempt(reminder, now),
  }));
  const mark = (end: QueuedEnd) => markReminder(db, end, now);
  await sendQueued({ mailer, log, what: 'a reminder', mark }, mails, now);
}

const planNextAttempt = ({ createdAt, attempt }: ClaimedReminder, now: Date): Date | null =>
  planRetry({ createdAt, attempt, retryAfterMs: null, isLasting: false }, now, Math.random);

function writeReminder(reminder: ClaimedReminder, publicUrl: string): Mail {
  const { id, kind, createdAt, organizationName, email, name, words, token } = reminder;
  const { subject, lines, button } = words;
  const language = languageFor(words.language ?? null);
  const { say } = language;
  const url = publicUrl + (token === null ? (words.path ?? '/') : `${RECEIPTS}/${token}`);
  const greeting = say('Hello {name},', { name });
  const footer = say('This mail was sent to {email} by Tocsin, the alarm monitoring of {organizationName}.', {
    email,
    organizationName,
  });
  const html = renderMail({
    language,
    title: subject,
    preview: lines[0] ?? '',
    footer,
    children: (
      <>
        <Heading>{subject}</Heading>
        <Paragraph>{greeting}</Paragraph>
        {lines.map((line) => (
          <Paragraph key={line}>{line}</Paragraph>
        ))}
        <Button href={url}>{button}</Button>
      </>
    ),
  });
  return {
    subject: say('{organizationName}: {subject}', { organizationName, subject }),
    body: {
      text: [greeting, '', ...lines, '', say('{button}:', { button }), url, '', '-- ', footer, ''].join('\n'),
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
