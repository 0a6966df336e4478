// The edit form, before it is saved: how often these limits would have fired, against how often those in force did.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { archive } from '../support/equipment.ts';
import { MONTH_OF_MINUTES, readFreezer, storeReadings } from '../support/history.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { LONG, speakMadeUp } from '../support/made-up-language.ts';
import type { Person } from '../support/people.ts';
import { openFinder } from '../support/plain-english.ts';
import { PROGRAMS, startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
let freezer: ServiceId;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
  ({ id: freezer } = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { WARNING_HIGH: { limit: -78 } } }],
  }));
  // Twice a day the door stands open for ten minutes.
  await storeReadings(server, freezer, {
    count: MONTH_OF_MINUTES,
    value: (index) => (index % 720 < 10 ? -70 : -80),
  });
});

const FORM = { metric_channel: 'temperature', ch_high: '', cl_low: '', wh_high: '', wl_low: '' };
const path = (id: ServiceId | string) => `/services/${id}/backtest`;
const send = (form: Record<string, string> = {}, id = freezer, who: Person = lab.ada) =>
  who.post(path(id), { ...FORM, ...form });

/** The text of the fragment, as a reader gets it. */
const read = async (response: Response) =>
  (await response.text())
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('an administrator sees', () => {
  test('both figures, side by side', async () => {
    const response = await send({ wh_high: '-74', wh_sustained: '3' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await read(response)).toBe(
      'In the last 30 days, these limits would have raised 60 alarms ; the ones in force would have raised 60 alarms . ' +
        'Limits of Temperature, tried on 43200 stored readings Figure In force These ' +
        'Alarms 60 60 Time in alarm 600 min 420 min Longest excursion 10 min 7 min',
    );
  });

  test('that wider limits raise nothing, and blank ones neither', async () => {
    for (const form of [{ ch_high: '-60' }, {}])
      expect(await read(await send(form))).toContain('these limits would have raised 0 alarms ;');
  });

  test('that one is one', async () => {
    expect(await read(await send({ wh_high: '-999' }))).toContain('would have raised 1 alarm ;');
  });

  test('service-wide limits on the channels that have none of their own', async () => {
    const { id } = await lab.freezer({
      channels: ['top', 'bottom'].map((name) => ({ name, kind: 'metric' })),
      limits: [{ channel: 'bottom', bands: { WARNING_HIGH: { limit: -100 } } }],
    });
    for (const channel of ['top', 'bottom'])
      await storeReadings(server, id, { channel, count: 2 * 1440, value: readFreezer });
    const text = await read(await send({ metric_channel: 'default', wh_high: '-78' }, id));
    expect(text).toMatch(
      /^Since 13 Nov 04:01 , the first stored reading, these limits would have raised 4 alarms ; the ones in force would have raised 0 alarms \./,
    );
    expect(text).toContain(
      'Limits of all channels without limits of their own, tried on 2880 stored readings',
    );
  });

  test('percentages with the last setpoint from before the 30 days', async () => {
    const { id } = await lab.freezer({
      channels: [
        { name: 'speed', kind: 'metric' },
        { name: 'target', kind: 'setpoint' },
      ],
    });
    await storeReadings(server, id, {
      channel: 'speed',
      count: 2000,
      value: (index) => (index < 100 ? 2000 : 1000),
    });
    const form = { metric_channel: 'speed', is_percentage: 'on', setpoint_channel: 'target', ch_high: '50' };
    expect(await read(await send(form, id))).toContain('these limits would have raised 0 alarms');
    await storeReadings(server, id, {
      channel: 'target',
      count: 60,
      everyMs: 24 * 3_600_000,
      value: () => 1000,
    });
    await server.db.query(sql`
      delete from reading_pack using channel where channel.id = channel_id and channel.service_id = ${id} and name = 'target'
        and last_at > ${new Date(server.clock.read().getTime() - 31 * 24 * 3_600_000)}`);
    expect(await read(await send(form, id))).toContain('these limits would have raised 1 alarm');
  });

  test('what is wrong with the form, instead of figures', async () => {
    expect(await read(await send({ ch_high: '-80', wh_high: '-70' }))).toBe(
      'Critical high must be strictly greater than warning high',
    );
    expect(await read(await lab.ada.post(path(freezer), { ch_high: '1' }))).toBe(
      'Incomplete edit submission; no changes were saved',
    );
  });

  test('that a lone 0 is not saved', async () => {
    const text = await read(await send({ ch_high: '0' }));
    expect(text).toContain('Critical high: a limit of 0 without delay and sustained time is not saved.');
    expect(await read(await send({ ch_high: '0', ch_sustained: '5' }))).not.toContain('is not saved');
  });

  test('that what is not a number is no limit', async () => {
    expect(await read(await send({ cl_low: ' -90,5 ' }))).toContain(
      'Critical low: -90,5 is not a number, so no limit is saved. Write decimals with a point.',
    );
  });

  test('that nothing is stored yet', async () => {
    const { id } = await lab.freezer();
    for (const form of [{}, { metric_channel: 'default' }, { metric_channel: 'not there yet' }])
      expect(await read(await send(form, id))).toBe(
        'There are not enough stored readings to try these limits on.',
      );
  });

  test('names as they are, never as markup', async () => {
    const { id } = await lab.freezer({ channels: [{ name: 'x', label: '<b>Bold</b>', kind: 'metric' }] });
    await storeReadings(server, id, { channel: 'x', count: 10, value: readFreezer });
    const html = await (await send({ metric_channel: 'x', ch_high: '1' }, id)).text();
    expect(html).toContain('Limits of &lt;b>Bold&lt;/b>');
  });
});

describe('nobody else', () => {
  test.each([
    ['vera', 403, 'Organization administrator role required to edit this service'],
    ['oscar', 403, 'Organization administrator role required to edit this service'],
    ['olga', 404, 'Service not found'],
    ['nora', 404, 'Service not found'],
  ] as const)('%s gets %i', async (name, status, text) => {
    const response = await send({}, freezer, lab[name]);
    expect([response.status, await read(response)]).toEqual([status, text]);
  });

  test('without a session: 401', async () => {
    const response = await fetch(server.url + path(freezer), {
      method: 'POST',
      body: new URLSearchParams(FORM),
    });
    expect([response.status, await read(response)]).toEqual([401, 'Sign in again to try these limits.']);
  });

  test('a session cookie counts, but not on a request that another site sent', async () => {
    const token = await server.signer.issue({ accountId: lab.ada.id, generation: 1 }, server.clock.read());
    const ask = (headers: Record<string, string>) =>
      fetch(server.url + path(freezer), {
        method: 'POST',
        body: new URLSearchParams(FORM),
        headers: { cookie: `access_token=${token}`, ...headers },
      });
    expect((await ask({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  });

  test.each(['0', 'x', '99999999999', '-1', '2147483647'])('of service %s: 404', async (id) => {
    expect((await lab.ada.post(path(id), FORM)).status).toBe(404);
  });

  test('of an archived service: 404', async () => {
    const { id } = await lab.freezer();
    await archive(server, { id, name: '' });
    expect((await send({}, id)).status).toBe(404);
  });
});

test('trying changes nothing', async () => {
  const look = async () => {
    const [stored] = await server.db.query(sql`
      select (select count(*) from limits_version) as versions, (select count(*) from audit) as audits,
        (select count(*) from alarm_event) as events, (select sum(config_version) from alarm_state) as configs`);
    return stored;
  };
  const before = await look();
  expect((await send({ ch_high: '-90', name: 'Renamed' })).status).toBe(200);
  expect(await look()).toEqual(before);
});

test('many at once: some are sent away, the others are answered, and later ones again', async () => {
  const { id } = await lab.freezer();
  await storeReadings(server, id, { count: 1440, value: readFreezer });
  const answers = await Promise.all(
    Array.from({ length: 20 * PROGRAMS }, () => send({ ch_high: '-60' }, id)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(12);
  expect((await send({ ch_high: '-60' }, id)).status).toBe(200);
});

test('it is said in the language of whoever edits, also why it cannot be', async () => {
  speakMadeUp(LONG);
  await server.db.query(sql`update account set language = ${LONG} where id = ${lab.ada.id}`);
  const find = await openFinder(server);
  for (const form of [
    { wh_high: '-74', ch_high: '0' },
    { wh_high: '-74', cl_low: '?' },
    { wh_high: '-74', ch_high: '-99' },
    { metric_channel: 'door', wh_high: '0.5' },
  ]) {
    const html = await (await send(form)).text();
    expect(html).toContain('class="backtest"');
    expect(find(html)).toEqual([]);
  }
  await server.db.query(sql`update account set language = null where id = ${lab.ada.id}`);
});
