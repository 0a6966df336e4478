// Where mail goes: to the mail server, or into the database until there is one. Asked at every mail.
import { writeFailure } from '../../domain/words/failure-words.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts';
import { openSmtp, type Smtp } from '../../platform/mail/smtp.ts';
import type { InForce } from '../delivery-settings/in-force.ts';
import { keepMail, type MailMatter } from './kept-mail.ts';

export interface Mailer {
  /** Where mail goes from now on; what follows for a mail is decided once. */
  choose(): MailExit;
  send: MailExit['send'];
  close(): Promise<void>;
}

interface MailExit {
  /** Where administrators can read it; else only its recipient can. */
  isKept: boolean;
  send(mail: Mail, matter: MailMatter, now: Date, signal: AbortSignal): Promise<MailOutcome>;
}

type MailSettings = Pick<InForce, 'mail' | 'mailFrom'>;

interface MailerDeps {
  settings: () => MailSettings;
  db: Database;
}

export const NO_MAIL_LEAVES =
  'No mail leaves this service: there is no mail server. Mail is kept in the database, administrators can read it.';

const UNREAD: MailOutcome = {
  isSent: false,
  isFinal: false,
  error: writeFailure('mail_no_key'),
};

export function openMailer({ settings, db }: MailerDeps): Mailer {
  let current: { of: MailSettings; smtp: Smtp } | null = null;
  const leaving = new Set<Promise<void>>();

  /** What is under way by the connections of before ends there. */
  const leave = () => {
    if (!current) return;
    const closing = current.smtp.close().finally(() => leaving.delete(closing));
    leaving.add(closing);
    current = null;
  };

  const choose = (): MailExit => {
    const { mail: way, mailFrom } = settings();
    if (current && (current.of.mail !== way || current.of.mailFrom !== mailFrom)) leave();
    if (way.kind === 'kept') return mailIntoDatabase(db);
    if (way.kind === 'unread') return { isKept: false, send: async () => UNREAD };
    current ??= { of: { mail: way, mailFrom }, smtp: openSmtp(way.server, mailFrom) };
    const { smtp } = current;
    return { isKept: false, send: (mail, _matter, now, signal) => smtp.send(mail, now, signal) };
  };

  return {
    choose,
    send: (...given) => choose().send(...given),
    async close() {
      leave();
      await Promise.all(leaving);
    },
  };
}

const mailIntoDatabase = (db: Database): MailExit => ({
  isKept: true,
  async send(mail, matter, now) {
    await keepMail(db, mail, matter, now);
    return { isSent: false, isKept: true };
  },
});
