// Where mail goes: to the mail server of SMTP_URL, or into the database until there is one.
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts';
import { openSmtp } from '../../platform/mail/smtp.ts';
import { keepMail, type MailMatter } from './kept-mail.ts';

export interface Mailer {
  /** One line for the start, where mail does not leave; else null. */
  notice: string | null;
  /** Where administrators can read it; else only its recipient can. */
  isKept: boolean;
  send(mail: Mail, matter: MailMatter, now: Date, signal: AbortSignal): Promise<MailOutcome>;
  close(): Promise<void>;
}

interface MailerDeps {
  config: Pick<Config, 'smtp' | 'mailFrom'>;
  db: Database;
}

export const openMailer = ({ config, db }: MailerDeps): Mailer =>
  config.smtp ? mailByServer(config.smtp, config.mailFrom) : mailIntoDatabase(db);

function mailByServer(server: NonNullable<Config['smtp']>, from: Config['mailFrom']): Mailer {
  const smtp = openSmtp(server, from);
  return {
    notice: null,
    isKept: false,
    send: (mail, _matter, now, signal) => smtp.send(mail, now, signal),
    close: () => smtp.close(),
  };
}

const mailIntoDatabase = (db: Database): Mailer => ({
  notice:
    'No mail leaves this service: SMTP_URL is not set. Mail is kept in the database, administrators can read it.',
  isKept: true,
  async send(mail, matter, now) {
    await keepMail(db, mail, matter, now);
    return { isSent: false, isKept: true };
  },
  close: async () => {},
});
