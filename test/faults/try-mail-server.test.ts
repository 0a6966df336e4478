// Whether the mail server would take our mail, asked without sending one.
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TrustedServer } from '../../src/platform/mail/connect-options.ts';
import { tryConnection } from '../../src/platform/mail/try-connection.ts';
import { makeCertificate } from '../support/self-signed-certificate.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';

const auth = { user: 'tocsin@lab', password: 'ge:heim/€' };
const certificate = makeCertificate();
const ca = Buffer.from(certificate.cert);

const at = (port: number, rest: Partial<TrustedServer> = {}): TrustedServer => ({
  host: '127.0.0.1',
  port,
  tls: 'offered',
  auth: null,
  caFile: null,
  ca: null,
  ...rest,
});

test('a server without sign-in answers, and no mail is sent', async () => {
  const receiver = await openSmtpReceiver();
  expect(await tryConnection(at(receiver.port))).toEqual({
    isReady: true,
    summary: '127.0.0.1 answers: not encrypted, without a sign-in',
    answer: expect.stringContaining('250'),
  });
  expect(receiver.count).toBe(0);
  await expect.poll(receiver.connections).toBe(0);
});

test.each([
  ['from the start', 'from_start', 'from_start'],
  ['by STARTTLS', 'starttls', 'required'],
] as const)('encrypted %s, and signed in', async (_, mode, tls) => {
  const receiver = await openSmtpReceiver({ auth, tls: { mode, ...certificate } });
  expect(await tryConnection(at(receiver.port, { tls, auth, ca }))).toEqual({
    isReady: true,
    summary: '127.0.0.1 answers: encrypted, signed in as tocsin@lab',
    answer: expect.stringMatching(/^235 /),
  });
});

test('a wrong password is said in the words of the server', async () => {
  const receiver = await openSmtpReceiver({ auth });
  const tried = await tryConnection(at(receiver.port, { auth: { ...auth, password: 'falsch' } }));
  expect(tried).toEqual({
    isReady: false,
    summary: 'The mail server refused the sign-in (535)',
    answer: '535 5.7.8 Bad credentials',
  });
});

test('a certificate that nobody vouches for', async () => {
  const receiver = await openSmtpReceiver({ auth, tls: { mode: 'starttls', ...certificate } });
  expect(await tryConnection(at(receiver.port, { tls: 'required', auth }))).toMatchObject({
    isReady: false,
    summary: expect.stringMatching(
      /^(No safe connection to the mail server|The mail server cannot be reached)/,
    ),
  });
});

test('a user and a password for a server that asks for none', async () => {
  const receiver = await openSmtpReceiver();
  expect(await tryConnection(at(receiver.port, { auth }))).toMatchObject({
    isReady: false,
    summary: '127.0.0.1 offers no sign-in, but a user and a password are set',
  });
});

test('nobody is there', async () => {
  const receiver = await openSmtpReceiver();
  await receiver.goDown();
  expect(await tryConnection(at(receiver.port))).toEqual({
    isReady: false,
    summary: 'The mail server cannot be reached (ECONNREFUSED)',
    answer: null,
  });
});

test('one that repeats the password is quoted without it', async () => {
  const port = await listenRaw(['220 talker', '250-talker\r\n250 AUTH PLAIN'], (line) => {
    const told = line.split(' ').at(-1) ?? '';
    return `535 I heard ${told}: ${Buffer.from(told, 'base64').toString().split('\0').at(-1)}`;
  });
  const { isReady, answer } = await tryConnection(at(port, { auth }));
  expect({ isReady, answer }).toEqual({ isReady: false, answer: '535 I heard …: …' });
});

/** Says its lines one by one, then answers what it is told. */
async function listenRaw(lines: string[], answer: (line: string) => string): Promise<number> {
  const server = createServer((socket) => {
    const rest = [...lines];
    const say = (text: string) => socket.write(`${text}\r\n`);
    say(rest.shift() ?? '');
    socket.on('error', () => {});
    socket.on('data', (data) => say(rest.shift() ?? answer(data.toString().trim())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
