// What people see of services that tell nobody, and of those that are not watched yet. The list of alarms of the
// interface knows nothing of either.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createFreezer,
  type Freezer,
  minutesAgo,
  setAlarm,
  setStale,
  setTelemetry,
} from '../support/equipment.ts';
import { seconds } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'ULT 3' });
});

const look = async (path: string, person = people.vera) =>
  textOf(await expectPage(await person.get(path), 200));

/** As the edit form of the interface saves it. */
const EDIT = { metric_channel: 'temperature', ch_high: '-60', cl_low: '', wh_high: '', wl_low: '' };
const edit = (fields: Record<string, string> = {}) =>
  people.ada.post(`/api/v1/services/${freezer.id}/edit`, { ...EDIT, ...fields });

async function makeGroup(name = 'Cold team'): Promise<string> {
  const [row] = await server.db.query<{ id: number }>(sql`
    insert into notification_group (organization_id, name, created_at)
    values (${people.organization}, ${name}, ${server.clock.read()}) returning id`);
  return String(row?.id);
}

const FLAGS = [
  'send_critical',
  'send_warning',
  'send_acknowledgements',
  'send_recoveries',
  'enable_system_notifications',
];
const ALL_ON = Object.fromEntries(FLAGS.map((flag) => [flag, 'on']));

describe('a service that tells nobody', () => {
  test('says so in the list and on its page', async () => {
    for (const path of ['/services', `/services/${freezer.id}`])
      expect(await look(path)).toContain('Notified: nobody. No group is chosen.');
    await edit({ notification_group_id: await makeGroup() });
    for (const path of ['/services', `/services/${freezer.id}`])
      expect(await look(path)).toContain(
        'Notified of nothing. Cold team is chosen, with everything switched off.',
      );
  });

  test('what is told is said where it is not everything', async () => {
    const notification_group_id = await makeGroup();
    await edit({ notification_group_id, send_critical: 'on' });
    for (const path of ['/services', `/services/${freezer.id}`])
      expect(await look(path)).toContain('Notified: Cold team, about critical alarms.');
    await edit({ notification_group_id, ...ALL_ON });
    expect(await look(`/services/${freezer.id}`)).toContain('Notified: Cold team, about everything.');
    expect(await look('/services')).not.toContain('Notified:');
  });

  test('its alarm says so, with the way to mend it or whom to ask', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    const why = 'Nobody was notified: no group is chosen.';
    for (const path of ['/', `/services/${freezer.id}`]) {
      expect(await look(path, people.ada)).toContain(`${why} Choose who is notified`);
      expect(await look(path, people.vera)).toContain(`${why} Ask Ada to choose who is notified.`);
    }
    expect(await look(`/alarms/${freezer.id}`, people.oscar)).toContain(
      `${why} Ask Ada to choose who is notified.`,
    );
    const html = await (await people.ada.get('/')).text();
    expect(html).toContain(`href="/services/${freezer.id}?edit=open#edit"`);
    const form = await (await people.ada.get(`/services/${freezer.id}?edit=open`)).text();
    expect(form).toMatch(/<details open[^>]*><summary>Edit limits and notifications/);
  });

  test('a row that was acknowledged still says so', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    const answer = await people.oscar.post(
      `/api/v1/alarms/${freezer.id}/acknowledge`,
      {},
      { 'hx-request': 'true' },
    );
    expect(textOf(await answer.text())).toContain('Nobody was notified: no group is chosen.');
  });

  test('a severity that is not told says which', async () => {
    await edit({ notification_group_id: await makeGroup(), send_critical: 'on' });
    await setAlarm(server, freezer, { severity: 'warning' });
    expect(await look('/')).toContain('Nobody was notified: Cold team is not notified about warnings.');
    await setAlarm(server, freezer, { severity: 'critical' });
    expect(await look('/')).not.toContain('Nobody was notified');
  });

  test('what was told before the group went is not denied', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await server.db.query(sql`
      insert into notification (service_id, organization_id, episode_id, kind, severity, happened_at, message, state,
        reason, due_at, decided_at, created_at)
      select service_id, organization_id, episode_id, 'critical', 'critical', ${server.clock.read()}, 'Too warm', 'released',
        'First', ${server.clock.read()}, ${server.clock.read()}, ${server.clock.read()}
      from alarm_state where service_id = ${freezer.id}`);
    expect(await look('/')).toContain('Nobody is notified any more: no group is chosen.');
  });

  test('administrators of another organization are never named', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    expect(await look('/')).not.toContain('Olga');
  });
});

describe('a service that is not watched yet', () => {
  test('is neither green nor red, and says what is missing', async () => {
    const html = await (await people.vera.get('/services')).text();
    expect(html).toContain('<span class="severity severity-unwatched">Not watched yet</span>');
    expect(textOf(html)).toContain('no limits, never heard from');
    const page = await look(`/services/${freezer.id}`);
    expect(page).toContain('Not watched yet');
    expect(page).not.toContain('All is well');
    await edit();
    expect(await look('/services')).toContain('never heard from');
    expect(await look('/services')).not.toContain('no limits');
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
    expect(await look('/services')).not.toContain('Not watched yet');
    expect(await look(`/services/${freezer.id}`)).toContain('All is well');
  });

  test('what is missing has its link for administrators, and none for others', async () => {
    const path = `/services/${freezer.id}`;
    const html = await (await people.ada.get(path)).text();
    expect(html).toMatch(/href="\/services\/\d+\?edit=open#edit">Set limits</);
    expect(html).toMatch(/href="\/settings\/devices\?organization=\d+">Give it a device</);
    expect(await look(path)).not.toMatch(/Set limits|Give it a device/);
  });

  test('is counted on the alarms page, where all is not well', async () => {
    const page = await look('/');
    expect(page).toContain('1 service is not watched yet');
    expect(page).not.toContain('All is well');
    await edit();
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
    expect(await look('/')).toContain('All is well');
  });

  test('is counted beside alarms, unless it is one of them', async () => {
    const other = await createFreezer(server, people, { name: 'Incubator' });
    await setAlarm(server, other, { severity: 'critical' });
    expect(await look('/')).toContain('1 service is not watched yet');
    await setStale(server, freezer, minutesAgo(server, 5));
    // Beside alarms it may be a moment old.
    server.clock.advance(seconds(10));
    expect(await look('/')).not.toContain('not watched yet');
  });

  test('can be listed alone', async () => {
    const other = await createFreezer(server, people, { name: 'Incubator' });
    await setAlarm(server, other, { severity: 'critical' });
    const page = await look('/services?state=unwatched');
    expect(page).toContain('ULT 3');
    expect(page).not.toContain('Incubator');
    expect(await look('/services?state=normal')).toContain('No unit matches');
  });

  test('the list of alarms of the interface does not change', async () => {
    expect(await (await people.vera.get('/api/v1/alarms')).json()).toEqual([]);
  });
});
