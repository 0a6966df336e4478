// What is read without signing in, at the very beginning, when something fails, and what takes the place of parts of pages: in a
// language without a letter of English, which a browser asks for.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { insertLinks, type LinkPurpose, makeLink } from '../../src/engine/accounts/account-links.ts';
import { completeRequest, failRequest } from '../../src/engine/advice/recommendations.ts';
import { doorPath } from '../../src/engine/services/doors.ts';
import { makeSetupCode } from '../../src/features/setup/setup-code.ts';
import { HX } from '../support/answers.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { episodeOf } from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { LONG, MADE_UP_LETTER, speakMadeUp } from '../support/made-up-language.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { openFinder, withoutRecords } from '../support/plain-english.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { tryForms } from '../support/try-forms.ts';
import { openVisitor, type VisitorBrowser } from '../support/visitor.ts';
import { walkPages } from '../support/walk-pages.ts';

const ASKS = { 'accept-language': LONG };
const TYPED = [
  'on my way',
  'Warmer at night',
  'AI tool timed out',
  'wrong',
  'tlh',
  'iloveyou1',
  'Nowhere/At all',
  'Cell Biology',
  'Ada',
  'ada',
];
const fuse: Fuse = { blowsAfter: null };

let server: TestServer;
let desk: Awaited<ReturnType<typeof openDeliveryDesk>>;
/** Of whose names are no English. */
let house: TestServer;
/** Nobody, with a browser that asks for the language; Ada has chosen it. */
let nobody: VisitorBrowser;
let ada: VisitorBrowser;

beforeAll(async () => {
  speakMadeUp(LONG);
  server = await startServerOn(failingDatabase((await cloneDatabase()).db, fuse), {
    publicUrl: new URL('https://tocsin.lab.example'),
  });
  desk = await openDeliveryDesk(server, {
    emails: ['cold@lab.example'],
    steps: [{ step: 1, after_minutes: 10 }],
  });
  await server.db.query(sql`update account set language = ${LONG}`);
  nobody = openVisitor(server, ASKS);
  ada = openVisitor(server, { origin: 'https://tocsin.lab.example' });
  await ada.signsIn(desk.lab.ada);
});
beforeEach(() => {
  house = server;
});

async function expectSaid(html: string | Promise<string>): Promise<string> {
  const read = await html;
  expect(read).toMatch(MADE_UP_LETTER);
  const find = await openFinder(house, TYPED);
  expect(find(read)).toEqual([]);
  return read;
}
const textOf = async (answer: Promise<Response>, status: number): Promise<string> => {
  const got = await answer;
  expect(got.status).toBe(status);
  return got.text();
};

/** What a browser shows behind a form. */
async function follow(browser: VisitorBrowser, sent: Promise<Response>): Promise<string> {
  const answer = await sent;
  const next = answer.headers.get('location');
  return next === null ? answer.text() : browser.read(next);
}

test('signing in, and the password that was forgotten', async () => {
  for (const path of [
    '/login',
    '/login?news=password-set',
    '/login?next=/services',
    '/forgot-password',
    '/forgot-password/sent',
  ])
    await expectSaid(nobody.read(path));
  await expectSaid(textOf(nobody.send('/login', { username: '', password: '' }), 422));
  for (let count = 0; count < 6; count += 1)
    await expectSaid(
      nobody
        .send('/login', { username: desk.lab.vera.email, password: 'wrong' })
        .then((answer) => answer.text()),
    );
  await expectSaid(textOf(nobody.send('/login', { username: desk.lab.vera.email, password: 'wrong' }), 429));
  await server.db.query(sql`update account set is_active = false where id = ${desk.lab.nora.id}`);
  await expectSaid(nobody.signsIn(desk.lab.nora).then((answer) => answer.text()));
  await expectSaid(textOf(nobody.send('/forgot-password', { email: 'nobody' }), 422));
  let last = await nobody.send('/forgot-password', { email: 'nobody@lab.example' });
  for (let count = 0; count < 30 && last.status === 303; count += 1)
    last = await nobody.send('/forgot-password', { email: 'nobody@lab.example' });
  await expectSaid(textOf(Promise.resolve(last), 429));
});

test.each<[LinkPurpose, string]>([
  ['password_reset', '/reset-password'],
  ['activation', '/activate'],
  ['invitation', '/join'],
])('the link of a mail for %s, in every state', async (purpose, path) => {
  const { lab } = desk;
  const email = `${purpose}@lab.example`;
  await lab.ada.post('/settings/members/invite', { email, name: 'Mia', role: 'viewer' });
  const [invitation] = await server.db.query<{ id: number; accountId: number }>(sql`
    select invitation.id, account_id as "accountId" from invitation join account on account.id = account_id
    where email = ${email}`);
  const now = server.clock.read();
  const whose = {
    accountId: invitation?.accountId as never,
    invitationId: (invitation?.id ?? null) as never,
  };
  const link = makeLink({ ...whose, purpose, isPrivate: true }, now);
  await server.db.transaction((tx) => insertLinks(tx, [link], now));
  await expectSaid(nobody.read(`${path}/nothing`));
  await expectSaid(textOf(nobody.send(`${path}/nothing`, {}), 404));
  const address = `${path}/${link.token}`;
  await expectSaid(nobody.read(address));
  for (const [password, repeated] of [
    ['', ''],
    ['1234567', '1234567'],
    ['iloveyou1', 'iloveyou1'],
    ['a new password', 'another one'],
    ['9'.repeat(5000), '9'.repeat(5000)],
  ] as const)
    await expectSaid(follow(nobody, nobody.send(address, { password, repeated })));
  const password = 'a password of words';
  await expectSaid(follow(nobody, nobody.send(address, { password, repeated: password, answer: 'accept' })));
  await expectSaid(nobody.read(address));
});

test('a house that nobody has set up yet, up to its first steps', async () => {
  const fresh = await startServer();
  const code = await makeSetupCode(fresh.db, fresh.clock.read());
  const first = openVisitor(fresh, ASKS);
  house = fresh;
  const html = await expectSaid(first.read('/'));
  for await (const answered of tryForms(first, [{ address: '/setup', html }]))
    await expectSaid(answered.html);
  const form = {
    code,
    organization: 'Cell Biology',
    name: 'Ada',
    email: 'ada@lab.example',
    password: 'correct horse battery',
    timezone: 'Europe/Berlin',
    language: LONG,
    begin: 'empty',
  };
  for (const [field, value] of [
    ['code', 'wrong'],
    ['password', 'iloveyou1'],
    ['password', ''],
    ['email', 'ada'],
    ['timezone', 'Nowhere/At all'],
    ['language', 'tlh'],
    ['name', ' '],
    ['organization', ' '],
  ] as const) {
    await expectSaid(first.send('/setup', { ...form, [field]: value }).then((answer) => answer.text()));
  }
  // Whoever guesses at the code has to wait.
  fresh.clock.advance(hours(1));
  const done = await first.send('/setup', {
    ...form,
    code: await makeSetupCode(fresh.db, fresh.clock.read()),
  });
  expect(done.headers.get('location')).toBe('/');
  const pages = await walkPages(first, ['/', '/first-steps', '/settings']);
  expect(pages.size).toBeGreaterThan(20);
  for (const [pattern, { html: page }] of pages)
    await expectSaid(pattern === '/audit' ? withoutRecords(page) : page);
  for (const word of ['test', 'alone', 'arrived'])
    await expectSaid(
      first.send(`/first-steps/${word}`).then((answer) => first.read(answer.headers.get('location') ?? '/')),
    );
  await expectSaid(first.read('/setup'));
});

test('what fails, as people see it', async () => {
  const { id } = await desk.freezer();
  await expectSaid(textOf(nobody.open('/nothing'), 404));
  await expectSaid(textOf(ada.open('/services/999999'), 404));
  await expectSaid(
    textOf(
      nobody.send('/login', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
      403,
    ),
  );
  await expectSaid(textOf(nobody.send('/services', {}), 405));
  await expectSaid(textOf(nobody.open('/%ff'), 400));
  await expectSaid(textOf(ada.send(`/services/${id}/recommend`, { a: 'a\u0000b' }), 422));
  const post = (body: string, type: string) =>
    fetch(`${server.url}/login`, { method: 'POST', body, headers: { ...ASKS, 'content-type': type } });
  await expectSaid(textOf(post('x'.repeat(1024 * 1024 + 1), 'text/plain'), 413));
  fuse.blowsAfter = /insert into recommendation/;
  await expectSaid(textOf(ada.send(`/services/${id}/recommend`, {}), 503));
  fuse.blowsAfter = null;
  await server.db.query(sql`alter table recommendation rename to elsewhere`);
  await expectSaid(textOf(ada.send(`/services/${id}/recommend`, {}), 500));
  await server.db.query(sql`alter table elsewhere rename to recommendation`);
  const crowd = await Promise.all(
    Array.from({ length: 60 }, (_one, index) =>
      openVisitor(server, ASKS).send('/login', { username: `crowd-${index}@lab.example`, password: 'wrong' }),
    ),
  );
  for (const answer of crowd) await expectSaid(answer.text());
});

test('the wall, by its link', async () => {
  const made = await (await ada.send('/settings/wall/create', { name: 'Corridor' })).text();
  const path = /\/wall\/[\w-]+(?=")/.exec(made)?.[0] ?? '';
  const freezer = await desk.freezer();
  await expectSaid(nobody.read(path));
  await freezer.warms();
  await desk.strike(seconds(3));
  await expectSaid(nobody.read(path));
  await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'on my way' });
  await expectSaid(nobody.read(path));
  await expectSaid(nobody.read('/wall/nothing'));
});

test('the door card, in every state of its unit', async () => {
  await ada.send('/settings/door-cards/save', { open: 'yes', names: 'yes', what_to_do: 'yes' });
  const freezer = await desk.freezer({ send_acknowledgements: true });
  const path = doorPath(server.signer, { serviceId: freezer.id, generation: 0 });
  await expectSaid(nobody.read(path));
  await freezer.cools();
  await expectSaid(nobody.read(path));
  server.clock.advance(minutes(1));
  await freezer.warms();
  await expectSaid(nobody.read(path));
  await desk.strike(seconds(3));
  await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'on my way' });
  for (let count = 0; count < 2; count += 1) {
    await expectSaid(follow(nobody, nobody.send(`${path}/here`, {})));
    await desk.strike(seconds(3));
    await expectSaid(nobody.read(path));
  }
});

test('a drill, from its page to what came of it', async () => {
  const freezer = await desk.freezer();
  const path = `/services/${freezer.id}/drill`;
  await expectSaid(ada.read(path));
  for (const form of [{}, { climbs: 'yes' }, { on: 'yes' }] as Record<string, string>[]) {
    const sent = await ada.send(path, form);
    await expectSaid(sent.headers.get('location') === null ? sent.text() : ada.read(path));
    await desk.strike(minutes(11));
    await expectSaid(ada.read(path));
  }
  await expectSaid(ada.read(`/services/${freezer.id}/notifications`));
  const bare = await desk.freezer({ group: undefined });
  await expectSaid(ada.read(`/services/${bare.id}/drill`));
});

test('the link of a message, in every state of its alarm', async () => {
  const freezer = await desk.freezer();
  const linkOf = async () => {
    const token = randomBytes(32).toString('base64url');
    await server.db.query(sql`
      insert into acknowledge_link (token, service_id, episode_id, created_at)
      values (${token}, ${freezer.id}, ${await episodeOf(server, freezer)}, ${server.clock.read()})`);
    return `/acknowledge/${token}`;
  };
  await freezer.warms();
  const link = await linkOf();
  const vera = openVisitor(server);
  server.clock.advance(minutes(10));
  await vera.signsIn(desk.lab.vera);
  const olga = openVisitor(server);
  await olga.signsIn(desk.lab.olga);
  await expectSaid(nobody.read(link));
  for (const who of [vera, olga, ada, ada]) await expectSaid(who.read(link));
  const commented = await ada.send(`${link}/comment`, { comment: 'on my way' });
  await expectSaid(ada.read(commented.headers.get('location') ?? ''));
  await expectSaid(ada.read(`${link}/comment`));
  await freezer.cools();
  await expectSaid(ada.read(link));
  await expectSaid(ada.read('/acknowledge/nothing'));
});

test('what takes the place of parts of pages', async () => {
  const freezer = await desk.freezer();
  await freezer.warms();
  await desk.strike(seconds(3));
  const { oscar, ada: program } = desk.lab;
  const recommendation = `/api/v1/services/${freezer.id}/recommendation`;
  const fragments = ['/api/v1/alarms', '/api/v1/downtimes', `/services/${freezer.id}/now`, recommendation];
  for (const path of fragments) await expectSaid((await program.get(path, HX)).text());
  for (const verb of ['acknowledge', 'unacknowledge'])
    await expectSaid((await oscar.post(`/api/v1/alarms/${freezer.id}/${verb}`, {}, HX)).text());
  for (const verb of ['mute', 'unmute'])
    await expectSaid((await oscar.post(`/api/v1/services/${freezer.id}/${verb}`, {}, HX)).text());
  const request = async () => {
    await program.post(`/api/v1/services/${freezer.id}/recommend`);
    const [row] = await server.db.query<{ id: string }>(sql`
      select id from recommendation where service_id = ${freezer.id} and state = 'pending'`);
    return row?.id ?? '';
  };
  const now = server.clock.read();
  const asked = await request();
  await expectSaid((await program.get(recommendation, HX)).text());
  await failRequest(server.db, asked, 'AI tool timed out', now);
  await expectSaid((await program.get(recommendation, HX)).text());
  const bands = [{ band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 5 }];
  for (const result of [
    { channel: 'temperature', proposed_bands: bands, reasoning: 'Warmer at night' },
    {},
    { proposed_bands: 'x' },
  ]) {
    await completeRequest(server.db, await request(), result, now);
    await expectSaid((await program.get(recommendation, HX)).text());
  }
  await expectSaid((await program.get(`/services/${freezer.id}`)).text());
  const [device] = await server.db.query<{ id: number }>(
    sql`select id from device where service_id = ${freezer.id}`,
  );
  await expectSaid(ada.read(`/settings/devices/${device?.id}`));
  const series = await (await ada.open(`/services/${freezer.id}/series?channel=temperature`)).text();
  const words = Object.values(JSON.parse(series) as object).filter((one) => typeof one === 'string');
  const find = await openFinder(server, ['metric']);
  expect(find(`<p>${words.join('</p><p>')}</p>`)).toEqual([]);
});
