// Alarms and downtimes in states that no walk through the pages meets, in a language without a letter of English.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { HX } from '../support/answers.ts';
import {
  createFreezer,
  type Freezer,
  minutesAgo,
  setAlarm,
  setDowntime,
  setStale,
  setTelemetry,
} from '../support/equipment.ts';
import { LONG, speakMadeUp } from '../support/made-up-language.ts';
import { hours } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { openFinder } from '../support/plain-english.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

const TYPED = ['Defrost', 'being mended', 'on my way', 'uptime'];

let server: TestServer;
let people: People;
let freezer: Freezer;
let find: (html: string) => string[];
beforeAll(async () => {
  speakMadeUp(LONG);
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'ULT 3', location: 'Room 101' });
  await server.db.query(sql`update account set language = ${LONG}`);
  find = await openFinder(server, TYPED);
});

const read = async (who: 'vera' | 'oscar' | 'ada' | 'nora', path: string) =>
  (await (await signedIn(server, people[who])).open(path)).text();

const send = async (path: string, form: Record<string, string> = {}, who: 'oscar' | 'ada' = 'oscar') => {
  const visitor = await signedIn(server, people[who]);
  const answer = await visitor.send(path, form);
  const next = answer.headers.get('location');
  return next === null ? answer.text() : visitor.read(next);
};

const raise = async () => {
  await setAlarm(server, freezer, { severity: 'critical', since: minutesAgo(server, 72) });
  await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
};

test.each<[state: string, html: () => Promise<string>]>([
  ['no alarm', () => read('vera', '/')],
  ['nobody belongs anywhere', () => read('nora', '/')],
  ['no alarm of this one', () => read('oscar', `/alarms/${freezer.id}`)],
  [
    'an alarm with its value',
    async () => {
      await raise();
      return read('ada', '/');
    },
  ],
  [
    'an alarm without one',
    async () => {
      await setAlarm(server, freezer, { severity: 'warning' });
      return read('vera', '/');
    },
  ],
  [
    'a stale one',
    async () => {
      await setStale(server, freezer, minutesAgo(server, 50));
      return read('vera', '/');
    },
  ],
  [
    'stale as well',
    async () => {
      await raise();
      await setStale(server, freezer, minutesAgo(server, 5));
      return read('vera', '/');
    },
  ],
  [
    'one that is taken',
    async () => {
      await raise();
      return send(`/alarms/${freezer.id}/acknowledge`, { comment: 'on my way' });
    },
  ],
  [
    'its own page',
    async () => {
      await raise();
      await send(`/alarms/${freezer.id}/acknowledge`);
      return read('oscar', `/alarms/${freezer.id}/taken`);
    },
  ],
  [
    'nobody is notified of a hand-over',
    async () => {
      await raise();
      await send(`/alarms/${freezer.id}/acknowledge`);
      return send(`/alarms/${freezer.id}/hand-over`, { to: String(people.ada.id) });
    },
  ],
  [
    'given back',
    async () => {
      await raise();
      await send(`/alarms/${freezer.id}/acknowledge`);
      return send(`/alarms/${freezer.id}/cannot-go`);
    },
  ],
  [
    'muted without an end',
    async () => {
      await raise();
      await send(`/alarms/${freezer.id}/mute`, { minutes: 'none', reason: 'being mended' });
      return (await read('oscar', `/alarms/${freezer.id}`)) + (await read('vera', '/'));
    },
  ],
  [
    'muted for a while',
    async () => {
      await send(`/alarms/${freezer.id}/mute`, { minutes: '60' });
      return read('oscar', `/alarms/${freezer.id}`);
    },
  ],
  ['muted without a reason', () => send(`/alarms/${freezer.id}/mute`, { minutes: 'none' })],
  [
    'a button of the mutes',
    async () => (await people.oscar.post(`/api/v1/services/${freezer.id}/mute`, {}, HX)).text(),
  ],
  [
    'downtimes now, to come and past',
    async () => {
      await setDowntime(server, freezer, -hours(1), hours(1));
      await setDowntime(server, freezer, hours(0.5), hours(2));
      await setDowntime(server, freezer, -hours(30), -hours(28));
      return (
        (await read('oscar', '/downtimes')) + (await read('vera', '/downtimes')) + (await read('vera', '/'))
      );
    },
  ],
  [
    'a downtime to cancel',
    async () => {
      await setDowntime(server, freezer, -hours(1), hours(1));
      const [{ id } = { id: 0 }] = await server.db.query<{ id: number }>(
        sql`select max(id)::int as id from downtime`,
      );
      return (
        (await read('oscar', `/downtimes/${id}/cancel`)) +
        (await send(`/downtimes/${id}/cancel`)) +
        (await send(`/downtimes/${id}/cancel`))
      );
    },
  ],
  [
    'a downtime that cannot be',
    async () =>
      (await send('/downtimes', { service_id: '' })) +
      (await send('/downtimes', {
        service_id: String(freezer.id),
        start_time: '2026-11-15T10:00',
        duration: '60',
        reason: ' ',
      })),
  ],
  [
    'one that can',
    () =>
      send('/downtimes', {
        service_id: String(freezer.id),
        start_time: '2026-11-15T10:00',
        duration: '60',
        reason: 'Defrost',
      }),
  ],
  ['what is not there', () => read('vera', '/services/999999')],
])('%s', async (_, html) => expect(find(await html())).toEqual([]));

const SERIES = {
  first_day: '2026-11-16',
  start: '03:00',
  duration: '120',
  interval: '1',
  until_day: '2027-03-01',
  reason: 'Defrost',
};

test.each([
  ['day', {}],
  ['week', { interval: '2', MO: 'yes', TH: 'yes' }],
  ['month', {}],
  ['weekday', { interval: '3' }],
])('downtimes that come again by the %s', async (unit, more) => {
  const form = { service_id: String(freezer.id), ...SERIES, unit, ...more };
  expect(
    find(await read('oscar', `/downtimes/series?${new URLSearchParams({ ...form, preview: 'yes' })}`)),
  ).toEqual([]);
  expect(find(await send('/downtimes/series', form))).toEqual([]);
  expect(find(await send('/downtimes/series', { ...form, until_day: '2026-01-01' }))).toEqual([]);
});

test('what is wrong with Tocsin itself', async () => {
  await server.watch.task.run(server.clock.read());
  const html = await read('ada', '/');
  expect(html).toContain('id="banner" data-names="no_engine no_deliverer"');
  expect(find(html)).toEqual([]);
  const banner = await (await people.ada.get('/banner', HX)).text();
  expect(banner).toContain('<section');
  expect(find(banner)).toEqual([]);
});
