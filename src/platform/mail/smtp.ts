// Mail to a real server, over a handful of connections that stay open. Trying again is the caller's business.
import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { explainFailure } from './explain-failure.ts';
import type { Mail, MailAddress, MailOutcome } from './mail.ts';
import type { SmtpServer } from './read-smtp-url.ts';

export interface Smtp {
  send(mail: Mail, now: Date, signal: AbortSignal): Promise<MailOutcome>;
  /** What is being sent is sent, unless the server takes too long; what still waits comes back as not sent. */
  close(): Promise<void>;
}

const CONNECTIONS = 10;
const LONGEST_SILENCE_MS = 30_000;
const PATIENCE_AT_CLOSE_MS = 5000;

export function openSmtp(server: SmtpServer, { from, ca }: { from: MailAddress; ca: Buffer | null }): Smtp {
  const pool = createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    secure: server.tls === 'from_start',
    requireTLS: server.tls === 'required',
    ...(server.auth && { auth: { user: server.auth.user, pass: server.auth.password } }),
    ...(ca && { tls: { ca } }),
    maxConnections: CONNECTIONS,
    maxMessages: 1000,
    // A message that may have arrived is not sent a second time behind the back of the delivery's own record.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: LONGEST_SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const underway = new Set<Promise<MailOutcome>>();

  return {
    async send(mail, now, signal) {
      const sending = pool.sendMail(compose(mail, from, now)).then(
        (): MailOutcome => ({ isSent: true }),
        (error: Error): MailOutcome => ({ isSent: false, ...explainFailure(error) }),
      );
      underway.add(sending);
      sending.finally(() => underway.delete(sending));
      return Promise.race([sending, untilAborted(signal, sending)]);
    },
    async close() {
      pool.close();
      const rest = Promise.all(underway);
      const patience = setTimeout(() => pool.close({ force: true }), PATIENCE_AT_CLOSE_MS);
      await rest;
      clearTimeout(patience);
    },
  };
}

const GIVEN_UP: MailOutcome = {
  isSent: false,
  error: 'The mail server took too long',
  isFinal: false,
};

function untilAborted(signal: AbortSignal, sending: Promise<unknown>): Promise<MailOutcome> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(GIVEN_UP);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    sending.finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function compose(mail: Mail, from: MailAddress, now: Date): SendMailOptions {
  const idFor = (left: string) => `<${left}@${domainOf(from)}>`;
  return {
    // The bare addresses: names never reach the envelope.
    envelope: { from: from.address, to: [mail.to.address] },
    from: { name: from.name ?? '', address: from.address },
    to: { name: oneLine(mail.to.name ?? ''), address: mail.to.address },
    subject: oneLine(mail.subject),
    date: now,
    messageId: idFor(mail.id),
    ...(mail.threadId !== null && {
      inReplyTo: idFor(mail.threadId),
      references: idFor(mail.threadId),
    }),
    text: mail.text,
    html: mail.html,
    attachments: mail.pictures.map(({ cid, fileName, png }) => ({
      cid,
      filename: fileName,
      content: png,
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
    })),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Keeps Exchange from answering a machine with out-of-office notes.
      'X-Auto-Response-Suppress': 'All',
      ...mail.headers,
    },
    ...(mail.isUrgent && { priority: 'high' as const }),
  };
}

const domainOf = ({ address }: MailAddress): string =>
  domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost';

/** Nobody writes a header of his own by way of a name with a line break in it. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
