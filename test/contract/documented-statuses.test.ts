// What the interface description promises is what the routes answer: every documented status is provoked here, and
// test-server.ts fails any test that provokes an undocumented one.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { MOSTS } from '../../src/domain/mosts.ts';
import { openPool } from '../../src/platform/db/database.ts';
import { DOWNTIMES, type DowntimeDesk, openDowntimeDesk } from '../support/downtime-desk.ts';
import { createFreezer, type Freezer, setAlarm } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours } from '../support/movable-clock.ts';
import { invitePeople, PASSWORD, type People, type Person } from '../support/people.ts';
import { askToken } from '../support/sign-in.ts';
import { createEmptyDatabase } from '../support/test-database.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let broken: TestServer;
let bare: TestServer;
let people: People;
let desk: DowntimeDesk;
let lab: Lab;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
  desk = await openDowntimeDesk(server);
  lab = await openLab(server);
  freezer = await createFreezer(server, desk);
  // Nobody listens there: the database is gone.
  broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
  // There is a database, but nothing in it: no retry will help.
  bare = await startServerOn((await createEmptyDatabase()).db);
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers, redirect: 'manual' });
const withBadToken = { authorization: 'Bearer nonsense' };
const askOf =
  (unable: () => TestServer) =>
  async (path: string, method = 'GET') => {
    const { url, signer, clock } = unable();
    const token = await signer.issue({ accountId: people.vera.id, generation: 1 }, clock.read());
    return fetch(url + path, { method, headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
  };
const withoutDatabase = askOf(() => broken);
const withoutTables = askOf(() => bare);
const sendForm = (path: string, body: string) =>
  fetch(server.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const put = async (path: string, body: string, by: Person) =>
  fetch(server.url + path, {
    method: 'PUT',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${await by.token()}`,
    },
  });
const alarm = (verb: string, id: number = freezer.id) => `/api/v1/alarms/${id}/${verb}`;
const service = (verb: string, id: number = freezer.id) => `/api/v1/services/${id}/${verb}`;
const fail = (username: string) => askToken(server, { username, password: 'wrong' });

const writeInflux = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Token ${lab.secret}`, ...headers },
  });
const provokeInflux = (path: string): Record<string, () => Promise<Response>> => ({
  [`POST ${path} 204`]: () => writeInflux(path, 'm,device=d t=1'),
  [`POST ${path} 400`]: () => writeInflux(path, 'm'),
  [`POST ${path} 401`]: () => ask(path, withBadToken, 'POST'),
  [`POST ${path} 413`]: () => writeInflux(path, 'm,device=d t=1\n'.repeat(10_001)),
  [`POST ${path} 415`]: () => writeInflux(path, 'm', { 'content-encoding': 'br' }),
  [`POST ${path} 503`]: () => withoutTables(path, 'POST'),
});

const provokeWebhook = (path: string): Record<string, () => Promise<Response>> => ({
  [`POST ${path} 200`]: () => writeInflux(path, '{}'),
  [`POST ${path} 400`]: () => writeInflux(path, '{}', { 'content-encoding': 'gzip' }),
  [`POST ${path} 401`]: () => ask(path, withBadToken, 'POST'),
  [`POST ${path} 413`]: () => writeInflux(path, ' '.repeat(1_100_000)),
  [`POST ${path} 415`]: () => writeInflux(path, 'x', { 'content-type': 'application/octet-stream' }),
  [`POST ${path} 503`]: () => withoutTables(path, 'POST'),
});

const REMOTE_WRITE = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' };
const writePrometheus = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/v1/telemetry/prometheus`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${lab.secret}`, ...REMOTE_WRITE, ...headers },
  });
const provokePrometheus = (path: string): Record<string, () => Promise<Response>> => ({
  [`POST ${path} 204`]: () => writePrometheus(Uint8Array.of(0)),
  [`POST ${path} 400`]: () => writePrometheus(Uint8Array.of(1, 0, 8)),
  [`POST ${path} 401`]: () => ask(path, withBadToken, 'POST'),
  [`POST ${path} 413`]: () => writePrometheus(Uint8Array.of(255, 255, 255, 255, 15)),
  [`POST ${path} 415`]: () => writePrometheus(Uint8Array.of(0), { 'content-type': 'text/plain' }),
  [`POST ${path} 503`]: () => withoutTables(path, 'POST'),
});

const provokeOtlp = (path: string): Record<string, () => Promise<Response>> => {
  const json = { 'content-type': 'application/json' };
  return {
    [`POST ${path} 200`]: () => writeInflux(path, '{}', json),
    [`POST ${path} 400`]: () => writeInflux(path, '{', json),
    [`POST ${path} 401`]: () => ask(path, withBadToken, 'POST'),
    [`POST ${path} 413`]: () => writeInflux(path, ' '.repeat(17_000_000), json),
    [`POST ${path} 415`]: () => writeInflux(path, '{}', { 'content-type': 'text/plain' }),
    [`POST ${path} 503`]: () => withoutTables(path, 'POST'),
  };
};

const PROVOCATIONS: Record<string, () => Promise<Response>> = {
  ...provokeWebhook('/api/v1/telemetry/chirpstack'),
  ...provokeWebhook('/api/v1/telemetry/tts'),
  ...provokeWebhook('/api/v1/telemetry/json'),
  ...provokeInflux('/api/v1/telemetry/influx/write'),
  ...provokeInflux('/api/v1/telemetry/influx/api/v2/write'),
  ...provokePrometheus('/api/v1/telemetry/prometheus'),
  ...provokeOtlp('/api/v1/telemetry/otlp/v1/metrics'),
  'GET /api/v1/telemetry/influx/ping 204': () => ask('/api/v1/telemetry/influx/ping'),
  'GET /api/v1/telemetry/influx/health 200': () => ask('/api/v1/telemetry/influx/health'),
  'POST /api/v1/auth/token 200': () => askToken(server, { username: people.vera.email, password: PASSWORD }),
  'POST /api/v1/auth/token 400': async () => {
    await server.db.query(sql`update account set is_active = false where id = ${people.oscar.id}`);
    return askToken(server, { username: people.oscar.email, password: PASSWORD });
  },
  'POST /api/v1/auth/token 401': () => fail(people.vera.email),
  'POST /api/v1/auth/token 413': () => askToken(server, { username: 'x'.repeat(1024 * 1024) }),
  'POST /api/v1/auth/token 422': () => askToken(server, {}),
  'POST /api/v1/auth/token 429': async () => {
    for (let count = 0; count < 5; count += 1) await fail(people.ada.email);
    return fail(people.ada.email);
  },
  'POST /api/v1/auth/token 500': () => askToken(bare, { username: 'vera@lab.example', password: PASSWORD }),
  'POST /api/v1/auth/token 503': () => askToken(broken, { username: 'vera@lab.example', password: PASSWORD }),
  'GET /api/v1/auth/me 200': () => ask('/api/v1/auth/me'),
  'GET /api/v1/auth/me 401': () => ask('/api/v1/auth/me', withBadToken),
  'GET /api/v1/auth/me 500': () => withoutTables('/api/v1/auth/me'),
  'GET /api/v1/auth/me 503': () => withoutDatabase('/api/v1/auth/me'),
  'GET /api/v1/auth/logout 302': () => ask('/api/v1/auth/logout'),
  'GET /api/v1/auth/logout 500': () => withoutTables('/api/v1/auth/logout'),
  'GET /api/v1/auth/logout 503': () => withoutDatabase('/api/v1/auth/logout'),
  'POST /api/v1/auth/logout 302': () => ask('/api/v1/auth/logout', withBadToken, 'POST'),
  'POST /api/v1/auth/logout 500': () => withoutTables('/api/v1/auth/logout', 'POST'),
  'POST /api/v1/auth/logout 503': () => withoutDatabase('/api/v1/auth/logout', 'POST'),
  'GET /api/v1/on-call 200': () => desk.vera.get('/api/v1/on-call'),
  'GET /api/v1/on-call 401': () => ask('/api/v1/on-call'),
  'GET /api/v1/on-call 500': () => withoutTables('/api/v1/on-call'),
  'GET /api/v1/on-call 503': () => withoutDatabase('/api/v1/on-call'),
  'GET /api/v1/alarms 200': () => desk.vera.get('/api/v1/alarms'),
  'GET /api/v1/alarms 304': () => desk.vera.get('/api/v1/alarms', { 'if-none-match': '*' }),
  'GET /api/v1/alarms 401': () => ask('/api/v1/alarms'),
  'GET /api/v1/alarms 500': () => withoutTables('/api/v1/alarms'),
  'GET /api/v1/alarms 503': () => withoutDatabase('/api/v1/alarms'),
  'POST /api/v1/alarms/{service_id}/acknowledge 200': async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    return desk.oscar.post(alarm('acknowledge'));
  },
  'POST /api/v1/alarms/{service_id}/acknowledge 400': () => sendForm(alarm('acknowledge'), 'x=%ff'),
  'POST /api/v1/alarms/{service_id}/acknowledge 401': () => ask(alarm('acknowledge'), withBadToken, 'POST'),
  'POST /api/v1/alarms/{service_id}/acknowledge 403': () => desk.vera.post(alarm('acknowledge')),
  'POST /api/v1/alarms/{service_id}/acknowledge 404': () =>
    desk.oscar.post(alarm('acknowledge', 2_147_483_647)),
  'POST /api/v1/alarms/{service_id}/acknowledge 409': () => desk.oscar.post(alarm('acknowledge')),
  'POST /api/v1/alarms/{service_id}/acknowledge 413': () =>
    sendForm(alarm('acknowledge'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/alarms/{service_id}/acknowledge 422': () => desk.oscar.post(alarm('acknowledge', Number.NaN)),
  'POST /api/v1/alarms/{service_id}/acknowledge 500': () => withoutTables(alarm('acknowledge'), 'POST'),
  'POST /api/v1/alarms/{service_id}/acknowledge 503': () => withoutDatabase(alarm('acknowledge'), 'POST'),
  'POST /api/v1/alarms/{service_id}/unacknowledge 200': () => desk.oscar.post(alarm('unacknowledge')),
  'POST /api/v1/alarms/{service_id}/unacknowledge 400': () => sendForm(alarm('unacknowledge'), 'x=%ff'),
  'POST /api/v1/alarms/{service_id}/unacknowledge 401': () =>
    ask(alarm('unacknowledge'), withBadToken, 'POST'),
  'POST /api/v1/alarms/{service_id}/unacknowledge 403': () => desk.vera.post(alarm('unacknowledge')),
  'POST /api/v1/alarms/{service_id}/unacknowledge 404': () =>
    desk.oscar.post(alarm('unacknowledge', 2_147_483_647)),
  'POST /api/v1/alarms/{service_id}/unacknowledge 409': () => desk.oscar.post(alarm('unacknowledge')),
  'POST /api/v1/alarms/{service_id}/unacknowledge 413': () =>
    sendForm(alarm('unacknowledge'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/alarms/{service_id}/unacknowledge 422': () =>
    desk.oscar.post(alarm('unacknowledge', Number.NaN)),
  'POST /api/v1/services/{service_id}/mute 200': () => desk.oscar.post(service('mute')),
  'POST /api/v1/services/{service_id}/mute 400': () => sendForm(service('mute'), 'x=%ff'),
  'POST /api/v1/services/{service_id}/mute 401': () => ask(service('mute'), withBadToken, 'POST'),
  'POST /api/v1/services/{service_id}/mute 403': () => desk.vera.post(service('mute')),
  'POST /api/v1/services/{service_id}/mute 404': () => desk.oscar.post(service('mute', 2_147_483_647)),
  'POST /api/v1/services/{service_id}/mute 409': async () => {
    const full = await createFreezer(server, desk);
    await server.db.query(sql`
      insert into mute (service_id, account_id, account_name, created_at)
      select ${full.id}, 1, 'Ada', ${server.clock.read()} from generate_series(1, ${MOSTS.mutes.most}::int)`);
    return desk.oscar.post(service('mute', full.id));
  },
  'POST /api/v1/services/{service_id}/mute 413': () => sendForm(service('mute'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/services/{service_id}/mute 422': () => desk.oscar.post(service('mute', Number.NaN)),
  'POST /api/v1/services/{service_id}/unmute 200': () => desk.oscar.post(service('unmute')),
  'POST /api/v1/services/{service_id}/unmute 400': () => sendForm(service('unmute'), 'x=%ff'),
  'POST /api/v1/services/{service_id}/unmute 401': () => ask(service('unmute'), withBadToken, 'POST'),
  'POST /api/v1/services/{service_id}/unmute 403': () => desk.vera.post(service('unmute')),
  'POST /api/v1/services/{service_id}/unmute 404': () => desk.oscar.post(service('unmute', 2_147_483_647)),
  'POST /api/v1/services/{service_id}/unmute 413': () =>
    sendForm(service('unmute'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/services/{service_id}/unmute 422': () => desk.oscar.post(service('unmute', Number.NaN)),
  'GET /api/v1/downtimes 200': () => desk.vera.get(DOWNTIMES),
  'GET /api/v1/downtimes 401': () => ask(DOWNTIMES),
  'GET /api/v1/downtimes 500': () => withoutTables(DOWNTIMES),
  'GET /api/v1/downtimes 503': () => withoutDatabase(DOWNTIMES),
  'POST /api/v1/downtimes 303': () => desk.schedule(desk.oscar),
  'POST /api/v1/downtimes 400': () => desk.schedule(desk.oscar, { reason: '' }),
  'POST /api/v1/downtimes 401': () => ask(DOWNTIMES, withBadToken, 'POST'),
  'POST /api/v1/downtimes 403': () => desk.schedule(desk.vera),
  'POST /api/v1/downtimes 409': async () => {
    const full = await createFreezer(server, desk);
    await server.db.query(sql`
      insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
      select ${full.id}, ${server.clock.read()}, ${new Date(server.clock.read().getTime() + hours(24))}, 'Full', 1, 'Ada',
        ${server.clock.read()} from generate_series(1, ${MOSTS.downtimes.most}::int)`);
    return desk.schedule(desk.oscar, { service_id: String(full.id) });
  },
  'POST /api/v1/downtimes 413': () => desk.schedule(desk.oscar, { reason: 'x'.repeat(1024 * 1024) }),
  'POST /api/v1/downtimes 422': () => desk.oscar.post(DOWNTIMES),
  'POST /api/v1/downtimes 500': () => withoutDatabase(DOWNTIMES, 'POST'),
  'DELETE /api/v1/downtimes/{downtime_id} 200': async () =>
    desk.cancel(desk.oscar, await desk.addWindow(0, hours(1))),
  'DELETE /api/v1/downtimes/{downtime_id} 400': () => desk.cancel(desk.oscar, 1, { body: 'x=%ff' }),
  'DELETE /api/v1/downtimes/{downtime_id} 401': () => ask(`${DOWNTIMES}/1`, withBadToken, 'DELETE'),
  'DELETE /api/v1/downtimes/{downtime_id} 403': () => desk.cancel(desk.nora, 1),
  'DELETE /api/v1/downtimes/{downtime_id} 404': () => desk.cancel(desk.oscar, 2_147_483_647),
  'DELETE /api/v1/downtimes/{downtime_id} 413': () =>
    desk.cancel(desk.oscar, 1, { body: 'x'.repeat(1024 * 1024 + 1) }),
  'DELETE /api/v1/downtimes/{downtime_id} 422': () => desk.cancel(desk.oscar, 0),
  'DELETE /api/v1/downtimes/{downtime_id} 500': () => withoutDatabase(`${DOWNTIMES}/1`, 'DELETE'),
  'POST /api/v1/services/{service_id}/edit 303': () => desk.ada.post(service('edit')),
  'POST /api/v1/services/{service_id}/edit 400': () => sendForm(service('edit'), 'x=%ff'),
  'POST /api/v1/services/{service_id}/edit 401': () => ask(service('edit'), withBadToken, 'POST'),
  'POST /api/v1/services/{service_id}/edit 403': () => desk.oscar.post(service('edit')),
  'POST /api/v1/services/{service_id}/edit 404': () => desk.ada.post(service('edit', 2_147_483_647)),
  'POST /api/v1/services/{service_id}/edit 413': () => sendForm(service('edit'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/services/{service_id}/edit 422': () => desk.ada.post(service('edit', Number.NaN)),
  'GET /api/v1/services/{service_id}/what-to-do 200': () => desk.vera.get(service('what-to-do')),
  'GET /api/v1/services/{service_id}/what-to-do 401': () => ask(service('what-to-do')),
  'GET /api/v1/services/{service_id}/what-to-do 404': () =>
    desk.vera.get(service('what-to-do', 2_147_483_647)),
  'GET /api/v1/services/{service_id}/what-to-do 422': () => desk.vera.get(service('what-to-do', 0)),
  'GET /api/v1/services/{service_id}/what-to-do 500': () => withoutTables(service('what-to-do')),
  'GET /api/v1/services/{service_id}/what-to-do 503': () => withoutDatabase(service('what-to-do')),
  'PUT /api/v1/services/{service_id}/what-to-do 200': () => put(service('what-to-do'), 'owner=Ada', desk.ada),
  'PUT /api/v1/services/{service_id}/what-to-do 400': () => put(service('what-to-do'), 'owner=%ff', desk.ada),
  'PUT /api/v1/services/{service_id}/what-to-do 401': () => ask(service('what-to-do'), withBadToken, 'PUT'),
  'PUT /api/v1/services/{service_id}/what-to-do 403': () =>
    put(service('what-to-do'), 'owner=Vera', desk.vera),
  'PUT /api/v1/services/{service_id}/what-to-do 404': () =>
    put(service('what-to-do', 2_147_483_647), 'owner=Ada', desk.ada),
  'PUT /api/v1/services/{service_id}/what-to-do 413': () =>
    put(service('what-to-do'), 'x'.repeat(1024 * 1024 + 1), desk.ada),
  'PUT /api/v1/services/{service_id}/what-to-do 422': () =>
    put(service('what-to-do'), 'value_class=D', desk.ada),
  'PUT /api/v1/services/{service_id}/what-to-do 500': () => withoutTables(service('what-to-do'), 'PUT'),
  'PUT /api/v1/services/{service_id}/what-to-do 503': () => withoutDatabase(service('what-to-do'), 'PUT'),
  'GET /api/v1/services/{service_id}/rescue 200': () => desk.vera.get(service('rescue')),
  'GET /api/v1/services/{service_id}/rescue 401': () => ask(service('rescue')),
  'GET /api/v1/services/{service_id}/rescue 404': () => desk.vera.get(service('rescue', 2_147_483_647)),
  'GET /api/v1/services/{service_id}/rescue 422': () => desk.vera.get(service('rescue', 0)),
  'GET /api/v1/services/{service_id}/rescue 500': () => withoutTables(service('rescue')),
  'GET /api/v1/services/{service_id}/rescue 503': () => withoutDatabase(service('rescue')),
  'PUT /api/v1/services/{service_id}/rescue 200': () => put(service('rescue'), 'racks=1', desk.ada),
  'PUT /api/v1/services/{service_id}/rescue 400': () => put(service('rescue'), 'racks=%ff', desk.ada),
  'PUT /api/v1/services/{service_id}/rescue 401': () => ask(service('rescue'), withBadToken, 'PUT'),
  'PUT /api/v1/services/{service_id}/rescue 403': () => put(service('rescue'), 'racks=1', desk.vera),
  'PUT /api/v1/services/{service_id}/rescue 404': () =>
    put(service('rescue', 2_147_483_647), 'racks=1', desk.ada),
  'PUT /api/v1/services/{service_id}/rescue 413': () =>
    put(service('rescue'), 'x'.repeat(1024 * 1024 + 1), desk.ada),
  'PUT /api/v1/services/{service_id}/rescue 422': () => put(service('rescue'), 'racks=many', desk.ada),
  'PUT /api/v1/services/{service_id}/rescue 500': () => withoutTables(service('rescue'), 'PUT'),
  'PUT /api/v1/services/{service_id}/rescue 503': () => withoutDatabase(service('rescue'), 'PUT'),
  'POST /api/v1/services/{service_id}/delete-band 200': () => desk.ada.post(service('delete-band')),
  'POST /api/v1/services/{service_id}/delete-band 400': () => sendForm(service('delete-band'), 'x=%ff'),
  'POST /api/v1/services/{service_id}/delete-band 401': () =>
    ask(service('delete-band'), withBadToken, 'POST'),
  'POST /api/v1/services/{service_id}/delete-band 413': () =>
    sendForm(service('delete-band'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/services/{service_id}/delete-band 422': () =>
    desk.ada.post(service('delete-band', Number.NaN)),
  'POST /api/v1/services/{service_id}/recommend 200': () => people.nora.post(service('recommend')),
  'POST /api/v1/services/{service_id}/recommend 400': () => sendForm(service('recommend'), 'x=%ff'),
  'POST /api/v1/services/{service_id}/recommend 401': () => ask(service('recommend'), withBadToken, 'POST'),
  'POST /api/v1/services/{service_id}/recommend 413': () =>
    sendForm(service('recommend'), 'x'.repeat(1024 * 1024 + 1)),
  'POST /api/v1/services/{service_id}/recommend 422': () => people.nora.post(service('recommend', 0)),
  'POST /api/v1/services/{service_id}/recommend 500': () => withoutTables(service('recommend'), 'POST'),
  'POST /api/v1/services/{service_id}/recommend 503': () => withoutDatabase(service('recommend'), 'POST'),
  'GET /api/v1/services/{service_id}/recommendation 200': () => ask(service('recommendation')),
  'GET /api/v1/services/{service_id}/recommendation 401': () => ask(service('recommendation'), withBadToken),
  'GET /api/v1/services/{service_id}/recommendation 422': () => ask(service('recommendation', 0)),
  'GET /api/v1/services/{service_id}/recommendation 500': () => withoutTables(service('recommendation')),
  'GET /api/v1/services/{service_id}/recommendation 503': () => withoutDatabase(service('recommendation')),
  'POST /api/v1/services/{service_id}/apply-recommendation 200': () =>
    people.nora.post(service('apply-recommendation'), { result_id: '1' }),
  'POST /api/v1/services/{service_id}/apply-recommendation 400': () =>
    sendForm(service('apply-recommendation'), 'x=%ff'),
  'POST /api/v1/services/{service_id}/apply-recommendation 401': () =>
    ask(service('apply-recommendation'), withBadToken, 'POST'),
  'POST /api/v1/services/{service_id}/apply-recommendation 413': () =>
    people.nora.post(service('apply-recommendation'), { result_id: '1'.repeat(1024 * 1024) }),
  'POST /api/v1/services/{service_id}/apply-recommendation 422': () =>
    people.nora.post(service('apply-recommendation')),
  'POST /api/v1/services/{service_id}/apply-recommendation 500': () =>
    withoutTables(service('apply-recommendation'), 'POST'),
  'POST /api/v1/services/{service_id}/apply-recommendation 503': () =>
    withoutDatabase(service('apply-recommendation'), 'POST'),
  'GET /health 200': () => ask('/health', withBadToken),
  'GET /api/v1/health 200': () => ask('/api/v1/health', withBadToken),
  'GET /api/v1/health/detailed 200': () => people.nora.get('/api/v1/health/detailed'),
  'GET /api/v1/health/detailed 401': () => ask('/api/v1/health/detailed'),
  'POST /api/v1/telemetry 200': () => lab.post([]),
  'POST /api/v1/telemetry 400': () => lab.send('{'),
  'POST /api/v1/telemetry 401': () => ask('/api/v1/telemetry', withBadToken, 'POST'),
  'POST /api/v1/telemetry 413': () => lab.send(`[${Array(10_001).fill('{}').join(',')}]`),
  'POST /api/v1/telemetry 415': () => lab.send('{}', { 'content-type': 'text/plain' }),
  'POST /api/v1/telemetry 422': () => lab.send('7'),
  'POST /api/v1/telemetry 503': () => withoutTables('/api/v1/telemetry', 'POST'),
};

async function readDocumented(): Promise<string[]> {
  const { paths } = (await (await ask('/api/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
}

test('every documented status is provoked below, and nothing else', async () => {
  expect((await readDocumented()).sort()).toEqual(Object.keys(PROVOCATIONS).sort());
});

describe('the route answers as documented', () => {
  test.each(Object.entries(PROVOCATIONS))('%s', async (line, provoke) => {
    const answer = await provoke();
    const status = Number(line.split(' ')[2]);
    expect(answer.status).toBe(status);
    expect(answer.headers.has('retry-after')).toBe([429, 503].includes(status));
  });
});
