// Mail to a real server, over a handful of connections that stay open. Trying again is the caller's business.
import { createTransport } from 'nodemailer';
import { connectOptions, type TrustedServer } from './connect-options.ts';
import { explainFailure } from './explain-failure.ts';
import type { Mail, MailAddress, MailOutcome } from './mail.ts';
import { createMessageWriter } from './write-message.ts';

export interface Smtp {
  send(mail: Mail, now: Date, signal: AbortSignal): Promise<MailOutcome>;
  /** What is being sent is sent, unless the server takes too long; what still waits comes back as not sent. */
  close(): Promise<void>;
}

export const MAIL_CONNECTIONS = 10;
const PATIENCE_AT_CLOSE_MS = 5000;

export function openSmtp(server: TrustedServer, from: MailAddress): Smtp {
  const pool = createTransport({
    pool: true,
    ...connectOptions(server),
    ...(server.auth && { auth: { user: server.auth.user, pass: server.auth.password } }),
    maxConnections: MAIL_CONNECTIONS,
    maxMessages: 1000,
    // A message that may have arrived is not sent a second time behind the back of the delivery's own record.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const write = createMessageWriter(from);
  const hand = async (mail: Mail, now: Date): Promise<void> => {
    // The bare addresses: names never reach the envelope.
    const envelope = { from: from.address, to: [mail.to.address] };
    // In one piece: a message that is written bit by bit costs more than all the rest of sending it.
    await pool.sendMail({ envelope, raw: await write(mail, now) });
  };
  const underway = new Set<Promise<MailOutcome>>();

  return {
    async send(mail, now, signal) {
      const sending = hand(mail, now).then(
        (): MailOutcome => ({ isSent: true, handedTo: server.host }),
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
