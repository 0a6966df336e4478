import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditOfService, createFreezer, type Freezer, setAlarm } from '../support/equipment.ts';
import { openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { openSettingsDesk, recordsOf, type SettingsDesk } from '../support/settings-desk.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let desk: SettingsDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
});

const SERVICES = '/settings/services';
const DEVICES = '/settings/devices';
const lastRecord = async () => (await recordsOf(server, desk.organization)).at(-1);
const idIn = (answer: Response) => Number(/\/(\d+)\?/.exec(answer.headers.get('location') ?? '')?.[1]);
const expectDone = (answer: Response, done: string) => {
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toContain(`done=${done}`);
};
const device = async (key: string, service: Freezer | null = null) => {
  const [row] = await server.db.query<{ id: number }>(sql`
    insert into device (organization_id, key, service_id, created_at)
    values (${desk.organization}, ${key}, ${service?.id ?? null}, ${server.clock.read()}) returning id`);
  return row?.id ?? 0;
};
const serviceOfDevice = async (id: number) =>
  (await server.db.query<{ id: number | null }>(sql`select service_id as id from device where id = ${id}`))[0]
    ?.id;
const configVersion = async ({ id }: { id: number }) =>
  (
    await server.db.query<{ version: number }>(sql`
      select config_version as version from alarm_state where service_id = ${id}`)
  )[0]?.version ?? 0;

describe('services', () => {
  test('create makes a watched service and its asset, both on record', async () => {
    const answer = await desk.sends(`${SERVICES}/create`, { name: ' Freezer <1> ', asset: 'ULT-1' });
    expectDone(answer, 'create');
    const html = await expectPage(await desk.ada.open(answer.headers.get('location') ?? ''), 200);
    expect(html).toContain('Freezer &lt;1>');
    expect(html).toContain('ULT-1');
    expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
      'asset.create',
      'service.create',
    ]);
    const rows = await server.db.query(sql`
      select severity from alarm_state join service_settings using (service_id) where service_id = ${idIn(answer)}`);
    expect(rows).toEqual([{ severity: 'normal' }]);
  });

  test.each([
    [{ name: '  ' }, 'Give the service a name'],
    [{ name: 'x'.repeat(201) }, 'at most 200'],
    [{ name: 'Twin' }, 'There is a service of that name already'],
  ])('create %j is refused', async (form, text) => {
    await createFreezer(server, desk.people, { name: 'Twin' });
    const html = await expectPage(await desk.sends(`${SERVICES}/create`, { ...form, asset: 'New one' }), 422);
    expect(html).toContain(text);
    expect(await recordsOf(server, desk.organization)).toEqual([]);
  });

  test('of two who create the same at once, one is told that it is there', async () => {
    const answers = await Promise.all([1, 2].map(() => desk.sends(`${SERVICES}/create`, { name: 'Same' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  test('archive ends the alarm; restore brings the service back', async () => {
    const freezer = await createFreezer(server, desk.people);
    await setAlarm(server, freezer, { severity: 'critical' });
    expectDone(await desk.sends(`${SERVICES}/${freezer.id}/archive`), 'archive');
    expect(await (await desk.people.ada.get('/api/v1/alarms')).json()).toEqual([]);
    await expectPage(await desk.ada.open(`/services/${freezer.id}`), 404);
    expect(await desk.ada.read(SERVICES)).not.toContain(freezer.name);
    expect(await desk.ada.read(`${SERVICES}?show=archived`)).toContain(freezer.name);
    expectDone(await desk.sends(`${SERVICES}/${freezer.id}/restore`), 'restore');
    expect((await auditOfService(server, freezer)).map(({ action }) => action)).toEqual([
      'service.archive',
      'service.restore',
    ]);
    await desk.sends(`${SERVICES}/${freezer.id}/restore`);
    expect(await auditOfService(server, freezer)).toHaveLength(2);
  });

  test('an asset can be given and taken away', async () => {
    const freezer = await createFreezer(server, desk.people);
    expectDone(await desk.sends(`${SERVICES}/${freezer.id}/place`, { asset: 'ULT-9' }), 'place');
    expectDone(await desk.sends(`${SERVICES}/${freezer.id}/place`, { asset: '' }), 'place');
    expect((await lastRecord())?.detail).toMatchObject({
      changes: { asset: { before: 'ULT-9', after: null } },
    });
  });

  test('the list can be searched, and long ones are paged', async () => {
    await server.db.transaction(async (tx) => {
      await tx.query(sql`
        with made as (insert into service (organization_id, name, created_at)
          select ${desk.organization}, 'Unit ' || lpad(n::text, 3, '0'), ${server.clock.read()} from generate_series(1, 120) n
          returning id)
        insert into alarm_state (service_id, organization_id) select id, ${desk.organization} from made`);
    });
    const firstPage = await desk.ada.read(SERVICES);
    expect(firstPage).toContain('Unit 100');
    expect(firstPage).not.toContain('Unit 101');
    const secondPage = await desk.ada.read(`${SERVICES}?page=2`);
    expect(secondPage).toContain('Unit 120');
    expect(secondPage).not.toContain('Unit 100');
    const found = await desk.ada.read(`${SERVICES}?q=uNIT+07`);
    expect(found).toContain('Unit 077');
    expect(found).not.toContain('Unit 088');
    expect(await desk.ada.read(`${SERVICES}?q=%25`)).toContain('Nothing fits');
  });
});

describe('devices', () => {
  test('one that telemetry brought up is adopted, and its data comes in', async () => {
    const lab = await openLab(server);
    const ada = await signedIn(server, lab.ada);
    await lab.post([{ device: 'EUI-77', values: { temperature: 4 } }]);
    const [unknown] = await server.db.query<{ id: number }>(sql`select id from device where key = 'EUI-77'`);
    expect(await ada.read(DEVICES)).toMatch(/EUI-77.*Not adopted/s);
    const freezer = await createFreezer(server, lab);
    const form = { service_id: String(freezer.id), seen_service_id: '' };
    expectDone(await ada.send(`${DEVICES}/${unknown?.id}/assign`, form), 'assign');
    server.clock.advance(minutes(1));
    const answer = await lab.post([{ device: 'eui-77', values: { temperature: 4 } }]);
    expect(await answer.json()).toMatchObject({ accepted: 1 });
    expect((await auditOfService(server, freezer)).at(-1)).toMatchObject({
      action: 'device.adopt',
      detail: { key: 'EUI-77', changes: { service: { before: null, after: freezer.name } } },
    });
  });

  test('moved to another service, its data follows at once, also where it is remembered', async () => {
    const lab = await openLab(server);
    const ada = await signedIn(server, lab.ada);
    const old = await lab.freezer();
    await old.reads(4);
    const next = await createFreezer(server, lab);
    const [row] = await server.db.query<{ id: number }>(
      sql`select id from device where service_id = ${old.id}`,
    );
    const form = { service_id: String(next.id), seen_service_id: String(old.id) };
    expectDone(await ada.send(`${DEVICES}/${row?.id}/assign`, form), 'assign');
    server.clock.advance(minutes(1));
    await old.reads(5);
    const valuesOf = async ({ id }: { id: number }) =>
      (await listStored(server.db, id)).map(({ value }) => value);
    expect([await valuesOf(old), await valuesOf(next)]).toEqual([[4], [5]]);
  });

  test('two people who adopt the same device: the second is told', async () => {
    const [one, other] = [await createFreezer(server, desk.people), await createFreezer(server, desk.people)];
    const id = await device('EUI-1');
    const answers = await Promise.all(
      [one, other].map((freezer) =>
        desk.sends(`${DEVICES}/${id}/assign`, { service_id: String(freezer.id), seen_service_id: '' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(await refused?.text()).toContain('Somebody else moved this device meanwhile');
    expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
      'device.adopt',
    ]);
  });

  test('a service that has a device already gets another one', async () => {
    const freezer = await createFreezer(server, desk.people);
    const first = await device('EUI-1', freezer);
    const id = await device('EUI-2');
    const form = { service_id: String(freezer.id), seen_service_id: '' };
    expectDone(await desk.sends(`${DEVICES}/${id}/assign`, form), 'assign');
    expect([await serviceOfDevice(first), await serviceOfDevice(id)]).toEqual([freezer.id, freezer.id]);
    const html = await desk.ada.read(`${SERVICES}/${freezer.id}`);
    expect(html).toContain('EUI-1');
    expect(html).toContain('EUI-2');
  });

  test('a service of another organization, an archived one, none at all', async () => {
    const elsewhere = await openSettingsDesk(server);
    const foreign = await createFreezer(server, elsewhere.people);
    const archived = await createFreezer(server, desk.people);
    await desk.sends(`${SERVICES}/${archived.id}/archive`);
    const id = await device('EUI-1');
    for (const service_id of [String(foreign.id), String(archived.id), 'x', '0']) {
      const form = { service_id, seen_service_id: '' };
      const html = await expectPage(await desk.sends(`${DEVICES}/${id}/assign`, form), 422);
      expect(html).toContain('Choose a service from the list');
    }
    expect(await serviceOfDevice(id)).toBeNull();
  });

  test('a new service for it; refused, nothing is left behind', async () => {
    const id = await device('EUI-1');
    await createFreezer(server, desk.people, { name: 'Taken' });
    await expectPage(await desk.sends(`${DEVICES}/${id}/new-service`, { name: 'Taken' }), 422);
    expectDone(await desk.sends(`${DEVICES}/${id}/new-service`, { name: 'Fresh' }), 'assign');
    await expectPage(await desk.sends(`${DEVICES}/${id}/new-service`, { name: 'Second' }), 422);
    const names = await server.db.query(sql`
      select name from service where organization_id = ${desk.organization} order by id`);
    expect(names).toEqual([{ name: 'Taken' }, { name: 'Fresh' }]);
  });

  test('release, then forget', async () => {
    const freezer = await createFreezer(server, desk.people);
    const id = await device('EUI-1', freezer);
    await expectPage(await desk.sends(`${DEVICES}/${id}/forget`), 422);
    const before = await configVersion(freezer);
    const form = { service_id: '', seen_service_id: String(freezer.id) };
    expectDone(await desk.sends(`${DEVICES}/${id}/assign`, form), 'release');
    expect(await configVersion(freezer)).toBeGreaterThan(before);
    expectDone(await desk.sends(`${DEVICES}/${id}/forget`), 'forget');
    await expectPage(await desk.ada.open(`${DEVICES}/${id}`), 404);
    expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
      'device.release',
      'device.forget',
    ]);
  });

  test('an interval makes the service stale after twice that time', async () => {
    const lab = await openLab(server);
    const ada = await signedIn(server, lab.ada);
    const freezer = await lab.freezer();
    await freezer.reads(4);
    const [row] = await server.db.query<{ id: number }>(
      sql`select id from device where service_id = ${freezer.id}`,
    );
    expectDone(
      await ada.send(`${DEVICES}/${row?.id}/interval`, { uplink_interval_minutes: '2.5' }),
      'interval',
    );
    await lab.advance(minutes(4));
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(2));
    expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'stale' }]);
    await ada.send(`${DEVICES}/${row?.id}/interval`, { uplink_interval_minutes: '' });
    await lab.advance(minutes(1));
    expect(await lab.alarms()).toEqual([]);
  });

  test.each(['0', '-5', 'often', '1e9'])('an interval of %j is refused', async (uplink_interval_minutes) => {
    const id = await device('EUI-1');
    await expectPage(await desk.sends(`${DEVICES}/${id}/interval`, { uplink_interval_minutes }), 422);
  });

  test('one added by hand; the same key in other letters is the same', async () => {
    const answer = await desk.sends(`${DEVICES}/add`, { key: ' 0004A30B ' });
    expectDone(answer, 'add');
    expect(await desk.ada.read(answer.headers.get('location') ?? '')).toContain('0004A30B');
    const html = await expectPage(await desk.sends(`${DEVICES}/add`, { key: '0004a30b' }), 422);
    expect(html).toContain('There is a device with this key already');
    await expectPage(await desk.sends(`${DEVICES}/add`, { key: ' ' }), 422);
  });
});

describe('channels', () => {
  const channelOf = async ({ id }: { id: number }, name = 'temperature') =>
    (
      await server.db.query<{ id: number }>(
        sql`select id from channel where service_id = ${id} and name = ${name}`,
      )
    )[0]?.id ?? 0;
  const save = (id: number, form: Record<string, string>) =>
    desk.sends('/settings/channels/save', {
      channel_id: String(id),
      label: '',
      unit: '',
      kind: 'metric',
      ...form,
    });

  test('label, unit and kind are saved, with before and after on record', async () => {
    const freezer = await createFreezer(server, desk.people);
    const id = await channelOf(freezer);
    const before = await configVersion(freezer);
    const answer = await save(id, { label: 'Inside', unit: '°C' });
    expect(answer.headers.get('location')).toBe(
      `/settings/channels?service=${freezer.id}&organization=${desk.organization}&done=save`,
    );
    expect(await desk.ada.read(answer.headers.get('location') ?? '')).toContain('value="Inside"');
    expect(await configVersion(freezer)).toBeGreaterThan(before);
    expect(await auditOfService(server, freezer)).toMatchObject([
      {
        action: 'channel.edit',
        detail: { channel: 'temperature', changes: { label: { before: 'Temperature', after: 'Inside' } } },
      },
    ]);
    await save(id, { label: 'Inside', unit: '°C' });
    expect(await auditOfService(server, freezer)).toHaveLength(1);
  });

  test('what becomes a diagnostic is no longer judged by the service-wide limits', async () => {
    const lab = await openLab(server);
    const ada = await signedIn(server, lab.ada);
    const limits = [{ channel: 'default', bands: { CRITICAL_HIGH: { limit: 1 } } }];
    const freezer = await lab.freezer({ limits });
    await freezer.reads(5);
    expect(await lab.alarms()).toMatchObject([{ severity: 'critical' }]);
    const form = { channel_id: String(await channelOf(freezer)), kind: 'diagnostic' };
    expectDone(await ada.send('/settings/channels/save', form), 'save');
    expect(await lab.alarms()).toEqual([]);
  });

  test.each([
    [{ kind: 'thing' }, 'Choose a kind'],
    [{ label: 'x'.repeat(101) }, 'at most 100'],
    [{ unit: 'x'.repeat(21) }, 'at most 20'],
  ])('%j is refused', async (form, text) => {
    const id = await channelOf(await createFreezer(server, desk.people));
    expect(await expectPage(await save(id, form), 422)).toContain(text);
  });

  test('of a service of another organization there is none', async () => {
    const elsewhere = await openSettingsDesk(server);
    const foreign = await createFreezer(server, elsewhere.people);
    await expectPage(await save(await channelOf(foreign), { label: 'Mine' }), 404);
    await expectPage(await desk.ada.open(`/settings/channels?service=${foreign.id}`), 404);
  });
});

describe('locations and assets', () => {
  const rowId = async (table: 'location' | 'asset', name: string) => {
    const rows =
      table === 'location'
        ? sql`select id from location where organization_id = ${desk.organization} and name = ${name}`
        : sql`select id from asset where organization_id = ${desk.organization} and name = ${name}`;
    return String((await server.db.query<{ id: number }>(rows))[0]?.id ?? 0);
  };

  test('a location is made, renamed and deleted', async () => {
    const at = (verb: string) => `/settings/locations/${verb}`;
    expectDone(await desk.sends(at('create'), { name: 'Room 1' }), 'create');
    await expectPage(await desk.sends(at('create'), { name: 'Room 1' }), 422);
    const location_id = await rowId('location', 'Room 1');
    expectDone(await desk.sends(at('rename'), { location_id, name: 'Room 2' }), 'rename');
    expectDone(await desk.sends(at('delete'), { location_id }), 'delete');
    await expectPage(await desk.sends(at('delete'), { location_id }), 422);
    expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
      'location.create',
      'location.rename',
      'location.delete',
    ]);
  });

  test('an asset moves to a new location; neither goes while in use', async () => {
    await desk.sends('/settings/assets/create', { name: 'ULT-1', location: 'Room 1' });
    const asset_id = await rowId('asset', 'ULT-1');
    expectDone(
      await desk.sends('/settings/assets/edit', { asset_id, name: 'ULT-2', location: 'Room 9' }),
      'edit',
    );
    expect((await lastRecord())?.detail).toMatchObject({
      changes: { name: { before: 'ULT-1', after: 'ULT-2' }, location: { before: 'Room 1', after: 'Room 9' } },
    });
    const location_id = await rowId('location', 'Room 9');
    const used = await expectPage(await desk.sends('/settings/locations/delete', { location_id }), 422);
    expect(used).toContain('Assets stand there');
    await desk.sends(`${SERVICES}/create`, { name: 'Freezer', asset: 'ULT-2' });
    const inUse = await expectPage(await desk.sends('/settings/assets/delete', { asset_id }), 422);
    expect(inUse).toContain('Services are about it');
  });

  test('an asset refused for its name makes no location', async () => {
    await desk.sends('/settings/assets/create', { name: 'ULT-1' });
    await expectPage(
      await desk.sends('/settings/assets/create', { name: 'ULT-1', location: 'Nowhere' }),
      422,
    );
    expect(await rowId('location', 'Nowhere')).toBe('0');
  });

  test('those of another organization are not there', async () => {
    const elsewhere = await openSettingsDesk(server);
    await elsewhere.sends('/settings/assets/create', { name: 'Theirs', location: 'Their room' });
    const [asset] = await server.db.query<{ id: number; room: number }>(sql`
      select id, location_id as room from asset where organization_id = ${elsewhere.organization}`);
    const form = { asset_id: String(asset?.id), location_id: String(asset?.room), name: 'Mine' };
    for (const path of ['assets/edit', 'assets/delete', 'locations/rename', 'locations/delete'])
      expect(await expectPage(await desk.sends(`/settings/${path}`, form), 422)).toContain('It is gone');
    expect(await elsewhere.ada.read('/settings/assets')).toContain('Theirs');
  });
});
