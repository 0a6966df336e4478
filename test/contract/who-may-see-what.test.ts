// Every route of the server, asked by every kind of person, compared with a table. A route without a line fails.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { listRoutes } from '../support/list-routes.ts';
import { hours } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';
import { ACCESS, KINDS, type Kind } from '../support/who-may-see-what.ts';

let server: TestServer;
let routes: string[];
const seen = new Map<string, string>();

beforeAll(async () => {
  const { db } = await cloneDatabase();
  let tree = '';
  server = await startServerOn(db, {}, (app) => {
    tree = app.printRoutes({ commonPrefix: false });
  });
  routes = listRoutes(tree);
  for (const kind of KINDS) await walkAs(kind);
}, 300_000);

/** What takes something away comes after what needs it, and the end of a session after everything. */
const rank = (route: string): number => {
  if (route.includes('logout')) return 3;
  if (route.startsWith('GET')) return 0;
  if (route.endsWith('/members/:account_id/remove')) return 2;
  return /delete|remove|cancel|revoke|archive|deactivate/i.test(route) ? 1 : 0;
};

async function walkAs(kind: Kind): Promise<void> {
  const lab = await openLab(server);
  const ids = await furnish(lab);
  const forms = fillForms(ids);
  for (const route of routes.toSorted((one, other) => rank(one) - rank(other))) {
    const [method = '', path = ''] = route.split(' ');
    // Each way to cancel one finds one.
    if (path.includes(':downtime_id')) ids.downtime_id = await planDowntime(lab, ids.service_id);
    const address = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => ids[name] ?? `no-${name}`);
    const answer = await ask(lab, kind, {
      method,
      address: address + (QUERIES[route]?.(ids) ?? ''),
      form: forms[route] ?? {},
    });
    await answer.body?.cancel();
    seen.set(`${route} ${kind}`, describe(answer));
  }
}

/** A form may be answered with a way: to the sign-in, or back with a refusal. */
function describe({ status, headers }: Response): string {
  const location = headers.get('location') ?? '';
  if (location.startsWith('/login')) return `${status} sign in`;
  return /[?&](refused|edit_error)=/.test(location) ? `${status} refused` : String(status);
}

interface Question {
  method: string;
  address: string;
  form: Record<string, string>;
}

async function ask(lab: Lab, kind: Kind, { method, address, form }: Question): Promise<Response> {
  if (kind === 'anonymous') {
    const body = method === 'POST' ? { body: new URLSearchParams(form) } : {};
    return fetch(server.url + address, { method, redirect: 'manual', ...body });
  }
  const { nora, vera, oscar, ada, olga } = lab;
  const person = { none: nora, viewer: vera, operator: oscar, administrator: ada, foreign: olga }[kind];
  if (method === 'GET') return person.get(address);
  if (method === 'PUT') return person.put(address, form);
  return method === 'DELETE' ? person.delete(address) : person.post(address, form);
}

/** What a question is about stands in its address. */
const QUERIES: Record<string, (ids: Record<string, string>) => string> = {
  'GET /services/:service_id/series': () => '?channel=temperature',
  'GET /services/:service_id/delete-band': () => '?metric_channel=temperature&band_name=CRITICAL_HIGH',
  'GET /settings/groups/:group_id/remove-email': () => '?email=cold%40lab.example',
  'GET /settings/sources/renew': ({ source_id }) => `?source_id=${source_id}`,
  'GET /settings/sources/revoke': ({ source_id }) => `?source_id=${source_id}`,
  'GET /settings/devices/:device_id/assign': ({ service_id }) => `?service_id=&seen_service_id=${service_id}`,
};

/** Where an empty form would be refused before anybody asks who sends it. */
function fillForms({ service_id = '' }: Record<string, string>): Record<string, Record<string, string>> {
  const downtime = { start_time: '2026-11-20T10:00', end_time: '2026-11-20T12:00', reason: 'Defrost' };
  return {
    'POST /api/v1/downtimes': { service_id, ...downtime },
    'POST /downtimes': { service_id, ...downtime },
    'POST /services/:service_id/schedule-downtime': downtime,
    'POST /api/v1/services/:service_id/apply-recommendation': { result_id: '1' },
  };
}

/** One of everything that an address can name, all of the organization of Vera, Oscar and Ada. */
async function furnish(lab: Lab): Promise<Record<string, string>> {
  const limits = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }];
  const freezer = await lab.freezer({ limits });
  await freezer.reads(-40);
  const group = await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  const [device] = await server.db.query<{ id: number }>(
    sql`select id from device where service_id = ${freezer.id}`,
  );
  const [source] = await server.db.query<{ id: number }>(
    sql`update source set kind = 'json' where organization_id = ${lab.organization} returning id`,
  );
  return {
    source_id: String(source?.id),
    device_id: String(device?.id),
    service_id: String(freezer.id),
    group_id: String(group),
    account_id: String(lab.vera.id),
    note_id: await pinNote(lab, freezer.id),
  };
}

async function pinNote({ oscar }: Lab, serviceId: number): Promise<string> {
  const now = server.clock.read();
  const [note] = await server.db.query<{ id: string }>(sql`
    insert into unit_note (service_id, at, text, author_id, author_name, created_at)
    values (${serviceId}, ${now}, 'Gasket', ${oscar.id}, ${oscar.name}, ${now}) returning id`);
  return String(note?.id);
}

async function planDowntime({ oscar }: Lab, serviceId: string | undefined): Promise<string> {
  const now = server.clock.read();
  const [startAt, endAt] = [1, 2].map((count) => new Date(now.getTime() + hours(count)));
  const [downtime] = await server.db.query<{ id: number }>(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    values (${serviceId}, ${startAt}, ${endAt}, 'Defrost', ${oscar.id}, ${oscar.name}, ${now}) returning id`);
  return String(downtime?.id);
}

test('the drawing of the routes was understood', () => {
  for (const route of ['GET /', 'POST /api/v1/telemetry', 'GET /services/:service_id', 'GET /wall/:token'])
    expect(routes).toContain(route);
});

test('every route has a line in the table, and every line a route', () => {
  expect([...Object.keys(ACCESS)].sort()).toEqual([...new Set(routes)].filter(isListed).sort());
});

test('everybody gets what the table says, and nothing else', () => {
  const found = Object.fromEntries(
    [...new Set(routes)]
      .filter(isListed)
      .map((route) => [route, KINDS.map((kind) => seen.get(`${route} ${kind}`) ?? '')]),
  );

  expect(found).toEqual(ACCESS);
});

/** Looks, scripts and pictures are the same for everybody. */
function isListed(route: string): boolean {
  return !route.startsWith('GET /assets/');
}
