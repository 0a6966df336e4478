// A real mail server on a local port, which does to mail what the test tells it to.
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished } from 'vitest';

export interface ReceivedMail extends ParsedMail {
  /** From the envelope. */
  from_: string;
  to_: string[];
  /** As it came over the wire. */
  raw: string;
  isSecure: boolean;
  user: string | null;
}

interface Reply {
  code: number;
  text: string;
}

interface Behaviour {
  /** Said to RCPT TO instead of 250. */
  answerRecipient: (address: string) => Reply | null;
  /** Said to MAIL FROM instead of 250. */
  answerSender: (address: string) => Reply | null;
  /** Said after the message instead of 250; it is not kept then. */
  answerMessage: () => Reply | null;
  /** Before the message is taken. */
  delayMs: number;
  /** Answers nobody before so many messages are there at the same time. */
  waitsFor: number;
  /** Takes the message and says nothing more. */
  neverAnswers: boolean;
  /** Keeps the message, then breaks the connection off before it has said so. */
  hangsUpAfterTaking: boolean;
}

interface ReceiverOptions {
  /** Counts the mails and keeps none, where time matters. */
  isForgetful?: boolean;
  auth?: { user: string; password: string };
  tls?: { mode: 'from_start' | 'starttls'; key: string; cert: string };
}

export interface SmtpReceiver {
  /** For SMTP_URL, without user and password. */
  url: string;
  port: number;
  /** In the order they came. */
  mails: ReceivedMail[];
  readonly subjects: string[];
  /** Taken so far. */
  readonly count: number;
  behave(behaviour: Partial<Behaviour>): void;
  /** Nobody listens any more, and connections break. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Waits until that many have come, and answers with the last one. */
  mail(count: number): Promise<ReceivedMail>;
  /** How many connections are open. */
  connections(): number;
  close(): Promise<void>;
}

const GOOD: Behaviour = {
  answerRecipient: () => null,
  answerSender: () => null,
  answerMessage: () => null,
  delayMs: 0,
  waitsFor: 0,
  neverAnswers: false,
  hangsUpAfterTaking: false,
};

const refusal = ({ code, text }: Reply) => Object.assign(new Error(text), { responseCode: code });
const orNull = (reply: Reply | null) => (reply ? refusal(reply) : null);

/** For a whole test file: `close` it when done. */
export async function startSmtpReceiver(options: ReceiverOptions = {}): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  let behaviour = GOOD;
  let count = 0;
  const here = new EventEmitter().setMaxListeners(100);
  let waiting = 0;
  const { auth, tls, isForgetful } = options;

  const createServer = () => {
    const server = new SMTPServer({
      name: 'mail.test',
      secure: tls?.mode === 'from_start',
      ...(tls && { key: tls.key, cert: tls.cert }),
      // Without it the server would offer a certificate that nobody trusts.
      disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
      authOptional: !auth,
      allowInsecureAuth: !tls,
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, callback) =>
        username === auth?.user && password === auth?.password
          ? callback(null, { user: username })
          : callback(Object.assign(new Error('5.7.8 Bad credentials'), { responseCode: 535 })),
      onMailFrom: ({ address }, _session, callback) => callback(orNull(behaviour.answerSender(address))),
      onRcptTo: ({ address }, _session, callback) => callback(orNull(behaviour.answerRecipient(address))),
      onData: async (stream, session, callback) => {
        const parts: Buffer[] = [];
        for await (const part of stream) parts.push(part as Buffer);
        if (behaviour.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
        if (behaviour.neverAnswers) return;
        waiting += 1;
        here.emit('another');
        while (waiting < behaviour.waitsFor) await once(here, 'another');
        const reply = behaviour.answerMessage();
        if (reply) return callback(refusal(reply));
        count += 1;
        if (isForgetful) return callback();
        const raw = Buffer.concat(parts);
        const parsed = await simpleParser(raw, { skipImageLinks: true });
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...parsed,
          from_: mailFrom ? mailFrom.address : '',
          to_: rcptTo.map(({ address }) => address),
          raw: raw.toString('latin1'),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        });
        if (behaviour.hangsUpAfterTaking) for (const one of server.connections) one._socket.destroy();
        else callback();
      },
    });
    // A client that breaks off is part of many stories.
    server.on('error', () => {});
    return server;
  };

  const listen = async (server: SMTPServer, port: number): Promise<number> => {
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve());
    });
    return (server.server.address() as AddressInfo).port;
  };
  const shut = (server: SMTPServer) => new Promise<void>((resolve) => server.close(() => resolve()));

  let current: SMTPServer | null = createServer();
  const port = await listen(current, 0);
  const receiver: SmtpReceiver = {
    url: `${tls?.mode === 'from_start' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    port,
    mails,
    get subjects() {
      return mails.map(({ subject }) => subject ?? '');
    },
    get count() {
      return count;
    },
    behave(changes) {
      behaviour = { ...GOOD, ...changes };
    },
    async goDown() {
      const server = current;
      current = null;
      if (server) await shut(server);
    },
    async comeBack() {
      current = createServer();
      await listen(current, port);
    },
    async mail(count) {
      await expect.poll(() => mails.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
      return mails[count - 1] as ReceivedMail;
    },
    connections: () => current?.connections.size ?? 0,
    close: () => receiver.goDown(),
  };
  return receiver;
}

/** For one test. */
export async function openSmtpReceiver(options: ReceiverOptions = {}): Promise<SmtpReceiver> {
  const receiver = await startSmtpReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}
