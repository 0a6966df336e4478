import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRoad } from '../../src/engine/ingest/road.ts';
import { housekeepingTasks } from '../../src/engine/program/housekeeping.ts';
import { countTrips } from '../support/count-trips.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { countStored, listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const LIMITS = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained: 15 } } }];
const deviceId = async (key: string) =>
  (
    await server.db.query<{ id: number }>(sql`
      select id from device where organization_id = ${lab.organization} and lower(key) = lower(${key})`)
  )[0]?.id ?? 0;
const waitingOf = async (key: string) =>
  (
    await server.db.query<{ count: number }>(sql`
      select count(*)::int as "count" from waiting_reading where device_id = ${await deviceId(key)}`)
  )[0]?.count;
const eventsOf = (serviceId: number) =>
  server.db.query(
    sql`select kind, to_severity as "to" from alarm_event where service_id = ${serviceId} order by id`,
  );
const severityOf = async (serviceId: number) =>
  (
    await server.db.query<{ severity: string }>(sql`
    select severity from alarm_state where service_id = ${serviceId}`)
  )[0]?.severity;
/** One value every five minutes up to now, oldest first. */
const says = (device: string, ...temperatures: number[]) =>
  lab.post(
    temperatures.map((temperature, index) => ({
      device,
      time: server.clock.read().getTime() - minutes(5) * (temperatures.length - 1 - index),
      values: { temperature },
    })),
  );
const adopts = async (device: string, serviceId: number) => {
  const ada = await signedIn(server, lab.ada);
  const form = { service_id: String(serviceId), seen_service_id: '' };
  const answer = await ada.send(`/settings/devices/${await deviceId(device)}/assign`, form);
  expect(answer.status).toBe(303);
};

describe('a device that waits to be adopted', () => {
  test('keeps what it says, and brings it along', async () => {
    await lab.post({ device: 'EUI-1', values: { temperature: -80.1, door: false } });
    server.clock.advance(minutes(5));
    await lab.post({ device: 'eui-1', values: { temperature: -79.9 } });
    const serviceId = await lab.apply({ name: 'Freezer' });
    await adopts('EUI-1', serviceId);
    const stored = (await listStored(server.db, serviceId)).map(({ name, value }) => [name, value]);
    expect(stored).toEqual([
      ['door', 0],
      ['temperature', -80.1],
      ['temperature', -79.9],
    ]);
    expect(await waitingOf('EUI-1')).toBe(0);
    const kinds = await server.db.query(sql`
      select name, kind from channel where service_id = ${serviceId} order by name`);
    expect(kinds).toEqual([
      { name: 'door', kind: 'state' },
      { name: 'temperature', kind: 'metric' },
    ]);
    server.clock.advance(minutes(5));
    expect(await (await lab.post({ device: 'EUI-1', values: { temperature: -80 } })).json()).toMatchObject({
      accepted: 1,
    });
  });

  test('an alarm that was over before anybody watched is none', async () => {
    await says('EUI-2', -80, -40, -40, -40, -40, -40, -80);
    const serviceId = await lab.apply({ name: 'Freezer', limits: LIMITS });
    await adopts('EUI-2', serviceId);
    expect(await countStored(server.db, [serviceId])).toBe(7);
    expect(await severityOf(serviceId)).toBe('normal');
    expect(await eventsOf(serviceId)).toEqual([]);
  });

  test('one that lasts is raised at once, as long as it has lasted', async () => {
    await says('EUI-3', -80, -40, -40, -40, -40, -40);
    const serviceId = await lab.apply({ name: 'Freezer', limits: LIMITS });
    await adopts('EUI-3', serviceId);
    expect(await severityOf(serviceId)).toBe('critical');
    expect(await eventsOf(serviceId)).toEqual([{ kind: 'raised', to: 'critical' }]);
  });

  test('one whose time is not up yet is raised when it is', async () => {
    await says('EUI-4', -80, -40, -40, -40);
    const serviceId = await lab.apply({ name: 'Freezer', limits: LIMITS, stale_after_minutes: 60 });
    await adopts('EUI-4', serviceId);
    expect(await severityOf(serviceId)).toBe('normal');
    await lab.advance(minutes(5));
    expect(await severityOf(serviceId)).toBe('critical');
  });

  test('keeps the last 500, and nothing that came more than a day ago', async () => {
    const start = server.clock.read().getTime();
    const few = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        device: 'EUI-5',
        time: start - hours(30) + (from + index) * 1000,
        values: { temperature: from + index },
      }));
    await lab.post(few(0, 300));
    await lab.post(few(300, 700));
    await lab.post(few(1000, 30));
    expect(await waitingOf('EUI-5')).toBe(500);
    const range = await server.db.query(sql`
      select min(value) as "min", max(value) as "max" from waiting_reading where device_id = ${await deviceId('EUI-5')}`);
    expect(range).toEqual([{ min: 530, max: 1029 }]);
    server.clock.advance(hours(25));
    await lab.post({ device: 'EUI-5', values: { temperature: -80 } });
    const serviceId = await lab.apply({ name: 'Freezer' });
    await adopts('EUI-5', serviceId);
    expect((await listStored(server.db, serviceId)).map(({ value }) => value)).toEqual([-80]);

    await lab.post({ device: 'EUI-6', values: { temperature: -80 } });
    server.clock.advance(hours(25));
    const deps = { db: server.db, log: undefined as never, retentionDays: null };
    const task = housekeepingTasks(deps).find(({ name }) => name === 'waiting-readings');
    await task?.run(server.clock.read());
    expect(await waitingOf('EUI-6')).toBe(0);
  });

  test('given to a service by a lab file, its readings come with the clock, and once, however many programs bring them', async () => {
    await says('EUI-7', -80, -79, -78);
    const serviceId = await lab.apply({ name: 'Freezer', device: { key: 'EUI-7' } });
    expect(await countStored(server.db, [serviceId])).toBe(0);
    const deps = { db: server.db, clock: server.clock.read, retentionDays: null };
    const others = [openRoad(deps), openRoad(deps)];
    server.clock.advance(minutes(1));
    await Promise.all([
      ...[server.road, ...others].map((road) => road.bringAlong(server.clock.read())),
      lab.post({ device: 'EUI-7', values: { temperature: -77 } }),
    ]);
    expect((await listStored(server.db, serviceId)).map(({ value }) => value)).toEqual([-80, -79, -78, -77]);
    expect(await waitingOf('EUI-7')).toBe(0);
  });

  test('costs a batch no round trip more, however much it says', async () => {
    const { db, read } = countTrips(server.db);
    const road = openRoad({ db, clock: server.clock.read, retentionDays: null });
    const post = (devices: number, values: number) => {
      const before = read();
      const at = server.clock.read().getTime();
      const entries = Array.from({ length: devices }, (_, index) => ({
        index,
        target: { device: `many-${index}` },
        at,
        values: Array.from({ length: values }, (_, channel): [string, number, boolean] => [
          `c${channel}`,
          1,
          false,
        ]),
      }));
      const sent = { sourceId: null, organizationId: lab.organization, entries, rejected: [] };
      return road.take(sent, devices * values).then(() => read() - before);
    };
    expect([await post(1, 1), await post(50, 10)]).toEqual([4, 4]);
  });

  test('what it is and where it came from is known', async () => {
    await lab.source({ kind: 'chirpstack' });
    const event = {
      deviceInfo: { devEui: 'ABC1', deviceProfileName: 'Milesight EM320' },
      time: server.clock.read().toISOString(),
      object: { temperature: 4.5 },
    };
    await fetch(`${server.url}/api/v1/telemetry/chirpstack?event=up`, {
      method: 'POST',
      body: JSON.stringify(event),
      headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' },
    });
    const rows = await server.db.query(
      sql`select model, heard_from as "from" from device where id = ${await deviceId('abc1')}`,
    );
    expect(rows).toEqual([{ model: 'Milesight EM320', from: 'gateway' }]);
  });
});

describe('one form makes a service of it', () => {
  test('with its place, the limits of templates, its interval and who is told', async () => {
    const group = await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
    for (let message = 0; message < 10; message += 1) {
      server.clock.advance(minutes(10));
      await lab.post({ device: 'EUI-8', values: { temperature: -79.8, battery: 97, door: false } });
    }
    const ada = await signedIn(server, lab.ada);
    const home = `/settings/devices/${await deviceId('EUI-8')}`;
    const html = await ada.read(home);
    expect(html).toContain('Proposed from its last readings: 10.');
    expect(html).toMatch(/value="freezer-80" selected/);
    expect(await ada.read('/settings/devices')).toContain('−79.8');
    const form = {
      name: 'Freezer 8',
      location: 'Room 101',
      notification_group_id: String(group),
      uplink_interval_minutes: '10',
      c0_channel: 'battery',
      c0_template: 'battery',
      c0_wl_low: '15',
      c0_wl_sustained: '60',
      c1_channel: 'temperature',
      c1_template: 'freezer-80',
      c1_ch_high: '-50',
      c1_ch_sustained: '5',
    };
    const crossed = await ada.send(`${home}/new-service`, { ...form, c1_wh_high: '-40' });
    expect(crossed.status).toBe(422);
    expect(await crossed.text()).toContain('Critical high must be strictly greater than warning high.');
    const answer = await ada.send(`${home}/new-service`, form);
    const serviceId = Number(/services\/(\d+)/.exec(answer.headers.get('location') ?? '')?.[1]);
    const [made] = await server.db.query(sql`
      select service.name, asset.name as "asset", location.name as "location", uplink_interval_minutes as "interval",
        notification_group_id as "group", send_critical as "isTold",
        (select array_agg(concat_ws(' ', channel, band, limit_value, sustained_minutes) order by channel)
          from limits_version join limits_band on limits_version.id = limits_version_id
          where limits_version.service_id = service.id) as "limits",
        (select array_agg(concat_ws(' ', channel.name, label, unit, kind) order by channel.name)
          from channel where channel.service_id = service.id) as "channels"
      from service join service_settings on service_settings.service_id = service.id
      join asset on asset.id = asset_id join location on location.id = location_id
      join device on device.service_id = service.id
      where service.id = ${serviceId}`);
    expect(made).toEqual({
      name: 'Freezer 8',
      asset: 'Freezer 8',
      location: 'Room 101',
      interval: 10,
      group,
      isTold: true,
      limits: ['battery WARNING_LOW 15 60', 'temperature CRITICAL_HIGH -50 5'],
      channels: ['battery Battery % diagnostic', 'door state', 'temperature Temperature °C metric'],
    });
    expect(await countStored(server.db, [serviceId])).toBe(30);
    expect(await ada.read(answer.headers.get('location') ?? '')).toContain(
      'Adopted. What its device said before',
    );
    server.clock.advance(minutes(10));
    await lab.post({ device: 'EUI-8', values: { temperature: -30 } });
    await lab.advance(minutes(5));
    expect(await severityOf(serviceId)).toBe('critical');
  });

  test('the same asset at another place is moved there, on record', async () => {
    const ada = await signedIn(server, lab.ada);
    const adopt = async (device: string, form: Record<string, string>) => {
      await lab.post({ device, values: { temperature: 4 } });
      return ada.send(`/settings/devices/${await deviceId(device)}/new-service`, form);
    };
    await adopt('EUI-9', { name: 'One', asset: 'ULT-9', location: 'Room 1' });
    await adopt('EUI-10', { name: 'Two', asset: 'ULT-9', location: 'Room 2' });
    await adopt('EUI-11', { name: 'Three', asset: 'ULT-9' });
    const where = await server.db.query(sql`
      select location.name from asset join location on location.id = location_id
      where asset.organization_id = ${lab.organization}`);
    expect(where).toEqual([{ name: 'Room 2' }]);
  });
});
