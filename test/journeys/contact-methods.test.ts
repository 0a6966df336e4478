// How a person is told, from what they type in on their profile to what arrives at a receiver that behaves as documented.

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { createDeliverer } from '../../src/engine/delivery/deliverer.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { NO_PROVIDERS, type ProviderSettings } from '../../src/engine/providers/providers.ts';
import { createMethodTransport } from '../../src/engine/transports/method/method.ts';
import { organizationOf } from '../support/equipment.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { HOT, NORMAL, pass, sendAll, WARM, watchedBy } from '../support/notification-desk.ts';
import { expectPage } from '../support/page.ts';
import { PASSWORD } from '../support/people.ts';
import { openPostbox, refused } from '../support/postbox.ts';
import { grantRole } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';
import { answers, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const providers = {
  ...NO_PROVIDERS,
  sms: {
    gateway: 'custom',
    method: 'POST',
    url: '',
    headers: { authorization: 'Basic c2VjcmV0' },
    encode: 'form',
    body: { from: '{from}', to: '{to}', message: '{text}' },
    from: 'Tocsin',
    hookSecret: null,
    takesReplies: false,
    statusField: null,
  },
  pushover: { url: '', token: 'app-token' },
  telegram: { url: '', token: '123:bot-token' },
  signal: { url: '', number: '+491510000000' },
} satisfies ProviderSettings;

let server: TestServer;
let lab: Lab;
let oscar: VisitorBrowser;
beforeAll(async () => {
  server = await startServer({ providers, isPrivateWebhookAllowed: true });
});
beforeEach(async () => {
  lab = await openLab(server);
  oscar = await signedIn(server, lab.oscar);
});

/** Every maker answers there. */
async function receive(...given: Parameters<typeof startWebhookReceiver>): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(...given);
  if (providers.sms) providers.sms.url = `${receiver.url}/sms`;
  for (const one of [providers.pushover, providers.telegram, providers.signal])
    if (one) one.url = receiver.url;
  return receiver;
}

const add = (form: Record<string, string>) => oscar.send('/profile/contacts/add', form);
const ids = async () =>
  [...(await oscar.read('/profile/contacts')).matchAll(/contacts\/(\d+)\/remove/g)].map(([, id]) => id);

async function addSms(times: Record<string, string> = {}): Promise<string> {
  const receiver = await receive(answers(200, '{"id":"sms-1"}'));
  await add({ kind: 'sms', address: '+49 151 2345678', ...times });
  const code = /\d{6}/.exec(new URLSearchParams(receiver.received[0]?.text).get('message') ?? '')?.[0] ?? '';
  const [id = ''] = (await ids()).slice(-1);
  expect((await oscar.send(`/profile/contacts/${id}/prove`, { code })).headers.get('location')).toBe(
    '/profile/contacts?done=proved',
  );
  return id;
}

describe('a contact method', () => {
  test('gets nothing but its code until that is typed in', async () => {
    const receiver = await receive(answers(200, '{"id":"sms-1"}'));
    const added = await add({ kind: 'sms', address: '+49 (151) 234-5678' });
    expect(added.headers.get('location')).toBe('/profile/contacts?done=code');
    const sent = new URLSearchParams(receiver.received[0]?.text);
    expect([sent.get('from'), sent.get('to')]).toEqual(['Tocsin', '+491512345678']);
    expect(receiver.received[0]?.headers.authorization).toBe('Basic c2VjcmV0');
    const code = /\d{6}/.exec(sent.get('message') ?? '')?.[0] ?? '';

    const [id = ''] = await ids();
    expect(await usable()).toEqual([]);
    const wrong = await oscar.send(`/profile/contacts/${id}/prove`, { code: '12' });
    expect(await expectPage(wrong, 422)).toContain('This is not the code that was sent.');
    await oscar.send(`/profile/contacts/${id}/prove`, { code });
    expect(await usable()).toEqual(['sms']);
    expect(await oscar.read('/profile/contacts')).toContain('in use');
  });

  test('five wrong codes, or 15 minutes, end a code; five codes an hour are sent', async () => {
    const receiver = await receive(answers(200, '{}'));
    await add({ kind: 'sms', address: '+491512345678' });
    const [id = ''] = await ids();
    const codeOf = (at: number) =>
      /\d{6}/.exec(new URLSearchParams(receiver.received[at]?.text).get('message') ?? '')?.[0] ?? '';
    for (let i = 0; i < 5; i += 1) await oscar.send(`/profile/contacts/${id}/prove`, { code: 'no' });
    const after = await oscar.send(`/profile/contacts/${id}/prove`, { code: codeOf(0) });
    expect(await expectPage(after, 422)).toContain('The code is void');
    await oscar.send(`/profile/contacts/${id}/code`);
    server.clock.advance(minutes(15));
    expect((await oscar.send(`/profile/contacts/${id}/prove`, { code: codeOf(1) })).status).toBe(422);
    for (let i = 0; i < 3; i += 1) await oscar.send(`/profile/contacts/${id}/code`);
    expect(receiver.received).toHaveLength(5);
    const sixth = await oscar.send(`/profile/contacts/${id}/code`);
    expect(await expectPage(sixth, 422)).toContain('Five codes were sent within an hour');
    expect(receiver.received).toHaveLength(5);
  });

  test.each([
    [{ kind: 'sms', address: '0151 2345678' }, 'not what is asked for'],
    [{ kind: 'sms', address: 'javascript:alert(1)' }, 'not what is asked for'],
    [{ kind: 'pushover', address: 'short' }, 'not what is asked for'],
    [{ kind: 'telegram', address: '@oscar' }, 'not what is asked for'],
    [{ kind: 'ntfy', address: 'ftp://ntfy.sh/topic' }, 'not what is asked for'],
    [{ kind: 'ntfy', address: 'https://user:secret@ntfy.sh/topic' }, 'not what is asked for'],
    [{ kind: 'gotify', address: 'https://gotify.lab.example' }, 'A token'],
    [{ kind: 'gotify', address: 'https://gotify.lab.example', secret: 'two words' }, 'A token'],
    [{ kind: 'smoke', address: 'signals' }, 'not offered'],
    [{ kind: 'email', after_minutes: '-1' }, 'minutes from 0 to 1440'],
    [{ kind: 'email', after_minutes: '1e9' }, 'minutes from 0 to 1440'],
    [{ kind: 'email', during: 'never' }, 'minutes from 0 to 1440'],
  ])('%j is refused', async (form, words) => {
    expect(await expectPage(await add(form as unknown as Record<string, string>), 422)).toContain(words);
    expect(await ids()).toEqual([]);
  });

  test('nobody changes that of somebody else, and only its kind is seen by administrators', async () => {
    const id = await addSms();
    const vera = await signedIn(server, lab.vera);
    for (const verb of ['prove', 'code', 'change', 'remove'])
      expect((await vera.send(`/profile/contacts/${id}/${verb}`, { code: '1' })).status).toBe(404);
    const members = await (await signedIn(server, lab.ada)).read('/settings/members');
    expect(members).toContain('SMS');
    expect(members).not.toContain('1512345678');
  });

  test('what its maker says when a code cannot be sent is shown, without secrets', async () => {
    await receive(answers(401, 'bot123:bot-token is wrong'));
    const refusedPage = await expectPage(await add({ kind: 'telegram', address: '4711' }), 422);
    expect(refusedPage).toContain('The code could not be sent');
    expect(refusedPage).not.toContain('bot-token');
  });
});

const usable = async () =>
  (
    await server.db.query<{ kind: string }>(sql`
      select kind from contact_method where account_id = ${lab.oscar.id} and verified_at is not null and disabled_at is null`)
  ).map(({ kind }) => kind);

/** `3 critical sms`: minutes since `from`, what, and by what. */
async function told(freezer: Freezer, from: Date): Promise<string[]> {
  const rows = await server.db.query<{ at: Date; kind: string; way: string }>(sql`
    select delivery.created_at as "at", kind, coalesce(via, recipient) as "way" from delivery
    join notification on notification.id = notification_id
    where delivery.service_id = ${freezer.id} and delivery.state <> 'dropped' order by delivery.id`);
  return rows.map(
    ({ at, kind, way }) => `${Math.round((at.getTime() - from.getTime()) / minutes(1))} ${kind} ${way}`,
  );
}

async function watched(settings: Record<string, unknown> = {}) {
  await lab.group({ name: 'Cold team', accounts: [lab.oscar.email] });
  const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0, ...settings }));
  return freezer;
}

describe('the plan', () => {
  test('without methods it is mail at once; with one at once it is that one', async () => {
    const freezer = await watched();
    const from = server.clock.read();
    await freezer.reads(HOT);
    await lab.tick();
    expect(await told(freezer, from)).toEqual([`0 critical ${lab.oscar.email}`]);
    await sendAll(server);
    await addSms();
    await lab.tick();
    await lab.tick();
    expect(await told(freezer, from)).toEqual([`0 critical ${lab.oscar.email}`, '0 critical sms']);
  });

  test('a method that waits is told only while nobody has acknowledged by then', async () => {
    await add({ kind: 'email' });
    await addSms({ after_minutes: '3', only_critical: 'on' });
    const freezer = await watched();
    const from = server.clock.read();
    await freezer.reads(HOT);
    await lab.tick();
    await pass(lab, 2);
    expect(await told(freezer, from)).toEqual(['0 critical email']);
    await sendAll(server);
    await pass(lab, 2);
    expect(await told(freezer, from)).toEqual(['0 critical email', '3 critical sms']);
    await sendAll(server);
    await freezer.reads(NORMAL);
    await lab.tick();
    const ends = (await told(freezer, from)).slice(2).map((line) => line.replace(/^\d+ /, ''));
    expect(ends.sort()).toEqual([expect.stringMatching(/^recovery \d+$/), `recovery ${lab.oscar.email}`]);
  });

  test('acknowledged before it is due, it is not told', async () => {
    await add({ kind: 'email' });
    await addSms({ after_minutes: '3' });
    const freezer = await watched({ send_acknowledgements: false });
    const from = server.clock.read();
    await freezer.reads(HOT);
    await lab.tick();
    await pass(lab, 1);
    await sendAll(server);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await pass(lab, 4);
    expect(await told(freezer, from)).toEqual(['0 critical email']);
  });

  test('where all are for critical alarms, warnings come by mail', async () => {
    await addSms({ only_critical: 'on' });
    const freezer = await watched();
    const from = server.clock.read();
    await freezer.reads(WARM);
    await lab.tick();
    expect(await told(freezer, from)).toEqual([`0 warning ${lab.oscar.email}`]);
    await sendAll(server);
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    await lab.tick();
    expect((await told(freezer, from)).at(-1)).toMatch(/critical sms$/);
  });

  test('a group without steps has no last resort, whatever its people say', async () => {
    await addSms({ after_minutes: '3' });
    const freezer = await watched();
    await freezer.reads(HOT);
    await pass(lab, 12);
    const steps = await server.db.query(
      sql`select step from step_opened where service_id = ${freezer.id} and step = 9`,
    );
    expect(steps).toEqual([]);
  });
});

describe('what arrives', () => {
  const letter = {
    id: '77',
    createdAt: new Date(),
    notices: [
      {
        notificationId: '1',
        subject: 'critical',
        mark: null,
        isRepeat: false,
        organizationName: 'Cell Biology',
        isOneOfSeveral: false,
        groupName: 'Cold team',
        serviceId: 1,
        serviceName: 'Freezer 3',
        locationName: 'Room 101',
        episodeId: '1',
        severity: 'critical',
        message: '',
        said: 'temperature −61.2 °C is above −65 °C',
        serviceUrl: 'https://tocsin.lab.example/services/1',
        alarmsUrl: 'https://tocsin.lab.example/',
        acknowledgeUrl: 'https://tocsin.lab.example/acknowledge/abcdefghijklmnopqrstuvwx',
        acknowledgedBy: null,
        comment: null,
        since: null,
      },
    ],
    language: english,
  } as never;
  const send = (recipient: Record<string, unknown>) =>
    createMethodTransport({
      settings: () => ({ providers, publicUrl: 'https://tocsin.lab.example' }),
      allowPrivate: true,
    }).send(letter, { id: 1, secret: null, ...recipient } as never, new Date(), new AbortController().signal);

  test('an SMS fits into one, with its link whole', async () => {
    const receiver = await receive(answers(200, '{"id":"s1"}'));
    expect(await send({ kind: 'sms', address: '+491512345678' })).toMatchObject({
      isSent: true,
      providerId: 's1',
    });
    const text = new URLSearchParams(receiver.received[0]?.text).get('message') ?? '';
    expect(text.length).toBeLessThanOrEqual(160);
    expect(text).toMatch(
      /^CRITICAL Freezer 3 \(Room 101\): temperature -61\.2 C .*https:\/\/tocsin\.lab\.example\/acknowledge\/abcdefghijklmnopqrstuvwx$/,
    );
  });

  test('Pushover repeats a critical alarm until somebody confirms it', async () => {
    const receiver = await receive(
      answers(200, '{"status":1,"receipt":"r1"}'),
      answers(200, '{"status":0,"errors":["user is invalid"]}'),
    );
    const address = 'u'.repeat(30);
    expect(await send({ kind: 'pushover', address })).toMatchObject({ isSent: true, providerId: 'r1' });
    expect(receiver.received[0]).toMatchObject({
      path: '/1/messages.json',
      body: {
        token: 'app-token',
        user: address,
        priority: 2,
        retry: 60,
        expire: 3600,
        url_title: 'Acknowledge',
      },
    });
    expect(await send({ kind: 'pushover', address })).toMatchObject({ isSent: false });
  });

  test('Telegram says how long to wait, and that a person has blocked the bot', async () => {
    const receiver = await receive(
      answers(429, '{"ok":false,"error_code":429,"parameters":{"retry_after":7}}'),
      answers(403, '{"ok":false,"description":"Forbidden: bot was blocked by the user"}'),
      answers(200, '{"ok":true,"result":{"message_id":5}}'),
    );
    expect(await send({ kind: 'telegram', address: '4711' })).toMatchObject({
      retryAfterMs: 7000,
      isGone: false,
    });
    expect(await send({ kind: 'telegram', address: '4711' })).toMatchObject({ isSent: false, isGone: true });
    expect(await send({ kind: 'telegram', address: '4711' })).toMatchObject({ isSent: true });
    expect(receiver.received[0]).toMatchObject({
      path: '/bot123:bot-token/sendMessage',
      body: { chat_id: '4711', link_preview_options: { is_disabled: true } },
    });
  });

  test('ntfy, Gotify and Signal', async () => {
    const receiver = await receive(answers(200, '{}'), answers(200, '{}'), answers(201, '{}'));
    await send({ kind: 'ntfy', address: `${receiver.url}/cold-team`, secret: 'tk_1' });
    await send({ kind: 'gotify', address: `${receiver.url}/push/`, secret: 'A1' });
    await send({ kind: 'signal', address: '+491512345678' });
    expect(receiver.received).toMatchObject([
      { path: '/', headers: { authorization: 'Bearer tk_1' }, body: { topic: 'cold-team', priority: 5 } },
      { path: '/push/message', headers: { 'x-gotify-key': 'A1' }, body: { priority: 10 } },
      { path: '/v2/send', body: { number: '+491510000000', recipients: ['+491512345678'] } },
    ]);
  });

  test('what the operator set up keeps the path of its address', async () => {
    const receiver = await receive(
      answers(201, '{}'),
      answers(200, '{"status":1}'),
      answers(200, '{"ok":true}'),
    );
    for (const one of [providers.pushover, providers.telegram, providers.signal])
      if (one) one.url = `${receiver.url}/behind/a/proxy`;
    await send({ kind: 'signal', address: '+491512345678' });
    await send({ kind: 'pushover', address: 'u'.repeat(30) });
    if (providers.telegram) providers.telegram.url += '/';
    await send({ kind: 'telegram', address: '4711' });
    expect(receiver.received.map(({ path }) => path)).toEqual([
      '/behind/a/proxy/v2/send',
      '/behind/a/proxy/1/messages.json',
      '/behind/a/proxy/bot123:bot-token/sendMessage',
    ]);
  });

  test('what a person typed in is guarded, what the operator set up is not', async () => {
    const receiver = await receive(answers(200, '{}'));
    const guarded = createMethodTransport({
      settings: () => ({ providers, publicUrl: 'https://x.example' }),
      allowPrivate: false,
    });
    const to = (kind: string, address: string) =>
      guarded.send(
        letter,
        { id: 1, secret: null, kind, address } as never,
        new Date(),
        new AbortController().signal,
      );
    expect(await to('ntfy', `${receiver.url}/topic`)).toMatchObject({ isSent: false });
    expect(await to('sms', '+491512345678')).toMatchObject({ isSent: true });
    expect(receiver.received).toHaveLength(1);
  });
});

test('a number that was closed by wrong answers says so, and is opened by a new code', async () => {
  const id = await addSms();
  expect(await oscar.read('/profile/contacts')).not.toContain(`contacts/${id}/prove`);
  await server.db.query(sql`update contact_method set reply_failures = 5 where id = ${Number(id)}`);
  const page = await oscar.read('/profile/contacts');
  expect(page).toContain('Five wrong codes or PINs came from it');
  expect(page).toContain('in use');
  const receiver = await receive(answers(200, '{}'));
  await oscar.send(`/profile/contacts/${id}/code`);
  const code = /\d{6}/.exec(new URLSearchParams(receiver.received[0]?.text).get('message') ?? '')?.[0] ?? '';
  await oscar.send(`/profile/contacts/${id}/prove`, { code });
  expect(await oscar.read('/profile/contacts')).not.toContain('Five wrong codes');
});

test.each([
  ['none', {}, /Reply (\d{4}) to acknowledge or \1 NO\. https:/],
  ['a PIN', { pin: '90210' }, /Reply (\d{4}) and your PIN to acknowledge or \1 NO\. https:/],
  ['a PIN that is missing', { pin: null }, /Replies need a PIN: set one on your profile\. https:/],
  ['nothing by a viewer, whose answer would be refused', { role: 'viewer' }, /^((?!Repl).)*https:\S+$/],
  ['nothing by a viewer who has no PIN', { role: 'viewer', pin: null }, /^((?!Repl).)*https:\S+$/],
] as [string, { pin?: string | null; role?: string }, RegExp][])(
  'an SMS says how it is answered: with %s',
  async (_, { pin, role = 'operator' }, words) => {
    await addSms();
    await server.db.query(sql`update membership set role = ${role} where account_id = ${lab.oscar.id}`);
    // What somebody may do elsewhere is of no use here.
    await grantRole(server, lab.oscar, await organizationOf(server, lab.olga), 'administrator');
    if (pin !== undefined) await lab.organizationEntry({ phone_pin_required: true });
    if (pin) await oscar.send('/profile/contacts/pin', { pin, pin_again: pin, current_password: PASSWORD });
    const receiver = await receive(answers(200, '{"id":"s1"}'));
    const sms = providers.sms && { ...providers.sms, takesReplies: true, hookSecret: 'secret' };
    const method = createMethodTransport({
      settings: () => ({ providers: { ...providers, sms }, publicUrl: 'https://tocsin.lab.example' }),
      allowPrivate: true,
    });
    const deliverer = createDeliverer({
      db: server.db,
      clock: server.clock.read,
      log: pino({ level: 'silent' }),
      transports: { ...openPostbox().transports, method },
      publicUrl: () => 'https://tocsin.lab.example',
      signer: server.signer,
      metrics: null,
    });
    const freezer = await watched();
    await freezer.reads(HOT);
    await lab.tick();
    server.clock.advance(minutes(1));
    await formLetters(server.db, server.clock.read());
    await deliverer.work();
    await deliverer.settle();
    const texts = receiver.received.map(({ text }) => new URLSearchParams(text).get('message') ?? '');
    const [own = ''] = texts.filter((text) => text.includes('CRITICAL'));

    expect(own).toMatch(words);
    expect(own.length).toBeLessThanOrEqual(160);
  },
);

test('a receiver that is gone is switched off, and its owner hears of it by mail', async () => {
  await addSms();
  const freezer = await watched();
  const postbox = openPostbox();
  postbox.answer = () => refused('gone', { isGone: true } as never);
  const deliverer = createDeliverer({
    db: server.db,
    clock: server.clock.read,
    log: pino({ level: 'silent' }),
    transports: postbox.transports,
    publicUrl: () => 'https://tocsin.lab.example',
    signer: server.signer,
    metrics: null,
  });
  await freezer.reads(HOT);
  await lab.tick();
  server.clock.advance(minutes(1));
  await formLetters(server.db, server.clock.read());
  await deliverer.work();
  await deliverer.settle();
  expect(await usable()).toEqual([]);
  const mails = await server.db.query(sql`select kind from account_mail where account_id = ${lab.oscar.id}`);
  expect(mails).toEqual([{ kind: 'contact_off' }]);
  await lab.tick();
  await lab.tick();
  expect(await told(freezer, server.clock.read())).toContainEqual(expect.stringContaining(lab.oscar.email));
});
