// Callbacks of providers, signed as they document it: receipts, answers by SMS, keys in a call.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetAnswers } from '../../src/engine/outbox/answers-taken.ts';
import type { ProviderSettings } from '../../src/engine/providers/providers.ts';
import { readProviderSettings } from '../../src/engine/providers/read-provider-settings.ts';
import { makeReplyCode } from '../../src/platform/auth/reply-code.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { organizationOf } from '../support/equipment.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { speakMadeUp } from '../support/made-up-language.ts';
import { minutes } from '../support/movable-clock.ts';
import { HOT, NORMAL, watchedBy } from '../support/notification-desk.ts';
import { PASSWORD } from '../support/people.ts';
import { grantRole } from '../support/settings-desk.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

const PUBLIC = 'https://tocsin.lab.example';
const SECRET = 'hook-secret';
const NUMBER = '+491512345678';

const channelsOf = (sms: string): ProviderSettings => {
  const read = readProviderSettings(`sms: { ${sms} }`);
  if (typeof read === 'string') throw new Error(read);
  return read;
};
const GATEWAYS = {
  twilio: channelsOf(`gateway: twilio, user: AC1, password: ${SECRET}, from: "+4930", replies: true`),
  vonage: channelsOf(
    `gateway: vonage, user: k, password: p, from: Tocsin, hook_secret: ${SECRET}, replies: true`,
  ),
  messagebird: channelsOf(`gateway: messagebird, token: t, from: Tocsin, hook_secret: ${SECRET}`),
  '46elks': channelsOf(
    `gateway: 46elks, user: u, password: p, from: Tocsin, hook_secret: ${SECRET}, replies: true`,
  ),
};
type Gateway = keyof typeof GATEWAYS;

/** Each message and each call has one of its own. */
let sids = 0;
const nextSid = () => {
  sids += 1;
  return `SID${sids}`;
};

let server: TestServer;
const servers = new Map<Gateway, Promise<TestServer>>();
const at = (gateway: Gateway) => {
  const known =
    servers.get(gateway) ??
    startServerOn(server.db, { providers: GATEWAYS[gateway], publicUrl: new URL(PUBLIC) });
  servers.set(gateway, known);
  return known;
};

let lab: Lab;
let freezer: Freezer;
let method: number;
let letter: string;
beforeEach(async () => {
  server ??= await startServer();
  lab = await openLab(server);
  await lab.group({
    name: 'Cold team',
    accounts: [lab.oscar.email],
    steps: [{ step: 1, after_minutes: 30 }],
    told: [{ step: 1, account: lab.ada.email }],
  });
  freezer = await lab.freezer(
    watchedBy('Cold team', { repeat_interval_minutes: 0, send_acknowledgements: false }),
  );
  ({ method, letter } = await tell('sms'));
});

/** Oscar is told by a method of that kind, and the message has left. */
async function tell(kind: 'sms' | 'voice', account = lab.oscar.id) {
  const now = server.clock.read();
  await server.db.query(sql`delete from contact_method where address = ${NUMBER}`);
  const [made] = await server.db.query<{ id: number }>(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    values (${account}, ${kind}, ${NUMBER}, ${now}, ${now}) returning id`);
  await freezer.reads(HOT);
  await lab.tick();
  const [row] = await server.db.query<{ id: string }>(sql`
    with made as (
      insert into letter (group_id, transport, recipient, lane, next_attempt_at, created_at, state, finished_at)
      select group_id, 'method', ${String(made?.id)}, 'method sms', ${now}, ${now}, 'sent', ${now}
      from notification where service_id = ${freezer.id} and kind = 'critical' limit 1 returning id)
    insert into delivery (notification_id, service_id, transport, recipient, state, next_attempt_at, created_at, letter_id, via,
      provider_id, sent_at, account_id)
    select notification.id, service_id, 'method', ${`${made?.id}`}, 'sent', ${now}, ${now}, made.id, ${kind}, ${`p${made?.id}`}, ${now}, ${account}
    from notification, made where service_id = ${freezer.id} and kind = 'critical' limit 1
    on conflict (notification_id, transport, recipient) do update
      set letter_id = excluded.letter_id, provider_id = excluded.provider_id, state = 'sent', sent_at = excluded.sent_at
    returning letter_id as id`);
  return { method: made?.id ?? 0, letter: row?.id ?? '' };
}

async function call(gateway: Gateway, what: string, fields: Record<string, string>, secret = SECRET) {
  const send = await sign(gateway, what, fields, secret);
  return send();
}

/** What its provider would send: the answer sends it, also again, to whichever program answers there. */
async function sign(gateway: Gateway, what: string, fields: Record<string, string>, secret = SECRET) {
  const there = await at(gateway);
  const path = gateway === '46elks' ? `/hooks/46elks/${secret}/${what}` : `/hooks/${gateway}/${what}`;
  const isJson = gateway === 'vonage' || gateway === 'messagebird';
  const body = isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
  const headers: Record<string, string> = {
    'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
  };
  const now = Math.floor(there.clock.read().getTime() / 1000);
  const digest = createHash('sha256').update(body);
  if (gateway === 'twilio')
    headers['x-twilio-signature'] = createHmac('sha1', secret)
      .update(
        PUBLIC +
          path +
          Object.keys(fields)
            .sort()
            .map((name) => name + fields[name])
            .join(''),
      )
      .digest('base64');
  if (gateway === 'vonage')
    headers.authorization = `Bearer ${await new SignJWT({ payload_hash: digest.digest('hex') })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(now)
      .sign(Buffer.from(secret))}`;
  if (gateway === 'messagebird') {
    headers['messagebird-request-timestamp'] = String(now);
    headers['messagebird-signature'] = createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from(`${now}\n${PUBLIC}${path}\n`), digest.digest()]))
      .digest('base64');
  }
  return ({ url }: Pick<TestServer, 'url'> = there) => fetch(url + path, { method: 'POST', headers, body });
}

const deliveryOf = async () =>
  (
    await server.db.query<{ state: string; received: boolean; how: string | null }>(sql`
      select state, received_at is not null as "received", confirmed_how as "how" from delivery where letter_id = ${letter}`)
  )[0];
const acknowledgedBy = async () =>
  (
    await server.db.query<{ by: string }>(sql`
      select account_name as "by" from acknowledgement where service_id = ${freezer.id} and ended_at is null`)
  ).map(({ by }) => by);

const REPORTS: [Gateway, Record<string, string>, Record<string, string>][] = [
  [
    'twilio',
    { MessageSid: 'ID', MessageStatus: 'delivered' },
    { MessageSid: 'ID', MessageStatus: 'undelivered' },
  ],
  ['vonage', { message_uuid: 'ID', status: 'delivered' }, { message_uuid: 'ID', status: 'rejected' }],
  ['messagebird', { id: 'ID', status: 'delivered' }, { id: 'ID', status: 'delivery_failed' }],
  ['46elks', { id: 'ID', status: 'delivered' }, { id: 'ID', status: 'failed' }],
];

describe.each(REPORTS)('%s', (gateway, delivered, lost) => {
  const named = (fields: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value === 'ID' ? `p${method}` : value]),
    );

  test('says that a message arrived, any number of times', async () => {
    expect((await call(gateway, 'status', named(delivered))).status).toBe(204);
    expect((await call(gateway, 'status', named(delivered))).status).toBe(204);
    expect(await deliveryOf()).toEqual({ state: 'sent', received: true, how: null });
    expect((await call(gateway, 'status', named(lost))).status).toBe(204);
    expect((await deliveryOf())?.state).toBe('sent');
  });

  test('says that it will not arrive: it counts as failed', async () => {
    await call(gateway, 'status', named(lost));
    expect((await deliveryOf())?.state).toBe('failed');
  });

  test('is not believed without its signature', async () => {
    expect((await call(gateway, 'status', named(delivered), 'another')).status).toBe(403);
    const there = await at(gateway);
    const bare = await fetch(`${there.url}/hooks/${gateway}/status`, { method: 'POST', body: '{}' });
    expect([403, 404]).toContain(bare.status);
    expect((await deliveryOf())?.received).toBe(false);
  });
});

const DOCUMENTED = [
  ...readFileSync(join(projectRoot, 'docs/on-call.md'), 'utf8').matchAll(
    /`PUBLIC(\/hooks\/([\w-]+)\/[^`]*)`/g,
  ),
].map(([, path = '', gateway = '']) => [gateway as Gateway, path] as const);

test('the documents name where each provider calls back', () => {
  expect(new Set(DOCUMENTED.map(([gateway]) => gateway))).toEqual(new Set(Object.keys(GATEWAYS)));
});

test.each(DOCUMENTED)('the documents name an address of %s that is there: %s', async (gateway, path) => {
  const there = await at(gateway);
  const real = path.replace('SECRET', 'another').replace('LETTER', letter);
  const answer = await fetch(there.url + real, { method: 'POST', body: 'a=b' });
  expect([answer.status, await answer.json()]).toEqual([403, { detail: 'Not signed' }]);
});

describe('an answer by SMS', () => {
  const reply = (text: string, from = NUMBER) =>
    call('twilio', 'sms', { MessageSid: nextSid(), From: from, Body: text });
  const code = () => makeReplyCode(SECRET, method, letter);
  const wrong = () => String((Number(code()) + 1) % 10_000).padStart(4, '0');

  test('acknowledges with the code of the message, in the name of its owner', async () => {
    expect(await (await reply(`${code()} thanks`)).text()).toContain('Acknowledged.');
    expect(await acknowledgedBy()).toEqual(['Oscar']);
    expect(await deliveryOf()).toEqual({ state: 'sent', received: true, how: 'reply' });
    expect(await (await reply(code())).text()).toContain('nothing to acknowledge');
  });

  test('takes over what somebody hands to its owner', async () => {
    await lab.ada.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    const answer = await lab.ada.post(`/alarms/${freezer.id}/hand-over`, { to: String(lab.oscar.id) });
    expect(answer.headers.get('location')).toContain('done=hand-over');
    expect(await acknowledgedBy()).toEqual(['Ada']);
    expect(await (await reply(code())).text()).toContain('Acknowledged.');
    expect(await acknowledgedBy()).toEqual(['Oscar']);
  });

  test('NO beside the code opens the next step, and gives back what was taken', async () => {
    await reply(code());
    expect(await acknowledgedBy()).toEqual(['Oscar']);
    expect(await (await reply(`${code()} NO`)).text()).toContain('step 1 is notified');
    expect(await acknowledgedBy()).toEqual([]);
    expect(await (await reply(`${code()} no`)).text()).toContain(
      'everybody else of the group is notified again',
    );
    expect(await (await reply(wrong())).text()).toContain('not the code');
  });

  test.each<Gateway>(['vonage', '46elks'])('by %s too', async (gateway) => {
    const fields =
      gateway === 'vonage' ? { from: NUMBER.slice(1), text: code() } : { from: NUMBER, message: code() };
    expect((await call(gateway, 'sms', fields)).status).toBe(200);
    expect(await acknowledgedBy()).toEqual(['Oscar']);
  });

  test('counts for nothing from another number, or with another code', async () => {
    expect(await (await reply(code(), '+4930999999')).text()).not.toContain('Message');
    expect(await (await reply(wrong())).text()).toContain('not the code');
    expect(await (await reply('I am on my way')).text()).toContain('four digits');
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('five wrong codes close it, the right one included', async () => {
    for (let i = 0; i < 5; i += 1) await reply(wrong());
    expect(await (await reply(code())).text()).toContain('Too many wrong codes');
    expect(await acknowledgedBy()).toEqual([]);
  });

  const offReason = async () =>
    (
      await server.db.query<{ reason: string | null }>(
        sql`select disabled_reason as "reason" from contact_method where id = ${method}`,
      )
    )[0]?.reason;

  test('STOP from a sender that anybody can forge switches nothing off: it takes a code that was sent there', async () => {
    await reply('STOP');
    expect(await (await reply(`STOP ${wrong()}`)).text()).toContain('not the code');
    expect(await offReason()).toBeNull();
    expect(await (await reply(`STOP ${code()}`)).text()).toContain('You get no more messages');
    expect(await offReason()).toBe('STOP came from it');
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('STOP switches the number off, and its owner hears of it', async () => {
    const said = await (await reply(' Stop ')).text();
    expect(await offReason()).toBeNull();
    const [, stop = ''] = /Reply (STOP \d{4}) to get no more/.exec(said) ?? [];
    expect(await (await reply(`${stop}.`)).text()).toContain('You get no more messages');
    expect(await offReason()).toBe('STOP came from it');
    expect(await (await reply(code())).text()).not.toContain('Acknowledged');
  });

  test('of a viewer acknowledges nothing', async () => {
    await server.db.query(sql`update contact_method set account_id = ${lab.vera.id} where id = ${method}`);
    expect(await (await reply(code())).text()).toContain('You may not acknowledge');
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('to an alarm that is over, or a newer one, changes nothing', async () => {
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    expect(await (await reply(code())).text()).toContain('nothing to acknowledge');
    expect(await acknowledgedBy()).toEqual([]);
  });
});

describe('a key in a call', () => {
  const press = (key: string, id = letter) =>
    call('twilio', `voice/${id}`, { CallSid: nextSid(), Digits: key });
  beforeEach(async () => {
    ({ method, letter } = await tell('voice'));
  });

  test('1 acknowledges, and is answered in words', async () => {
    expect(await (await press('1')).text()).toContain('<Say>Acknowledged.</Say>');
    expect(await acknowledgedBy()).toEqual(['Oscar']);
    expect(await deliveryOf()).toEqual({ state: 'sent', received: true, how: 'key' });
  });

  test('2 opens the next step, until there is none', async () => {
    expect(await (await press('2')).text()).toContain('step 1 is notified');
    const steps = await server.db.query(sql`
      select why from step_opened where service_id = ${freezer.id} and step = 1`);
    expect(steps).toEqual([{ why: { code: 'passed_on', by: 'Oscar', how: 'telephone' } }]);
    expect(await (await press('2')).text()).toContain('no further step');
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('9 repeats all of it: which unit it is, where, and what is wrong', async () => {
    await server.db.query(sql`
      with place as (
        insert into location (organization_id, name) values (${lab.organization}, 'Room 101') returning id),
      held as (
        insert into asset (organization_id, name, location_id) select ${lab.organization}, 'ULT-1', id from place returning id)
      update service set name = 'Freezer <3>', asset_id = held.id from held where service.id = ${freezer.id}`);
    const said = await (await press('9')).text();
    expect(said).toContain('<Gather');
    expect(said).toContain('Freezer &lt;3&gt; (Room 101)');
    expect(said).toContain('Temperature −50 °C is above the critical limit');
    expect(said).toContain('Press 1 to acknowledge, 2 to pass it on, 9 to hear it again.');
  });

  test('9 repeats what is said of a service of which nothing comes, too', async () => {
    await server.db.query(sql`
      update notification set kind = 'system', subject = 'stale', severity = 'stale', message = 'No data for 20 minutes'
      where service_id = ${freezer.id}`);
    expect(await (await press('9')).text()).toContain('No data for 20 minutes');
  });

  test('nothing is acknowledged by a key of another call', async () => {
    expect(await (await press('1', '999999999')).text()).toContain('nothing to acknowledge');
    expect(await (await press('1', 'x')).text()).toContain('nothing to acknowledge');
    expect(await acknowledgedBy()).toEqual([]);
  });
});

describe('what comes again', () => {
  const code = () => makeReplyCode(SECRET, method, letter);
  const takesBack = async () =>
    expect((await lab.oscar.post(`/api/v1/alarms/${freezer.id}/unacknowledge`)).status).toBe(200);
  const REPLIES: [Gateway, (text: string, id: string) => Record<string, string>][] = [
    ['twilio', (text, id) => ({ MessageSid: id, From: NUMBER, Body: text })],
    ['vonage', (text, id) => ({ message_uuid: id, from: NUMBER.slice(1), text })],
    ['46elks', (text, id) => ({ id, from: NUMBER, message: text })],
    // Without an id it is known by all that is in it.
    ['vonage', (text) => ({ from: NUMBER.slice(1), text })],
  ];

  test.each(REPLIES)('by SMS acknowledges nothing: %s', async (gateway, write) => {
    const send = await sign(gateway, 'sms', write(code(), `${letter}-one`));
    expect((await send()).status).toBe(200);
    expect(await acknowledgedBy()).toEqual(['Oscar']);
    await takesBack();
    const again = await send();
    expect([again.status, await again.text()]).toEqual([200, '']);
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('another answer with the same words counts', async () => {
    await call('twilio', 'sms', { MessageSid: `${letter}-one`, From: NUMBER, Body: code() });
    await takesBack();
    await call('twilio', 'sms', { MessageSid: `${letter}-two`, From: NUMBER, Body: code() });
    expect(await acknowledgedBy()).toEqual(['Oscar']);
  });

  test('to another program, too, and at once', async () => {
    const other = await startServerOn(server.db, {
      providers: GATEWAYS.twilio,
      publicUrl: new URL(PUBLIC),
    });
    const wrong = String((Number(code()) + 1) % 10_000).padStart(4, '0');
    const guess = await sign('twilio', 'sms', { MessageSid: `${letter}-guess`, From: NUMBER, Body: wrong });
    await Promise.all([guess(), guess(other), guess(), guess(other)]);
    const [counted] = await server.db.query<{ count: number }>(sql`
      select reply_failures as "count" from contact_method where id = ${method}`);
    expect(counted?.count).toBe(1);
    const send = await sign('twilio', 'sms', { MessageSid: `${letter}-right`, From: NUMBER, Body: code() });
    await send();
    await takesBack();
    await Promise.all([send(other), send()]);
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('STOP that comes again does not switch a number off that was confirmed anew', async () => {
    const send = await sign('twilio', 'sms', {
      MessageSid: `${letter}-stop`,
      From: NUMBER,
      Body: `STOP ${code()}`,
    });
    await send();
    await server.db.query(sql`update contact_method set disabled_at = null where id = ${method}`);
    await send();
    const [row] = await server.db.query<{ off: boolean }>(sql`
      select disabled_at is not null as "off" from contact_method where id = ${method}`);
    expect(row?.off).toBe(false);
  });

  test('by a key acknowledges nothing, and passes nothing on', async () => {
    ({ method, letter } = await tell('voice'));
    await lab.group({
      name: 'Cold team',
      steps: [
        { step: 1, after_minutes: 30 },
        { step: 2, after_minutes: 60 },
      ],
    });
    const passOn = await sign('twilio', `voice/${letter}`, { CallSid: `CA${letter}`, Digits: '2' });
    await Promise.all([passOn(), passOn()]);
    const steps = await server.db.query(sql`
      select step from step_opened where service_id = ${freezer.id} and step > 0`);
    expect(steps).toEqual([{ step: 1 }]);
    const take = await sign('twilio', `voice/${letter}`, { CallSid: `CA${letter}`, Digits: '1' });
    expect(await (await take()).text()).toContain('<Say>Acknowledged.</Say>');
    await takesBack();
    expect(await (await take()).text()).not.toContain('Acknowledged.');
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('by a PIN acknowledges nothing', async () => {
    ({ method, letter } = await tell('voice'));
    await lab.organizationEntry({ phone_pin_required: true });
    await lab.oscar.post('/profile/contacts/pin', {
      pin: '90210',
      pin_again: '90210',
      current_password: PASSWORD,
    });
    const type = await sign('twilio', `voice/${letter}/pin/1`, { CallSid: `CA${letter}`, Digits: '90210' });
    expect(await (await type()).text()).toContain('<Say>Acknowledged.</Say>');
    await takesBack();
    expect(await (await type()).text()).not.toContain('Acknowledged.');
    expect(await acknowledgedBy()).toEqual([]);
  });

  test('what was taken is forgotten after a week, when nothing it could answer is left', async () => {
    await call('twilio', 'sms', { MessageSid: `${letter}-old`, From: NUMBER, Body: code() });
    const now = server.clock.read();
    const count = async () =>
      (await server.db.query<{ count: number }>(sql`select count(*)::int as "count" from answer_taken`))[0]
        ?.count ?? 0;
    const before = await count();
    await forgetAnswers(server.db, new Date(now.getTime() + minutes(6 * 24 * 60)));
    expect(await count()).toBe(before);
    await forgetAnswers(server.db, new Date(now.getTime() + minutes(8 * 24 * 60)));
    expect(await count()).toBe(0);
  });
});

describe('where the organization asks for a PIN', () => {
  const PIN = '90210';
  const reply = async (text: string) =>
    (await call('twilio', 'sms', { MessageSid: nextSid(), From: NUMBER, Body: text })).text();
  const press = async (key: string) =>
    (await call('twilio', `voice/${letter}`, { CallSid: `CA${letter}`, Digits: key })).text();
  const type = async (pin: string, attempt: number) =>
    (await call('twilio', `voice/${letter}/pin/${attempt}`, { Digits: pin, CallSid: `CA${letter}` })).text();
  const code = () => makeReplyCode(SECRET, method, letter);
  const setsPin = (pin: string) =>
    lab.oscar.post('/profile/contacts/pin', { pin, pin_again: pin, current_password: PASSWORD });
  const failures = async (id = method) =>
    (
      await server.db.query<{ count: number }>(
        sql`select reply_failures as "count" from contact_method where id = ${id}`,
      )
    )[0]?.count;
  const addWay = async (kind: 'sms' | 'voice') =>
    (
      await server.db.query<{ id: number }>(sql`
        insert into contact_method (account_id, kind, address, verified_at, created_at)
        select account_id, ${kind}, address, verified_at, created_at from contact_method where id = ${method} returning id`)
    )[0]?.id;

  beforeEach(async () => {
    await lab.organizationEntry({ phone_pin_required: true });
    expect((await setsPin(PIN)).status).toBe(303);
  });

  describe('an answer by SMS', () => {
    test('needs the code and the PIN, in this order', async () => {
      expect(await reply(code())).toContain('Reply with the code and your PIN');
      expect(await reply(`${code()} in 5 minutes`)).toContain('Reply with the code and your PIN');
      expect([await failures(), await acknowledgedBy()]).toEqual([0, []]);
      expect(await deliveryOf()).toMatchObject({ how: null });
      expect(await reply(`${code()} ${PIN}`)).toContain('Acknowledged.');
      expect(await acknowledgedBy()).toEqual(['Oscar']);
      expect(await deliveryOf()).toMatchObject({ how: 'reply' });
    });

    test('a PIN of four digits is the second number', async () => {
      const pin = code() === '4712' ? '4713' : '4712';
      await setsPin(pin);
      expect(await reply(`${pin} ${code()}`)).toContain('not the code');
      expect(await acknowledgedBy()).toEqual([]);
      expect(await reply(`${code()}-${pin}`)).toContain('Acknowledged.');
    });

    test('a wrong PIN counts like a wrong code, is on record without it, and the right one makes up for it', async () => {
      expect(await reply(`${code()} 90211`)).toContain(
        'This is not your PIN. Reply with the code and your PIN',
      );
      expect([await failures(), await acknowledgedBy()]).toEqual([1, []]);
      const records = await server.db.query<{ action: string; detail: object }>(sql`
        select action, detail from audit where detail->>'account' = ${String(lab.oscar.id)} order by id`);
      expect(records.at(-1)).toEqual({
        action: 'account.wrong_phone_pin',
        detail: { account: lab.oscar.id, via: 'sms' },
      });
      expect(await reply(`${code()} ${PIN}`)).toContain('Acknowledged.');
      expect(await failures()).toBe(0);
      const [secrets] = await server.db.query<{ count: number }>(sql`
        select count(*)::int as "count" from audit where detail::text like ${`%${PIN}%`} or detail::text like '%argon2%'`);
      expect(secrets?.count).toBe(0);
    });

    test('five wrong ones close the number, for calls too, the right one included', async () => {
      const voice = await addWay('voice');
      for (let i = 0; i < 4; i += 1) expect(await reply(`${code()} 5021${i}`)).toContain('not your PIN');
      expect(await reply(`${code()} 90219`)).toContain('Too many wrong codes or PINs');
      expect(await reply(`${code()} ${PIN}`)).toContain('Too many wrong codes or PINs');
      expect([await failures(), await failures(voice), await acknowledgedBy()]).toEqual([5, 5, []]);
    });

    test('wrong ones at once all count, and no more than five are looked at', async () => {
      await Promise.all([reply(`${code()} 90211`), reply(`${code()} 90212`)]);
      expect(await failures()).toBe(2);
      const guesses = await Promise.all(
        ['1', '2', '3', '4', '5', '6'].map((n) => reply(`${code()} 5021${n}`)),
      );
      expect(guesses.filter((said) => said.includes('not your PIN'))).toHaveLength(2);
      expect(await failures()).toBe(5);
    });

    test('who has none is told so', async () => {
      await lab.oscar.post('/profile/contacts/pin/remove', { current_password: PASSWORD });
      expect(await reply(`${code()} ${PIN}`)).toContain('you have none. Set one on your profile');
      expect([await failures(), await acknowledgedBy()]).toEqual([0, []]);
    });

    test('needs none for alarms of an organization that does not ask, and makes up for nothing there', async () => {
      await lab.organizationEntry({ phone_pin_required: false });
      const elsewhere = await organizationOf(server, lab.olga);
      await grantRole(server, lab.oscar, elsewhere, 'operator');
      await server.db.query(sql`update organization set phone_pin_required = true where id = ${elsewhere}`);
      await server.db.query(sql`update contact_method set reply_failures = 3 where id = ${method}`);
      expect(await reply(code())).toContain('Acknowledged.');
      expect([await failures(), await acknowledgedBy()]).toEqual([3, ['Oscar']]);
    });
  });

  describe('a call', () => {
    beforeEach(async () => {
      ({ method, letter } = await tell('voice'));
    });
    const asks = (attempt: number) =>
      `<Gather finishOnKey="#" timeout="15" action="${PUBLIC}/hooks/twilio/voice/${letter}/pin/${attempt}">`;

    test('asks for it after 1', async () => {
      expect(await press('1')).toContain(asks(1));
      expect([await acknowledgedBy(), await deliveryOf()]).toMatchObject([[], { how: null }]);
      expect(await type(PIN, 1)).toContain('<Say>Acknowledged.</Say>');
      expect(await acknowledgedBy()).toEqual(['Oscar']);
      expect(await deliveryOf()).toMatchObject({ how: 'key' });
      expect(await type(PIN, 1)).toContain('taken already');
    });

    test('takes three attempts, and no fourth by beginning anew', async () => {
      await press('1');
      expect(await type('90211', 1)).toContain(asks(2));
      expect(await type('', 2)).toContain(asks(2));
      expect(await type('902*1', 2)).toContain(asks(3));
      const last = await type('90213', 3);
      expect(last).toContain('Nothing is acknowledged');
      expect(last).not.toContain('<Gather');
      await press('9');
      expect(await press('1')).not.toContain('<Gather');
      expect(await type(PIN, 4)).not.toContain('Acknowledged.');
      expect([await failures(), await acknowledgedBy()]).toEqual([3, []]);
    });

    test('an attempt that is told twice, or at once, counts once', async () => {
      const said = await Promise.all([type('90211', 1), type('90211', 1)]);
      expect(said[0]).toBe(said[1]);
      expect(await type('90211', 1)).toContain(asks(2));
      expect(await failures()).toBe(1);
      expect(await type(PIN, 2)).toContain('Acknowledged.');
      expect(await failures()).toBe(0);
    });

    test('wrong ones close the number for SMS too, within the call', async () => {
      const sms = await addWay('sms');
      await server.db.query(
        sql`update contact_method set reply_failures = 4 where id in (${sms}, ${method})`,
      );
      expect(await type('90211', 1)).toContain('Too many wrong codes or PINs');
      expect([await failures(), await failures(sms)]).toEqual([5, 5]);
      expect(await press('1')).toContain('Too many wrong codes or PINs');
      expect(await type(PIN, 2)).toContain('Too many wrong codes or PINs');
      expect(await acknowledgedBy()).toEqual([]);
    });

    test('2 needs none, 9 repeats and says that one is needed', async () => {
      expect(await press('9')).toContain('Press 1 to acknowledge by your PIN');
      expect(await press('2')).toContain('step 1 is notified');
    });

    test('who has none is told so, and can still pass it on', async () => {
      await lab.oscar.post('/profile/contacts/pin/remove', { current_password: PASSWORD });
      const said = await press('1');
      expect(said).toContain('A PIN is asked for, and you have none');
      expect(said).toContain('<Gather numDigits="1"');
      expect(await press('2')).toContain('step 1 is notified');
      expect(await acknowledgedBy()).toEqual([]);
    });

    test('is not believed without its signature', async () => {
      const forged = await call('twilio', `voice/${letter}/pin/1`, { Digits: PIN }, 'another');
      expect([forged.status, await acknowledgedBy()]).toEqual([403, []]);
    });
  });
});

describe('whoever reads another language', () => {
  const norwegian = {
    'Type your PIN, then the hash key.': 'Skriv PIN-koden, og så firkant.',
    'No PIN was typed. Nothing is acknowledged.': 'Ingen PIN.',
    'There is nothing to acknowledge any more.': 'Det er ingenting igjen.',
    'Press 1 to acknowledge, 2 to pass it on, 9 to hear it again.': 'Trykk 1, 2 eller 9.',
    'This is not the code of a message to you.': 'Feil kode.',
  };
  beforeEach(async () => {
    speakMadeUp('nb', norwegian);
    await server.db.query(sql`update account set language = 'nb' where id = ${lab.oscar.id}`);
  });

  test('is answered in it by SMS', async () => {
    const code = makeReplyCode(SECRET, method, letter);
    const wrong = String((Number(code) + 1) % 10_000).padStart(4, '0');
    const fields = { MessageSid: nextSid(), From: NUMBER, Body: wrong };
    expect(await (await call('twilio', 'sms', fields)).text()).toContain('<Message>Feil kode.</Message>');
  });

  test('hears its voice in a call, and what its keys do', async () => {
    ({ method, letter } = await tell('voice'));
    const press = async (key: string) => {
      const fields = { CallSid: nextSid(), Digits: key };
      return (await call('twilio', `voice/${letter}`, fields)).text();
    };
    expect(await press('9')).toContain('<Say language="nb-NO">Trykk 1, 2 eller 9.</Say>');
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    expect(await press('1')).toContain('<Say language="nb-NO">Det er ingenting igjen.</Say>');
  });
});
