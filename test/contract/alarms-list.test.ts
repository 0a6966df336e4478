import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail, expectFragment, HX } from '../support/answers.ts';
import {
  archive,
  createFreezer,
  type Freezer,
  minutesAgo,
  organizationOf,
  setAlarm,
  setDowntime,
  setStale,
  setTelemetry,
  TOO_WARM,
} from '../support/equipment.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const ALARMS = '/api/v1/alarms';

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { location: 'Room 101' });
});

interface Entry {
  id: number;
  severity: string;
  [field: string]: unknown;
}
const listFor = async (person: Person) => (await (await person.get(ALARMS)).json()) as Entry[];
const entryFor = async (person: Person) => (await listFor(person))[0] as Entry;
const idsFor = async (person: Person) => (await listFor(person)).map(({ id }) => id);
const acknowledge = (service: Freezer, form: Record<string, string> = {}) =>
  people.oscar.post(`${ALARMS}/${service.id}/acknowledge`, form);

describe('GET /api/v1/alarms, who may', () => {
  beforeEach(() => setAlarm(server, freezer, { severity: 'critical' }));

  test.each(['vera', 'oscar', 'ada'] as const)('200 with the alarm for %s', async (name) => {
    const answer = await people[name].get(ALARMS);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toHaveLength(1);
  });

  test('Olga of another organization sees only her own', async () => {
    const organization = await organizationOf(server, people.olga);
    const hers = await createFreezer(server, people, { organization });
    await setAlarm(server, hers, { severity: 'warning' });
    expect(await idsFor(people.olga)).toEqual([hers.id]);
    expect(await idsFor(people.vera)).toEqual([freezer.id]);
  });

  test('[] for Nora, who has no role anywhere', async () => {
    const answer = await people.nora.get(ALARMS);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([]);
  });

  test('401 Authentication required without a token', async () => {
    const answer = await anonymously(server, ALARMS);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await expectDetail(answer, 401, 'Authentication required');
  });

  test('401 Could not validate credentials with a bad one', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    await expectDetail(await anonymously(server, ALARMS, { headers }), 401, 'Could not validate credentials');
  });

  test('someone with roles in two organizations sees both, and may operate where the role allows it', async () => {
    const organization = await organizationOf(server, people.olga);
    const hers = await createFreezer(server, people, { organization });
    await setAlarm(server, hers, { severity: 'warning' });
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      values (${people.vera.id}, ${organization}, 'operator', ${server.clock.read()})`);
    expect((await listFor(people.vera)).map(({ id, can_operate }) => [id, can_operate])).toEqual([
      [freezer.id, false],
      [hers.id, true],
    ]);
  });

  test('a role that is taken away counts at once', async () => {
    await server.db.query(sql`delete from membership where account_id = ${people.vera.id}`);
    expect(await listFor(people.vera)).toEqual([]);
  });
});

describe('GET /api/v1/alarms, the active alarm entry', () => {
  test('exactly these fields, in this order', async () => {
    await setAlarm(server, freezer, { severity: 'critical', since: minutesAgo(server, 20) });
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
    const entry = await entryFor(people.vera);
    expect(entry).toEqual({
      id: freezer.id,
      service_id: freezer.id,
      service_name: freezer.name,
      channel: 'temperature',
      channel_label: 'Temperature',
      location_name: 'Room 101',
      severity: 'critical',
      message: TOO_WARM,
      triggered_at: '2026-11-15T02:40:00.000+00:00',
      acknowledged: false,
      acknowledged_by: null,
      acknowledged_at: null,
      is_stale: false,
      last_telemetry_time: '2026-11-15T02:59:00.000+00:00',
      stale_since: null,
      can_operate: false,
    });
    expect(Object.keys(entry)).toEqual([
      'id',
      'service_id',
      'service_name',
      'channel',
      'channel_label',
      'location_name',
      'severity',
      'message',
      'triggered_at',
      'acknowledged',
      'acknowledged_by',
      'acknowledged_at',
      'is_stale',
      'last_telemetry_time',
      'stale_since',
      'can_operate',
    ]);
  });

  test('channel_label is null for a channel without a label', async () => {
    await setAlarm(server, freezer, { severity: 'warning', channel: 'battery' });
    expect(await entryFor(people.vera)).toMatchObject({ channel: 'battery', channel_label: null });
  });

  test('channel_label is null for a channel that is not in the catalogue', async () => {
    await setAlarm(server, freezer, { severity: 'warning', channel: 'humidity' });
    expect(await entryFor(people.vera)).toMatchObject({ channel: 'humidity', channel_label: null });
  });

  test.each([
    ['the asset has no location', null],
    ['there is no asset', undefined],
  ])('location_name is null when %s', async (_, location) => {
    const other = await createFreezer(server, people, location === undefined ? {} : { location });
    await setAlarm(server, other, { severity: 'warning' });
    expect(await entryFor(people.vera)).toMatchObject({ id: other.id, location_name: null });
  });

  test('severity stale: no channel, a message in UTC, triggered when the data went stale', async () => {
    await setTelemetry(server, freezer, 'battery', minutesAgo(server, 60));
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 75));
    await setStale(server, freezer, minutesAgo(server, 45));
    expect(await entryFor(people.vera)).toMatchObject({
      channel: null,
      channel_label: null,
      severity: 'stale',
      message: 'No data since 2026-11-15 02:00 UTC',
      triggered_at: '2026-11-15T02:15:00.000+00:00',
      acknowledged: false,
      is_stale: true,
      last_telemetry_time: '2026-11-15T02:00:00.000+00:00',
      stale_since: '2026-11-15T02:15:00.000+00:00',
    });
  });

  test('severity stale, never reported: counts from its creation, last_telemetry_time is null', async () => {
    server.clock.advance(minutes(15));
    await setStale(server, freezer, server.clock.read());
    const created = minutesAgo(server, 15).toISOString().slice(0, 16).replace('T', ' ');
    expect(await entryFor(people.vera)).toMatchObject({
      severity: 'stale',
      message: `No data received since ${created} UTC`,
      last_telemetry_time: null,
    });
  });

  test.each(['critical', 'warning'] as const)(
    'a %s alarm on a service that has also stopped reporting keeps its severity, and is_stale is true',
    async (severity) => {
      await setAlarm(server, freezer, { severity, since: minutesAgo(server, 30) });
      await setStale(server, freezer, minutesAgo(server, 5));
      expect(await entryFor(people.vera)).toMatchObject({
        severity,
        channel: 'temperature',
        message: TOO_WARM,
        triggered_at: minutesAgo(server, 30).toISOString().replace('Z', '+00:00'),
        is_stale: true,
        stale_since: minutesAgo(server, 5).toISOString().replace('Z', '+00:00'),
      });
    },
  );

  test('acknowledged reflects the most recent active acknowledgement, of any severity', async () => {
    await setAlarm(server, freezer, { severity: 'warning' });
    await acknowledge(freezer);
    const at = server.clock.read().toISOString().replace('Z', '+00:00');
    const acknowledged = { acknowledged: true, acknowledged_by: 'Oscar', acknowledged_at: at };
    expect(await entryFor(people.vera)).toMatchObject({ severity: 'warning', ...acknowledged });

    await setAlarm(server, freezer, { severity: 'critical' });
    expect(await entryFor(people.vera)).toMatchObject({ severity: 'critical', ...acknowledged });

    server.clock.advance(minutes(5));
    await people.ada.post(`${ALARMS}/${freezer.id}/acknowledge`);
    expect(await entryFor(people.vera)).toMatchObject({
      acknowledged_by: 'Ada',
      acknowledged_at: server.clock.read().toISOString().replace('Z', '+00:00'),
    });

    await people.oscar.post(`${ALARMS}/${freezer.id}/unacknowledge`);
    expect(await entryFor(people.vera)).toMatchObject(acknowledged);

    await people.oscar.post(`${ALARMS}/${freezer.id}/unacknowledge`);
    expect(await entryFor(people.vera)).toMatchObject({
      acknowledged: false,
      acknowledged_by: null,
      acknowledged_at: null,
    });
  });

  test('can_operate is true for operators and administrators only', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    expect(await entryFor(people.vera)).toMatchObject({ can_operate: false });
    expect(await entryFor(people.oscar)).toMatchObject({ can_operate: true });
    expect(await entryFor(people.ada)).toMatchObject({ can_operate: true });
  });
});

describe('GET /api/v1/alarms, what is listed', () => {
  test('a normal service is not', async () => {
    expect(await listFor(people.vera)).toEqual([]);
  });

  test('critical, then warning, then stale; within a severity the most recently triggered first, then the higher id', async () => {
    const [a, b, c, d, e, f, g] = (await Promise.all(
      Array.from({ length: 7 }, () => createFreezer(server, people)),
    )) as [Freezer, Freezer, Freezer, Freezer, Freezer, Freezer, Freezer];
    await setStale(server, a, minutesAgo(server, 1));
    await setStale(server, b, minutesAgo(server, 90));
    await setAlarm(server, c, { severity: 'warning', since: minutesAgo(server, 2) });
    await setAlarm(server, d, { severity: 'critical', since: minutesAgo(server, 60) });
    await setAlarm(server, e, { severity: 'critical', since: minutesAgo(server, 10) });
    await setAlarm(server, f, { severity: 'critical', since: minutesAgo(server, 60) });
    await setAlarm(server, g, { severity: 'warning', since: minutesAgo(server, 240) });
    await setStale(server, g, minutesAgo(server, 0));
    const higher = d.id > f.id ? [d, f] : [f, d];
    expect(await idsFor(people.vera)).toEqual([e, ...higher, c, g, a, b].map(({ id }) => id));
  });

  test('archived services are omitted', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await setStale(server, freezer, minutesAgo(server, 5));
    await archive(server, freezer);
    expect(await listFor(people.vera)).toEqual([]);
    // Even if its state were left behind.
    await setStale(server, freezer, minutesAgo(server, 5));
    expect(await listFor(people.vera)).toEqual([]);
  });

  test.each([
    ['one that runs', -10, 10, false],
    ['one that starts this moment', 0, 10, false],
    ['one that ends this moment', -10, 0, true],
    ['one to come', 1, 10, true],
    ['one long over', -100, -90, true],
  ])('services currently in downtime are omitted: %s', async (_, from, until, isListed) => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await setDowntime(server, freezer, minutes(from), minutes(until));
    expect(await idsFor(people.vera)).toEqual(isListed ? [freezer.id] : []);
  });

  test('a downtime hides the service from its start to its end, and nothing else', async () => {
    const other = await createFreezer(server, people);
    await setAlarm(server, freezer, { severity: 'critical' });
    await setAlarm(server, other, { severity: 'critical' });
    await setDowntime(server, freezer, minutes(1), minutes(2));
    const both = [other.id, freezer.id];
    expect(await idsFor(people.vera)).toEqual(both);
    server.clock.advance(minutes(1));
    expect(await idsFor(people.vera)).toEqual([other.id]);
    server.clock.advance(minutes(1) - 1);
    expect(await idsFor(people.vera)).toEqual([other.id]);
    server.clock.advance(1);
    expect(await idsFor(people.vera)).toEqual(both);
  });

  test('query parameters change nothing', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    const answer = await people.vera.get(`${ALARMS}?severity=warning&limit=0`);
    expect(await answer.json()).toHaveLength(1);
  });
});

describe('GET /api/v1/alarms with HX-Request', () => {
  test.each(['true', 'false', ''])('answers with a fragment, whatever its value: %j', async (value) => {
    await expectFragment(await people.vera.get(ALARMS, { 'hx-request': value }));
  });

  test('without alarms it says so', async () => {
    const html = await expectFragment(await people.vera.get(ALARMS, HX));
    expect(html).toContain('No active alarms');
  });

  test('a row says everything in words, with times for people and programs', async () => {
    await setAlarm(server, freezer, { severity: 'critical', since: new Date('2026-11-15T02:40:00Z') });
    const html = await expectFragment(await people.vera.get(ALARMS, HX));
    expect(html).toContain(`<tr id="alarm-${freezer.id}" class="alarm alarm-critical"`);
    expect(html).toContain('<span class="severity severity-critical">Critical</span>');
    expect(html).toContain(`<a href="/services/${freezer.id}">${freezer.name}</a>`);
    expect(html).toContain('Room 101');
    expect(html).toContain(TOO_WARM.replaceAll('-', '−'));
    expect(html).toContain(
      '<time datetime="2026-11-15T02:40:00.000+00:00" title="2026-11-15 03:40 UTC+01:00" data-moment>today 03:40</time>',
    );
  });

  test('a viewer gets no buttons, an operator those that make sense', async () => {
    await setAlarm(server, freezer, { severity: 'warning' });
    const acknowledgeButton = `aria-label="Acknowledge ${freezer.name} (Room 101)"`;
    const removeButton = `aria-label="Remove acknowledgement of ${freezer.name} (Room 101)"`;
    const htmlFor = async (person: Person) => expectFragment(await person.get(ALARMS, HX));

    expect(await htmlFor(people.vera)).not.toMatch(/<button|<form/);
    expect(await htmlFor(people.oscar)).toContain(acknowledgeButton);
    expect(await htmlFor(people.oscar)).not.toContain(removeButton);

    await acknowledge(freezer);
    expect(await htmlFor(people.vera)).not.toMatch(/<button|<form/);
    expect(await htmlFor(people.oscar)).not.toContain(acknowledgeButton);
    expect(await htmlFor(people.oscar)).toContain(removeButton);

    await setAlarm(server, freezer, { severity: 'critical' });
    expect(await htmlFor(people.oscar)).toContain(acknowledgeButton);
    expect(await htmlFor(people.oscar)).toContain(removeButton);
  });

  test('a service that is only stale cannot be acknowledged', async () => {
    await setStale(server, freezer, minutesAgo(server, 5));
    const html = await expectFragment(await people.oscar.get(ALARMS, HX));
    expect(html).toContain('<span class="severity severity-stale">Stale</span>');
    expect(html).not.toMatch(/<button|<form/);
  });

  test('a value alarm that is stale too says both', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await setStale(server, freezer, minutesAgo(server, 5));
    const html = await expectFragment(await people.vera.get(ALARMS, HX));
    expect(html).toContain('>Critical</span>');
    expect(html).toContain('>Stale</span>');
  });

  test('hostile names are shown, not obeyed', async () => {
    const name = `<script>alert("n")</script>' onload='x`;
    const hostile = await createFreezer(server, people, { name, location: '<img src=x onerror=y>' });
    await setAlarm(server, hostile, { severity: 'critical', message: '<b>bold</b>' });
    await acknowledge(hostile, { comment: '</q><script>alert("c")</script>' });
    const html = await (await people.oscar.get(ALARMS, HX)).text();
    expect(html).not.toMatch(/<(script|img|b)\b/);
    expect(html).toContain('>&lt;script>alert(&quot;n&quot;)&lt;/script>');
    expect(html).toContain('<q>&lt;/q>&lt;script>alert(&quot;c&quot;)&lt;/script></q>');
    const attributes = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, value]) => value);
    expect(attributes).toContainEqual(expect.stringContaining('&lt;script>alert(&quot;n&quot;)'));
  });

  test('errors stay JSON', async () => {
    await expectDetail(await anonymously(server, ALARMS, { headers: HX }), 401, 'Authentication required');
  });
});
