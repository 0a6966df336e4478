// The pages on which keepers set how messages leave. Nobody else finds anything there.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeKeeper } from '../support/keeper.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';
import { answers, startWebhookReceiver } from '../support/webhook-receiver.ts';

const DELIVERY = '/settings/delivery';
const PASSWORD = 'the password of the mail server';

let server: TestServer;
let people: People;
let ada: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  await server.db.query(sql`delete from delivery_setting`);
  await server.db.query(sql`update account set is_keeper = false`);
  server.clock.advance(minutes(2));
  people = await invitePeople(server);
  await makeKeeper(server, people.ada);
  ada = await signedIn(server, people.ada);
  // What was deleted behind its back counts once it has looked.
  await ada.read(DELIVERY);
});

const records = (action: string) =>
  server.db.query<{
    detail: Record<string, unknown>;
    accountName: string;
    organizationId: number | null;
  }>(sql`
    select detail, account_name as "accountName", organization_id as "organizationId" from audit
    where action = ${action} and account_id = ${people.ada.id} order by id`);

const stored = async () =>
  (await server.db.query<{ name: string }>(sql`select name from delivery_setting order by name`)).map(
    ({ name }) => name,
  );

const mailServer = (port: number, rest: Record<string, string> = {}) => ({
  host: '127.0.0.1',
  port: String(port),
  security: 'offered',
  user: 'tocsin',
  password: PASSWORD,
  ...rest,
});
const auth = { user: 'tocsin', password: PASSWORD };

describe('whoever is no keeper', () => {
  const PLACES: [method: 'GET' | 'POST', path: string][] = [
    ['GET', ''],
    ...['public_url', 'mail_server', 'mail_from', 'sms', 'pushover', 'telegram', 'signal'].flatMap(
      (name): ['POST', string][] => [
        ['POST', `/${name}`],
        ['POST', `/${name}/remove`],
      ],
    ),
    ...['email', 'sms', 'voice', 'pushover', 'telegram', 'signal', 'push'].map((kind): ['POST', string] => [
      'POST',
      `/try/${kind}`,
    ]),
    ['POST', '/keepers/add'],
    ['POST', '/keepers/remove'],
  ];

  test.each(['vera', 'oscar', 'olga', 'nora'] as const)(
    '%s finds no such page, whatever is asked',
    async (name) => {
      const receiver = await openSmtpReceiver({ auth });
      await ada.send(`${DELIVERY}/mail_server`, mailServer(receiver.port));
      const visitor = await signedIn(server, people[name]);
      for (const [method, path] of PLACES) {
        const form = {
          ...mailServer(1),
          email: people[name].email,
          url: 'https://evil.example',
          from: 'x@evil.example',
        };
        const answer =
          method === 'GET'
            ? await visitor.open(DELIVERY + path, { 'hx-request': 'true' })
            : await visitor.send(DELIVERY + path, form, { 'hx-request': 'true' });
        expect([path, answer.status]).toEqual([path, 404]);
        expect(await answer.text()).not.toMatch(/127\.0\.0\.1,|the password|Mail server/);
      }
      expect(await stored()).toEqual(['mail_server']);
      expect(receiver.count).toBe(0);
      expect(await visitor.read('/profile')).not.toContain(DELIVERY);
    },
  );

  test('an administrator is none by that role', async () => {
    const other = await signedIn(server, people.olga);
    expect(await other.read('/settings')).not.toContain(DELIVERY);
    expect(await ada.read('/settings')).toContain(DELIVERY);
  });

  test('a keeper without any role keeps the house, and sees nothing of its organizations', async () => {
    await makeKeeper(server, people.nora);
    const nora = await signedIn(server, people.nora);
    expect(await nora.read(DELIVERY)).toContain('Mail server');
    expect((await nora.open('/settings')).status).toBe(404);
    expect((await nora.open(`/settings/members?organization=${people.organization}`)).status).toBe(404);
    expect(await nora.read('/services')).not.toContain('Cell Biology');
  });
});

describe('a mail server', () => {
  test('is set, tried, and used, and its password is shown nowhere', async () => {
    const receiver = await openSmtpReceiver({ auth });
    const answer = await ada.send(`${DELIVERY}/mail_server`, mailServer(receiver.port));
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${DELIVERY}?done=stored#mail_server`,
    ]);
    const page = await ada.read(DELIVERY);
    expect(page).toContain(`127.0.0.1, port ${receiver.port}`);
    expect(page).toContain('One is set. Leave it empty to keep it.');
    expect(page).not.toContain(PASSWORD);
    const tried = await ada.send(`${DELIVERY}/try/email`);
    expect(tried.status).toBe(200);
    expect(await tried.text()).toMatch(/127\.0\.0\.1 took the mail to ada.*Answered: <code>250 /s);
    expect(receiver.mails).toMatchObject([{ to_: [people.ada.email], user: 'tocsin' }]);
    expect(await records('delivery.set')).toEqual([
      { detail: { setting: 'mail_server' }, accountName: 'Ada', organizationId: null },
    ]);
    expect(await records('delivery.try')).toMatchObject([{ detail: { kind: 'email' } }]);
    expect(JSON.stringify(await server.db.query(sql`select * from audit`))).not.toContain(PASSWORD);
    expect(server.logLines.join('')).not.toContain(PASSWORD);
  });

  test('that refuses is quoted, without what we told it', async () => {
    const receiver = await openSmtpReceiver({ auth: { user: 'tocsin', password: 'another' } });
    await ada.send(`${DELIVERY}/mail_server`, mailServer(receiver.port));
    const tried = await ada.send(`${DELIVERY}/try/email`);
    const text = await tried.text();
    expect([tried.status, text]).toEqual([
      422,
      expect.stringMatching(/refused the sign-in \(535\).*535 5\.7\.8 Bad credentials/s),
    ]);
    expect(text).not.toContain(PASSWORD);
  });

  test('a wrong value is refused beside its field, what else was typed stays, and nothing is stored', async () => {
    const answer = await ada.send(
      `${DELIVERY}/mail_server`,
      mailServer(25, { host: 'mail server', user: 'me' }),
    );
    const page = await answer.text();
    expect(answer.status).toBe(422);
    expect(page).toMatch(/id="host-error">Write the name of the server/);
    expect(page).toContain('value="mail server"');
    expect(page).toContain('value="me"');
    expect(page).not.toContain(PASSWORD);
    expect(await stored()).toEqual([]);
  });

  test('another host asks for the password anew; the kept one goes nowhere', async () => {
    const [before, after] = [await openSmtpReceiver({ auth }), await openSmtpReceiver({ auth })];
    await ada.send(`${DELIVERY}/mail_server`, mailServer(before.port));
    const moved = await ada.send(`${DELIVERY}/mail_server`, mailServer(after.port, { password: '' }));
    expect([moved.status, await moved.text()]).toEqual([422, expect.stringContaining('Type it again')]);
    await ada.send(`${DELIVERY}/try/email`);
    expect([before.count, after.count]).toEqual([1, 0]);
  });

  test('removed: mail is kept again', async () => {
    await ada.send(`${DELIVERY}/mail_server`, mailServer(1));
    await ada.send(`${DELIVERY}/mail_server/remove`);
    expect(await stored()).toEqual([]);
    const tried = await ada.send(`${DELIVERY}/try/email`);
    expect(await tried.text()).toContain('There is no mail server: mail is kept in the database.');
  });

  test('five tries a minute are enough', async () => {
    const receiver = await openSmtpReceiver();
    await ada.send(`${DELIVERY}/mail_server`, mailServer(receiver.port, { user: '', password: '' }));
    for (let turn = 0; turn < 5; turn += 1) await ada.send(`${DELIVERY}/try/email`);
    const sixth = await ada.send(`${DELIVERY}/try/email`);
    expect([sixth.status, await sixth.text()]).toEqual([
      422,
      expect.stringContaining('5 tries a minute are enough'),
    ]);
    expect(receiver.count).toBe(5);
    server.clock.advance(minutes(1.1));
    await ada.send(`${DELIVERY}/try/email`);
    expect(receiver.count).toBe(6);
  });
});

describe('providers', () => {
  const prove = (person: Person, kind: string, address: string) =>
    server.db.query(sql`
      insert into contact_method (account_id, kind, address, verified_at, created_at)
      values (${person.id}, ${kind}, ${address}, ${server.clock.read()}, ${server.clock.read()})`);

  test.each<
    [
      kind: 'sms' | 'pushover' | 'telegram' | 'signal',
      form: Record<string, string>,
      to: string,
      thanks: string,
    ]
  >([
    [
      'sms',
      { gateway: 'twilio', from: '+4930', user: 'AC1', password: 'geheim-sms' },
      '+491512345678',
      '{"sid":"SM1"}',
    ],
    ['pushover', { token: 'geheim-pushover' }, 'u'.repeat(30), '{"status":1,"request":"r"}'],
    ['telegram', { token: '12:geheim-telegram' }, '4711', '{"ok":true,"result":{}}'],
    ['signal', { number: '+4930' }, '+491512345678', '{"timestamp":"1"}'],
  ])('%s is set, and tried with the keeper alone', async (kind, form, to, thanks) => {
    const { url, received } = await startWebhookReceiver(answers(200, thanks));
    const saved = await ada.send(`${DELIVERY}/${kind}`, { ...form, url });
    expect(saved.headers.get('location')).toBe(`${DELIVERY}?done=stored#${kind}`);
    await prove(people.vera, kind, to);
    const without = await ada.send(`${DELIVERY}/try/${kind}`);
    expect(await without.text()).toContain('of your own yet');
    expect(received).toEqual([]);
    await prove(people.ada, kind, to);
    const tried = await ada.send(`${DELIVERY}/try/${kind}`);
    const page = await tried.text();
    expect([tried.status, page]).toEqual([200, expect.stringContaining('Answered: <code>200 ')]);
    expect(page).not.toMatch(/geheim/);
    expect(received).toHaveLength(1);
    expect(await (await signedIn(server, people.ada)).read('/profile/contacts')).toMatch(
      new RegExp(`Add ${{ sms: 'SMS', pushover: 'Pushover', telegram: 'Telegram', signal: 'Signal' }[kind]}`),
    );
  });

  test('one that refuses is quoted without the token that it repeats', async () => {
    const { url } = await startWebhookReceiver(
      answers(401, '{"errors":["token geheim-pushover is invalid"]}'),
    );
    await ada.send(`${DELIVERY}/pushover`, { token: 'geheim-pushover', url });
    await prove(people.ada, 'pushover', 'u'.repeat(30));
    const tried = await ada.send(`${DELIVERY}/try/pushover`);
    const page = await tried.text();
    expect(page).toMatch(/401 .*token … is invalid/);
    expect(page).not.toContain('geheim');
  });
});

test('what the environment sets wins, is shown as such, and cannot be changed here', async () => {
  const { db } = await cloneDatabase();
  const receiver = await openSmtpReceiver();
  const { readConfig } = await import('../../src/platform/config.ts');
  const { smtp, publicUrl } = readConfig({
    SMTP_URL: receiver.url,
    TOCSIN_PUBLIC_URL: 'https://tocsin.lab.example',
  });
  const other = await startServerOn(db, { smtp, publicUrl });
  const there = await invitePeople(other);
  await makeKeeper(other, there.ada);
  const keeper = await signedIn(other, there.ada);
  const page = await keeper.read(DELIVERY);
  expect(page).toContain(`127.0.0.1, port ${receiver.port}</strong>, set by <code>SMTP_URL</code>`);
  expect(page).toContain('set by <code>TOCSIN_PUBLIC_URL</code>');
  expect(page).not.toContain(`action="${DELIVERY}/mail_server"`);
  await keeper.send(`${DELIVERY}/mail_server`, mailServer(1));
  expect(await keeper.read(DELIVERY)).toContain('what was set on this page does not count meanwhile');
  await keeper.send(`${DELIVERY}/try/email`);
  expect(receiver.count).toBe(1);
});

describe('several programs', () => {
  test('what is set by one is in force in the other, and without the key it is said', async () => {
    const { db } = await cloneDatabase();
    const [one, two, three] = [
      await startServerOn(db),
      await startServerOn(db),
      await startServerOn(db, { key: Buffer.alloc(32, 'another key') }),
    ];
    const there = await invitePeople(one);
    await makeKeeper(one, there.ada);
    const receiver = await openSmtpReceiver({ auth });
    await (await signedIn(one, there.ada)).send(`${DELIVERY}/mail_server`, mailServer(receiver.port));
    const tried = await (await signedIn(two, there.ada)).send(`${DELIVERY}/try/email`);
    expect([tried.status, receiver.count]).toEqual([200, 1]);
    const keyless = await signedIn(three, there.ada);
    expect(await keyless.read(DELIVERY)).toMatch(
      /Set, but this program cannot read it: it takes the key [0-9a-f]{12}/,
    );
    const refused = await keyless.send(`${DELIVERY}/mail_from`, { from: 'tocsin@lab.example' });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('Nothing was stored: what is stored already takes another key'),
    ]);
    await keyless.send(`${DELIVERY}/mail_server/remove`);
    const anew = await keyless.send(`${DELIVERY}/mail_from`, { from: 'tocsin@lab.example' });
    expect(anew.status).toBe(303);
  });
});

describe('keepers', () => {
  test('one makes another, who can take the mark from the first; both on record', async () => {
    await ada.send(`${DELIVERY}/keepers/add`, { email: ` ${people.nora.email.toUpperCase()} ` });
    const nora = await signedIn(server, people.nora);
    expect(await nora.read(DELIVERY)).toContain(people.ada.email);
    await nora.send(`${DELIVERY}/keepers/remove`, { email: people.ada.email });
    expect((await ada.open(DELIVERY)).status).toBe(404);
    expect(await records('keeper.add')).toMatchObject([{ detail: { account: people.nora.id } }]);
  });

  test.each([
    ['the last one cannot go', 'remove', () => people.ada.email, /the last keeper/],
    ['nobody is made keeper who has no account', 'add', () => 'nobody@lab.example', /There is no account/],
  ])('%s', async (_, verb, email, words) => {
    const answer = await ada.send(`${DELIVERY}/keepers/${verb}`, { email: email() });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringMatching(words)]);
    expect((await ada.open(DELIVERY)).status).toBe(200);
  });

  test('one who cannot sign in does not count', async () => {
    await makeKeeper(server, people.nora);
    await server.db.query(sql`update account set is_active = false where id = ${people.nora.id}`);
    onTestFinished(async () => {
      await server.db.query(sql`update account set is_active = true where id = ${people.nora.id}`);
    });
    const answer = await ada.send(`${DELIVERY}/keepers/remove`, { email: people.ada.email });
    expect(answer.status).toBe(422);
  });
});

test('an address that leads nowhere but here is warned of until another is set', async () => {
  expect(await ada.read(DELIVERY)).toContain('which nobody can open on another machine');
  await ada.send(`${DELIVERY}/public_url`, { url: 'https://tocsin.lab.example' });
  expect(await ada.read(DELIVERY)).not.toContain('which nobody can open on another machine');
});

describe('ways to be told that nobody has set up', () => {
  test('are named on the profile, with whom to ask; a stranger learns no name', async () => {
    const vera = await (await signedIn(server, people.vera)).read('/profile/contacts');
    expect(vera).toContain('Not set up here: SMS, Call, Push, Pushover, Telegram, Signal. Ask Ada.');
    const olga = await (await signedIn(server, people.olga)).read('/profile/contacts');
    expect(olga).toContain('Ask whoever runs this Tocsin.');
    expect(await ada.read('/profile/contacts')).toContain(`under <a href="${DELIVERY}">Delivery</a>`);
  });

  test('are offered once they are set', async () => {
    await ada.send(`${DELIVERY}/pushover`, { token: 'token' });
    await server.learnDelivery();
    const page = await ada.read('/profile/contacts');
    expect(page).toContain('Not set up here: SMS, Call, Push, Telegram, Signal.');
    expect(page).toContain('Add Pushover');
  });
});

describe('an address that nobody else can open', () => {
  const PAGES = ['/stickers', '/settings/members', '/settings/wall'];
  const TROUBLE = 'which nobody can open on another machine';

  test('is warned of where it is handed out, with what to do', async () => {
    for (const path of PAGES) expect(await ada.read(path)).toContain(TROUBLE);
    const made = await ada.send('/settings/sources/create', { name: 'gateway', kind: 'json' });
    expect(await made.text()).toContain(TROUBLE);
    expect(await ada.read('/stickers')).toContain(
      '<a href="/settings/delivery#public_url">Set the public address</a>',
    );
    const vera = await signedIn(server, people.vera);
    expect(await vera.read('/stickers')).toContain('Ask Ada to set the public address.');
    const { delivery } = (await (await people.vera.get('/api/v1/health/detailed')).json()) as {
      delivery: { warnings: string[]; mail: string };
    };
    expect(delivery).toMatchObject({ mail: 'kept', warnings: [expect.stringContaining(TROUBLE)] });
  });

  test('is not, once the public address is set', async () => {
    await ada.send(`${DELIVERY}/public_url`, { url: 'https://tocsin.lab.example' });
    await server.learnDelivery();
    for (const path of PAGES) expect(await ada.read(path)).not.toContain(TROUBLE);
  });
});
