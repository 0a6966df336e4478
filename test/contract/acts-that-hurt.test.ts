// Nothing that hurts is one press away: its button leads to a page that says what stops working, for whom, from when.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { HURTS } from '../support/acts-that-hurt.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { listRoutes } from '../support/list-routes.ts';
import { textOf } from '../support/page.ts';
import { readForms } from '../support/page-forms.ts';
import { PASSWORD } from '../support/people.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';
import { walkPages } from '../support/walk-pages.ts';

let server: TestServer;
let lab: Lab;
let ada: VisitorBrowser;
let routes: string[];
let others: string[];

const STARTS = ['/', '/settings', '/profile', '/on-call', '/downtimes', '/services'];

beforeAll(async () => {
  const { db } = await cloneDatabase();
  let tree = '';
  server = await startServerOn(db, {}, (app) => {
    tree = app.printRoutes({ commonPrefix: false });
  });
  routes = [...new Set(listRoutes(tree))];
  lab = await openLab(server);
  ada = await furnish();
});

const formsTo = (html: string): string[] => [
  ...readForms(html)
    .filter(({ method }) => method === 'post')
    // To adopt a device or to move it, a service is chosen.
    .filter(({ action, untouched }) => !action.includes('/assign') || untouched.service_id === '')
    .map(({ action }) => `POST ${action}`),
  // Where scripts run. A dialog is a question.
  ...[...html.matchAll(/<[^>]*\shx-(post|delete)="([^"]*)"[^>]*>/g)].flatMap(
    ([tag, method = '', address = '']) =>
      tag.includes('hx-confirm') ? [] : [`${method.toUpperCase()} ${address}`],
  ),
];

const patterns = Object.entries(HURTS).map(
  ([route, hurt]) => [new RegExp(`^${route.replaceAll(/:[a-z_]+/g, '[^/]+')}$`), hurt] as const,
);
const hurtOf = (sent: string) => {
  const [address = ''] = sent.split('?');
  const exact = HURTS[address];
  return exact === undefined ? patterns.find(([pattern]) => pattern.test(address))?.[1] : exact;
};

const isQuestion = (html: string): boolean => html.includes('class="ask"');

/** One of everything that can be taken away, seen by somebody who may take all of it away. */
async function furnish(): Promise<VisitorBrowser> {
  const { db, clock } = server;
  const now = clock.read();
  await lab.organizationEntry({
    lab_hours: { timezone: 'UTC', weekly: [{ days: ['mon'], from: '08:00', to: '18:00' }] },
    rotas: [
      {
        name: 'Nights',
        timezone: 'UTC',
        handover: '08:00',
        every: 'day',
        members: [lab.oscar.email, lab.ada.email],
      },
    ],
    groups: [
      {
        name: 'Cold team',
        accounts: [lab.oscar.email],
        emails: ['cold@lab.example'],
        told: [{ rota: 'Nights' }],
      },
    ],
  });
  const limits = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }];
  const freezer = await lab.freezer({ limits, notifications: { group: 'Cold team', send_critical: true } });
  await freezer.reads(-40);
  await lab.post([{ device: 'stranger', time: now.getTime(), values: { temperature: 4 } }]);
  await db.query(sql`update account set is_keeper = true where id in (${lab.ada.id}, ${lab.oscar.id})`);
  await db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, after_minutes, only_critical, during, created_at)
    values (${lab.ada.id}, 'ntfy', 'https://ntfy.lab.example/ada', ${now}, 0, false, 'always', ${now})`);
  await db.query(sql`
    insert into passkey (account_id, credential_id, public_key, signatures, host, name, created_at)
    values (${lab.ada.id}, 'one', 'key', 0, 'lab.example', 'Phone', ${now})`);
  await signedIn(server, lab.ada);
  await openVisitor(server).send('/login', { username: lab.ada.email, password: PASSWORD, stay: 'yes' });
  const browser = await signedIn(server, lab.ada);
  const send = async (path: string, form: Record<string, string>) => {
    const { status } = await browser.send(path, form);
    expect([path, status < 400]).toEqual([path, true]);
  };
  const [group] = await db.query<{ id: number }>(sql`
    select id from notification_group where organization_id = ${lab.organization}`);
  const [rota] = await db.query<{ id: number }>(
    sql`select id from rota where organization_id = ${lab.organization}`,
  );
  const home = `/settings/groups/${group?.id}`;
  await send(`${home}/set-step`, { after_minutes: '10', critical: 'yes' });
  await send(`${home}/place`, { step: '1', who: `account ${lab.ada.id}`, during: 'always' });
  await send(`${home}/add-webhook`, { kind: 'slack', url: 'https://hooks.slack.example/services/one' });
  await send(`${home}/add-relay`, { relay_url: 'http://10.0.0.7', switch_id: '0' });
  await send('/settings/wall/create', { name: 'Corridor' });
  await db.query(sql`
    insert into floor_plan (organization_id, branch, width, height, picture, changed_at)
    values (${lab.organization}, 'hall', 1, 1, '', ${server.clock.read()})`);
  await send('/settings/door-cards/save', { open: 'yes' });
  await send('/settings/members/invite', { email: lab.olga.email, name: 'Olga', role: 'viewer' });
  await send('/settings/rotas/feed', { rota_id: String(rota?.id) });
  await send(`/on-call/${rota?.id}/appoint`, {
    account_id: String(lab.ada.id),
    start: '2026-11-20T10:00',
    end: '2026-11-20T12:00',
  });
  const downtime = { start_time: '2026-11-25T10:00', end_time: '2026-11-25T12:00', reason: 'Defrost' };
  await send(`/services/${freezer.id}/schedule-downtime`, downtime);
  await send(`/services/${freezer.id}/notes`, { at: '2026-11-15 03:00', text: 'Gasket' });
  await send('/settings/delivery/public_url', { url: 'https://tocsin.lab.example' });
  await send('/downtimes/series', {
    service_id: String(freezer.id),
    reason: 'Defrost',
    interval: '1',
    unit: 'day',
    first_day: '2026-11-26',
    start: '03:00',
    duration: '60',
    until_day: '2027-03-01',
  });
  const [device] = await db.query<{ id: number }>(
    sql`select id from device where service_id = ${freezer.id}`,
  );
  others = [`/settings/devices/${device?.id}`, `/settings/members/${lab.vera.id}`];
  return browser;
}

test('every route that changes something has a line, and every line a route', () => {
  const changing = routes.filter((route) => !route.startsWith('GET ') && !route.startsWith('OPTIONS '));
  expect(Object.keys(HURTS).sort()).toEqual(changing.sort());
});

test('the question of an act is a page that is there', () => {
  const missing = Object.values(HURTS).flatMap((hurt) =>
    hurt && 'question' in hurt && !routes.includes(hurt.question) ? [hurt.question] : [],
  );
  expect(missing).toEqual([]);
});

test('what takes something away says whether it hurts', () => {
  const silent = Object.entries(HURTS).filter(
    ([route, hurt]) => hurt === null && /delete|revoke|archive|deactivate|\bdelete-|DELETE/.test(route),
  );
  expect(silent.map(([route]) => route)).toEqual([
    'POST /settings/assets/delete',
    'POST /settings/locations/delete',
  ]);
});

test('no button of a page acts where a question belongs, and every question is led to', async () => {
  const pages = [
    ...(await walkPages(ada, STARTS)).values(),
    // Of those the first one that is found is another kind: a device that waits, and Ada herself.
    ...(await walkPages(ada, others)).values(),
  ];
  expect(pages.length).toBeGreaterThan(60);
  const acting: string[] = [];
  const asking = new Set<string>();
  for (const { address, html } of pages)
    for (const sent of formsTo(html)) {
      const hurt = hurtOf(sent);
      expect([sent, hurt === undefined]).toEqual([sent, false]);
      if (!hurt || !('question' in hurt)) continue;
      if (isQuestion(html)) asking.add(hurt.question);
      else acting.push(`${address} ${sent}`);
    }
  expect(acting).toEqual([]);
  const questions = Object.values(HURTS).flatMap((hurt) =>
    hurt && 'question' in hurt ? [hurt.question] : [],
  );
  const unreached = [...new Set(questions)].filter((one) => !asking.has(one));
  // Providers of this kind are not set up here.
  expect(unreached.filter((one) => !one.includes('/settings/delivery/'))).toEqual([]);
});

test('a question names its act, can be left, and changes nothing', async () => {
  const pages = await walkPages(ada, STARTS);
  const questions = [...pages.values()].filter(({ html }) => isQuestion(html));
  expect(questions.length).toBeGreaterThan(20);
  for (const { html } of questions) {
    const text = textOf(html);
    const [, title = ''] = /<h1[^>]*>([^<]*)<\/h1>/.exec(html) ?? [];
    expect(title).toMatch(/\?$/);
    const [, ask = ''] = /<div class="ask">([\s\S]*)$/.exec(html) ?? [];
    expect(ask.indexOf('Leave it as it is')).toBeLessThan(ask.indexOf('<button type="submit"'));
    expect(ask).toContain(`${title.slice(0, -1)}</button>`);
    expect(text).toMatch(/It can(not)? be undone\./);
    expect([...ask.matchAll(/<li/g)].length).toBeGreaterThan(1);
  }
});
