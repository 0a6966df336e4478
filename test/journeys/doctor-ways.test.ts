// The doctor asks whether messages could leave: the mail server without a mail, each provider its cheapest question.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { readProviderSettings } from '../../src/engine/providers/read-provider-settings.ts';
import { examine } from '../../src/features/health/doctor.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { answers, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  await server.db.query(sql`update service_settings set notification_group_id = null`);
});

async function consult(env: Record<string, string>, channels?: string) {
  const read = readProviderSettings(channels ?? '');
  if (typeof read === 'string') throw new Error(read);
  const config = { ...readEnvironment(env), ...(channels !== undefined && { providers: read }) };
  const said: string[] = [];
  const keep = (line: string) => void said.push(line);
  const deps = {
    db: server.db,
    log: pino({ level: 'silent' }),
    config,
    clock: server.clock.read,
    clusterDir: null,
  };
  const what = { isJson: false, config, nodeVersion: 'v22.0.0' };
  const code = await examine(deps, what, { stdout: keep, stderr: keep }, server.clock.read());
  const lineOf = (name: string) => said.find((line) => line.slice(2).startsWith(`${name}:`));
  return { code, said, lineOf };
}

const watchFreezer = async () => void (await (await openDeliveryDesk(server)).freezer());

describe('mail', () => {
  test('without a server, while somebody is to be told by mail: not well, with what to do', async () => {
    await watchFreezer();
    const { code, said, lineOf } = await consult({});
    expect(lineOf('mail')).toMatch(/^✗ mail: no mail server is set up: mail is kept here.*Set one up/);
    expect(code).toBe(1);
    expect(said).not.toContain('All is well.');
  });

  test('without a server, while nobody is told by mail: said, and no fault', async () => {
    expect((await consult({})).lineOf('mail')).toBe(
      '  mail: no mail server is set up: mail is kept here, and does not leave',
    );
  });

  test('a server that lets us in: what it answered, and it got no mail', async () => {
    const receiver = await openSmtpReceiver({ auth: { user: 'tocsin', password: 'hush-hush' } });
    const url = receiver.url.replace('smtp://', 'smtp://tocsin:hush-hush@');
    const { lineOf } = await consult({ SMTP_URL: url });
    expect(lineOf('mail')).toMatch(
      /^✓ mail: 127\.0\.0\.1 answers: not encrypted, signed in as tocsin \(235 /,
    );
    expect(receiver.count).toBe(0);
  });

  test('a server that does not: not well, without the password', async () => {
    const receiver = await openSmtpReceiver({ auth: { user: 'tocsin', password: 'another' } });
    const url = receiver.url.replace('smtp://', 'smtp://tocsin:hush-hush@');
    const { said, lineOf } = await consult({ SMTP_URL: url });
    expect(lineOf('mail')).toMatch(/^✗ mail: The mail server refused the sign-in \(535\) \(535 /);
    expect(said.join()).not.toContain('hush');
  });

  test('a server that is away: not well', async () => {
    const receiver = await openSmtpReceiver();
    await receiver.goDown();
    expect((await consult({ SMTP_URL: receiver.url })).lineOf('mail')).toContain(
      '✗ mail: The mail server cannot be reached',
    );
  });
});

describe('providers', () => {
  const all = (url: string) => `
    sms: { gateway: twilio, url: '${url}/2010-04-01/Accounts/{user}/Messages.json', user: AC1, password: hush-sms, from: '+491' }
    pushover: { url: '${url}', token: hush-pushover }
    telegram: { url: '${url}', token: '12:hush-telegram' }
    signal: { url: '${url}/signal/', number: '+491' }`;
  const NAMES = ['SMS by twilio', 'Pushover', 'Telegram', 'Signal'];
  const openProvider = (status: number): Promise<WebhookReceiver> =>
    startWebhookReceiver((response, { path }) =>
      response
        .writeHead(status)
        .end(path.includes('getMe') ? JSON.stringify({ ok: status === 200 }) : '{"fine":true}'),
    );

  test('that know us are well; none of them got a message', async () => {
    const provider = await openProvider(200);
    const { lineOf } = await consult({}, all(provider.url));
    for (const name of NAMES) expect(lineOf(name)).toBe(`✓ ${name}: ${provider.host} answers, and knows us`);
    expect(provider.received.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /1/apps/limits.json?token=hush-pushover',
      'GET /2010-04-01/Accounts/AC1.json',
      'GET /bot12:hush-telegram/getMe',
      'GET /signal/v1/about',
    ]);
  });

  test.each([
    [401, 'did not let the message in (401)'],
    [503, 'failed (503)'],
  ])('that answer %i are not, and no secret is said', async (status, words) => {
    const provider = await openProvider(status);
    const { code, said, lineOf } = await consult({}, all(provider.url));
    for (const name of NAMES) expect(lineOf(name)).toContain(`✗ ${name}: ${provider.host} ${words}`);
    expect(code).toBe(1);
    expect(said.join()).not.toContain('hush');
  });

  test('whose every question is a message are said not to have been asked', async () => {
    const sms = `sms: { gateway: custom, url: 'http://127.0.0.1:1/send?to={to}' }`;
    expect((await consult({}, sms)).lineOf('SMS by custom')).toBe(
      '  SMS by custom: set up, and not asked: every question to it is a message',
    );
  });

  test('that people chose themselves are asked for their health, once each', async () => {
    const own = await startWebhookReceiver(answers(200, '{"healthy":true}'));
    await openDeliveryDesk(server, {
      webhooks: [
        { kind: 'ntfy', url: `${own.url}/cold-team` },
        { kind: 'ntfy', url: `${own.url}/night-watch` },
      ],
    });
    const { lineOf } = await consult({ TOCSIN_WEBHOOK_PRIVATE: 'true' });
    expect(lineOf('ntfy')).toBe(`✓ ntfy: ${own.host} answers, and knows us`);
    expect(own.received.map(({ path }) => path)).toEqual(['/v1/health']);
    await server.db.query(sql`delete from notification_group_webhook`);
  });
});
