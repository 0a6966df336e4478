import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { anonymously, expectDetail, expectField, HX } from '../support/answers.ts';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  type Freezer,
  organizationOf,
  setAlarm,
} from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { BLANK_EDIT, bandsInForce, createGroup, settingsOf, versionsOf } from '../support/limits-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const NO_ROLE = 'Not authorized';
const NOT_FOUND = 'Service not found or not authorized';
const NOT_ADMINISTRATOR = 'Organization administrator role required to edit this service';

let server: TestServer;
let people: People;
let freezer: Freezer;
const fuse: Fuse = { blowsAfter: null };
beforeAll(async () => {
  server = await startServerOn(failingDatabase((await cloneDatabase()).db, fuse));
});
beforeEach(async () => {
  fuse.blowsAfter = null;
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'Freezer' });
});

const path = (id: string | number = freezer.id) => `/api/v1/services/${id}/edit`;
const edit = (fields: Record<string, string> = {}, person: Person = people.ada, headers = {}) =>
  person.post(path(), { ...BLANK_EDIT, ...fields }, headers);
const locationOf = (answer: Response) => {
  expect(answer.status).toBe(303);
  return answer.headers.get('location');
};
const saved = async (fields: Record<string, string> = {}) =>
  expect(locationOf(await edit(fields))).toBe(`/services/${freezer.id}`);
const bands = (channel?: string | null) => bandsInForce(server, freezer, channel);

async function expectUntouched(service: Freezer = freezer) {
  expect(await versionsOf(server, service)).toEqual([]);
  expect(await settingsOf(server, service)).toMatchObject({ name: service.name, stale_after_minutes: 15 });
  expect(await auditOfService(server, service)).toEqual([]);
}

describe('the errors, in the order of their table', () => {
  test('403 Not authorized: no role anywhere', async () => {
    await expectDetail(await edit({}, people.nora), 403, NO_ROLE);
    await expectDetail(await people.nora.post(path(2147483647), BLANK_EDIT), 403, NO_ROLE);
    const body = new URLSearchParams(BLANK_EDIT);
    for (const id of [freezer.id, 2147483647])
      await expectDetail(await anonymously(server, path(id), { method: 'POST', body }), 403, NO_ROLE);
    await archive(server, freezer);
    await expectDetail(await edit({}, people.nora), 403, NO_ROLE);
    await expectUntouched();
  });

  test('404 Service not found or not authorized: no such service', async () => {
    for (const person of [people.vera, people.oscar, people.ada, people.olga])
      await expectDetail(await person.post(path(2147483647), BLANK_EDIT), 404, NOT_FOUND);
  });

  test('404 Service not found or not authorized: outside the organizations', async () => {
    await expectDetail(await edit({}, people.olga), 404, NOT_FOUND);
    await expectUntouched();
  });

  test('404 Service not found or not authorized: archived, before 403', async () => {
    await archive(server, freezer);
    for (const person of [people.vera, people.oscar, people.ada])
      await expectDetail(await edit({}, person), 404, NOT_FOUND);
    await expectUntouched();
  });

  test('403: viewer or operator, before the form is looked at', async () => {
    for (const person of [people.vera, people.oscar]) {
      await expectDetail(await edit({}, person), 403, NOT_ADMINISTRATOR);
      await expectDetail(await person.post(path()), 403, NOT_ADMINISTRATOR);
    }
    await expectUntouched();
  });

  test.each(['0', '2147483648', '-1', '+1', '1.5', 'abc', '%20', '1e3', '99999999999999999999'])(
    '422: id %s',
    async (id) => {
      for (const person of [people.ada, people.nora])
        await expectField(
          await person.post(path(id), BLANK_EDIT),
          'path',
          'service_id',
          decodeURIComponent(id),
        );
    },
  );

  test('422: a NUL character', async () => {
    await expectField(await edit({ name: 'a\0b' }), 'body', 'name', 'a\0b');
    await expectUntouched();
  });

  test('401 for a token that does not count, also before 422', async () => {
    for (const id of [freezer.id, 0]) {
      const answer = await people.ada.post(path(id), BLANK_EDIT, { authorization: 'Bearer nonsense' });
      await expectDetail(answer, 401, 'Could not validate credentials');
    }
  });
});

describe('saved', () => {
  test('303 to the page of the service, without a body, also for htmx', async () => {
    for (const headers of [{}, HX]) {
      const answer = await edit({}, people.ada, headers);
      expect(locationOf(answer)).toBe(`/services/${freezer.id}`);
      expect(await answer.text()).toBe('');
    }
  });

  test('every field is written, under its author and on record with the difference', async () => {
    const group = await createGroup(server, people.organization, 'Cold team');
    const answer = await edit({
      name: 'Freezer North',
      ch_high: '-60',
      ch_delay: '1',
      ch_sustained: '5',
      cl_low: '-95',
      wh_high: '-65.5',
      wh_sustained: '0.5',
      wl_low: '-90',
      wl_delay: '2.5',
      repeat_interval_minutes: '30',
      send_critical: 'on',
      send_warning: 'true',
      send_acknowledgements: '1',
      send_recoveries: 'on',
      notification_group_id: String(group),
      enable_system_notifications: 'on',
      system_notification_delay_minutes: '7',
      stale_after_minutes: '20',
    });
    expect(locationOf(answer)).toBe(`/services/${freezer.id}`);
    expect(await settingsOf(server, freezer)).toEqual({
      name: 'Freezer North',
      service_id: freezer.id,
      organization_id: people.organization,
      metric_channel: 'temperature',
      stale_after_minutes: 20,
      notification_group_id: group,
      send_critical: true,
      send_warning: true,
      send_acknowledgements: true,
      send_recoveries: true,
      repeat_interval_minutes: 30,
      enable_system_notifications: true,
      system_notification_delay_minutes: 7,
    });
    expect(await versionsOf(server, freezer)).toEqual([
      {
        channel: 'temperature',
        version: 1,
        isPercentage: false,
        setpointChannel: null,
        stateChannel: null,
        origin: 'edit',
        authorId: people.ada.id,
        authorName: 'Ada',
        createdAt: server.clock.read(),
        retiredAt: null,
        bands: [
          { band: 'CRITICAL_HIGH', limit: -60, delay: 1, sustained: 5 },
          { band: 'CRITICAL_LOW', limit: -95, delay: 0, sustained: 0 },
          { band: 'WARNING_HIGH', limit: -65.5, delay: 0, sustained: 0.5 },
          { band: 'WARNING_LOW', limit: -90, delay: 2.5, sustained: 0 },
        ],
      },
    ]);
    expect(await auditOfService(server, freezer)).toEqual([
      {
        action: 'service.edit',
        detail: {
          metric_channel: 'temperature',
          version: 1,
          changes: {
            name: { before: 'Freezer', after: 'Freezer North' },
            repeat_interval_minutes: { before: 60, after: 30 },
            send_critical: { before: false, after: true },
            send_warning: { before: false, after: true },
            send_acknowledgements: { before: false, after: true },
            send_recoveries: { before: false, after: true },
            notification_group_id: { before: null, after: group },
            enable_system_notifications: { before: false, after: true },
            system_notification_delay_minutes: { before: 5, after: 7 },
            stale_after_minutes: { before: 15, after: 20 },
            CRITICAL_HIGH: { before: null, after: { limit: -60, delay: 1, sustained: 5 } },
            CRITICAL_LOW: { before: null, after: { limit: -95, delay: 0, sustained: 0 } },
            WARNING_HIGH: { before: null, after: { limit: -65.5, delay: 0, sustained: 0.5 } },
            WARNING_LOW: { before: null, after: { limit: -90, delay: 2.5, sustained: 0 } },
          },
        },
        organizationId: people.organization,
        accountId: people.ada.id,
        accountName: 'Ada',
        happenedAt: server.clock.read(),
        address: '127.0.0.1',
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
  });

  test('the whole configuration is replaced: what is omitted is off, at its default, or removed', async () => {
    const group = await createGroup(server, people.organization, 'Cold team');
    await saved({
      name: 'Freezer North',
      ch_high: '-60',
      ch_delay: '1',
      wl_low: '-90',
      repeat_interval_minutes: '30',
      send_critical: 'on',
      send_recoveries: 'on',
      notification_group_id: String(group),
      enable_system_notifications: 'on',
      system_notification_delay_minutes: '7',
      stale_after_minutes: '0',
    });
    expect(await settingsOf(server, freezer)).toMatchObject({ stale_after_minutes: 0 });
    server.clock.advance(minutes(1));
    await saved({ wl_low: '-88' });
    expect(await settingsOf(server, freezer)).toEqual({
      name: 'Freezer North',
      service_id: freezer.id,
      organization_id: people.organization,
      metric_channel: 'temperature',
      stale_after_minutes: 15,
      notification_group_id: null,
      send_critical: false,
      send_warning: false,
      send_acknowledgements: false,
      send_recoveries: false,
      repeat_interval_minutes: 60,
      enable_system_notifications: false,
      system_notification_delay_minutes: 5,
    });
    expect(await bands()).toEqual(['WARNING_LOW -88 delay 0 sustained 0']);
    expect(await versionsOf(server, freezer)).toMatchObject([
      { version: 1, retiredAt: server.clock.read(), bands: [{ limit: -60 }, { limit: -90 }] },
      { version: 2, retiredAt: null, createdAt: server.clock.read() },
    ]);
  });

  test.each([
    ['omitted', {}],
    ['empty', { name: '' }],
    ['spaces', { name: ' \t ' }],
  ])('a blank name keeps the current one: %s', async (_, fields) => {
    await saved(fields as Record<string, string>);
    expect(await settingsOf(server, freezer)).toMatchObject({ name: 'Freezer' });
  });

  test('a name is kept exactly as sent, and shown by the alarms list', async () => {
    const name = ' Gefrierschrank Süd <3 ';
    await saved({ name });
    await setAlarm(server, freezer, { severity: 'critical' });
    expect(await (await people.vera.get('/api/v1/alarms')).json()).toMatchObject([{ service_name: name }]);
  });

  test.each([[''], ['default'], ['  ']])('channel %j means service-wide limits', async (metric_channel) => {
    await saved({ metric_channel, ch_high: '8' });
    expect(await versionsOf(server, freezer)).toMatchObject([{ channel: null, version: 1 }]);
    expect(await settingsOf(server, freezer)).toMatchObject({ metric_channel: null });
  });

  test('only the selected channel is replaced, also one that has not reported yet', async () => {
    await saved({ ch_high: '-60' });
    await saved({ metric_channel: 'humidity', ch_high: '80' });
    await saved({ metric_channel: 'default', ch_high: '100' });
    await saved({ metric_channel: 'humidity', ch_high: '85' });
    expect(await bands()).toEqual(['CRITICAL_HIGH -60 delay 0 sustained 0']);
    expect(await bands('humidity')).toEqual(['CRITICAL_HIGH 85 delay 0 sustained 0']);
    expect(await bands(null)).toEqual(['CRITICAL_HIGH 100 delay 0 sustained 0']);
    expect((await versionsOf(server, freezer)).map(({ channel, version }) => [channel, version])).toEqual([
      ['temperature', 1],
      ['humidity', 1],
      [null, 1],
      ['humidity', 2],
    ]);
  });

  test('percentage mode keeps its channels, absolute mode has none', async () => {
    const channels = { setpoint_channel: 'setpoint', state_channel: 'running' };
    await saved({ ...channels, is_percentage: 'on', ch_high: '20', cl_low: '-20' });
    await saved({ ...channels, is_percentage: 'yes', ch_high: '20', cl_low: '-20' });
    expect(await versionsOf(server, freezer)).toMatchObject([
      { isPercentage: true, setpointChannel: 'setpoint', stateChannel: 'running' },
      { isPercentage: false, setpointChannel: null, stateChannel: null },
    ]);
    expect((await auditOfService(server, freezer))[1]).toMatchObject({
      detail: {
        version: 2,
        changes: {
          is_percentage: { before: true, after: false },
          setpoint_channel: { before: 'setpoint', after: null },
          state_channel: { before: 'running', after: null },
        },
      },
    });
  });

  test('a save that changes nothing is a version all the same', async () => {
    await saved({ ch_high: '-60' });
    await saved({ ch_high: '-60' });
    expect(await versionsOf(server, freezer)).toHaveLength(2);
    expect((await auditOfService(server, freezer))[1]).toMatchObject({ detail: { version: 2, changes: {} } });
  });

  test('a multipart form is read like any other, and the last of a repeated field counts', async () => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...BLANK_EDIT, ch_high: '-60' })) form.append(field, value);
    form.append('ch_high', '-55');
    const token = await server.signer.issue({ accountId: people.ada.id, generation: 1 }, server.clock.read());
    const answer = await fetch(server.url + path(), {
      method: 'POST',
      redirect: 'manual',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(locationOf(answer)).toBe(`/services/${freezer.id}`);
    expect(await bands()).toEqual(['CRITICAL_HIGH -55 delay 0 sustained 0']);
  });
});

describe('the parsing rules', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['blank: not saved', {}, []],
    ['zero: not saved', { ch_high: '0', ch_delay: '0', ch_sustained: '0' }, []],
    ['a limit of 0 alone: not saved', { cl_low: '0' }, []],
    ['a limit of 0 with a delay', { cl_low: '0', cl_delay: '1' }, ['CRITICAL_LOW 0 delay 1 sustained 0']],
    ['a delay alone', { wh_delay: '3' }, ['WARNING_HIGH null delay 3 sustained 0']],
    [
      'a non-numeric limit: blank',
      { ch_high: 'warm', ch_delay: '3' },
      ['CRITICAL_HIGH null delay 3 sustained 0'],
    ],
    ['a comma is not numeric', { ch_high: '7,5' }, []],
    ['hexadecimal is not numeric', { ch_high: '0x10' }, []],
    [
      'a non-numeric delay or sustained: 0',
      { ch_high: '8', ch_delay: 'soon', ch_sustained: 'NaN' },
      ['CRITICAL_HIGH 8 delay 0 sustained 0'],
    ],
    ['an exponent', { ch_high: '1.5e1' }, ['CRITICAL_HIGH 15 delay 0 sustained 0']],
    [
      'as far as numbers go',
      { ch_high: '1.7976931348623157e308', wl_low: '-5e-324', wl_sustained: '2147483647' },
      [
        'CRITICAL_HIGH 1.7976931348623157e+308 delay 0 sustained 0',
        'WARNING_LOW -5e-324 delay 0 sustained 2147483647',
      ],
    ],
  ])('bands: %s', async (_, fields, expected) => {
    await saved(fields);
    expect(await bands()).toEqual(expected);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['repeat_interval_minutes', '', { repeat_interval_minutes: 60 }],
    ['repeat_interval_minutes', 'often', { repeat_interval_minutes: 60 }],
    ['repeat_interval_minutes', '0', { repeat_interval_minutes: 0 }],
    ['repeat_interval_minutes', '12.9', { repeat_interval_minutes: 12 }],
    ['repeat_interval_minutes', '2147483647', { repeat_interval_minutes: 2147483647 }],
    ['repeat_interval_minutes', '2147483648', { repeat_interval_minutes: 60 }],
    ['system_notification_delay_minutes', '', { system_notification_delay_minutes: 5 }],
    ['system_notification_delay_minutes', 'x', { system_notification_delay_minutes: 5 }],
    ['system_notification_delay_minutes', '0', { system_notification_delay_minutes: 0 }],
    ['stale_after_minutes', ' ', { stale_after_minutes: 15 }],
    ['stale_after_minutes', 'Infinity', { stale_after_minutes: 15 }],
    ['stale_after_minutes', '0', { stale_after_minutes: 0 }],
    ['notification_group_id', '', { notification_group_id: null }],
    ['notification_group_id', 'Cold team', { notification_group_id: null }],
    ['notification_group_id', '2147483647', { notification_group_id: null }],
    ['notification_group_id', '99999999999', { notification_group_id: null }],
    ['notification_group_id', '-1', { notification_group_id: null }],
    ['send_critical', 'yes', { send_critical: false }],
    ['send_critical', 'ON', { send_critical: false }],
  ])('%s = %j', async (field, value, expected) => {
    await saved({ [field]: value });
    expect(await settingsOf(server, freezer)).toMatchObject(expected);
  });

  test('a group of another organization saves no group', async () => {
    const foreign = await createGroup(server, await organizationOf(server, people.olga), 'Theirs');
    await saved({ notification_group_id: String(foreign) });
    expect(await settingsOf(server, freezer)).toMatchObject({ notification_group_id: null });
  });
});

describe('validation messages: 303 with edit_error, and nothing is saved', () => {
  const refused = async (answer: Response, message: string) => {
    expect(locationOf(answer)).toBe(
      `/services/${freezer.id}?edit_error=${encodeURIComponent(message).replaceAll('%20', '+')}`,
    );
    expect(await answer.text()).toBe('');
    await expectUntouched();
  };
  const INCOMPLETE = 'Incomplete edit submission; no changes were saved';
  const NEGATIVE = 'Delay, sustained, repeat, stale-after and system-notification-delay must be 0 or more';

  test('the Location, to the letter', async () => {
    expect(locationOf(await people.ada.post(path()))).toBe(
      `/services/${freezer.id}?edit_error=Incomplete+edit+submission%3B+no+changes+were+saved`,
    );
    expect(locationOf(await edit({ ch_delay: '-1' }))).toBe(
      `/services/${freezer.id}?edit_error=Delay%2C+sustained%2C+repeat%2C+stale-after+and+system-notification-delay+must+be+0+or+more`,
    );
  });

  test.each(Object.keys(BLANK_EDIT))(`${INCOMPLETE}: without %s`, async (field) => {
    const { [field]: _, ...rest } = BLANK_EDIT as Record<string, string>;
    const others = { name: 'X', stale_after_minutes: '-1', is_percentage: 'on' };
    await refused(await people.ada.post(path(), { ...rest, ...others }), INCOMPLETE);
  });

  test('another content type counts as an empty form', async () => {
    const headers = { 'content-type': 'application/json' };
    await refused(await people.ada.post(path(), BLANK_EDIT, headers), INCOMPLETE);
  });

  const percentage = { is_percentage: 'on', setpoint_channel: 'setpoint' };
  test.each<[string, Record<string, string>]>([
    ['Critical high must be strictly greater than warning high', { ch_high: '7', wh_high: '7' }],
    ['Critical high must be strictly greater than warning high', { ch_high: '6', wh_high: '7', cl_low: '9' }],
    ['Critical high must be strictly greater than warning high', { ch_high: '-1', wh_high: '0' }],
    ['Critical low must be strictly less than warning low', { cl_low: '2', wl_low: '2' }],
    ['Critical low must be strictly less than warning low', { cl_low: '3', wl_low: '2', ch_high: '1' }],
    ['All low thresholds must be strictly less than all high thresholds', { wl_low: '7', wh_high: '7' }],
    ['All low thresholds must be strictly less than all high thresholds', { cl_low: '9', ch_high: '8' }],
    [
      'All low thresholds must be strictly less than all high thresholds',
      { wl_low: '8', ch_high: '8', ch_delay: '-1' },
    ],
    [
      'For percentage mode, critical high deviation must be strictly greater than warning high deviation',
      { ...percentage, ch_high: '10', wh_high: '10', cl_low: '-5', wl_low: '-10' },
    ],
    [
      'For percentage mode, critical low deviation must be strictly less than warning low deviation',
      { ...percentage, cl_low: '-10', wl_low: '-10', stale_after_minutes: '-1' },
    ],
    [NEGATIVE, { ch_delay: '-1' }],
    [NEGATIVE, { wl_sustained: '-0.5' }],
    [NEGATIVE, { repeat_interval_minutes: '-0.5' }],
    [NEGATIVE, { stale_after_minutes: '-1' }],
    [NEGATIVE, { system_notification_delay_minutes: '-1e3' }],
  ])('%s: %o', async (message, fields) => {
    await refused(await edit({ name: 'X', ...fields }), message);
  });

  test.each<[string, Record<string, string>]>([
    ['one limit of a pair', { ch_high: '1', wl_low: '-1' }],
    ['a non-numeric limit is not compared', { ch_high: '1', wh_high: '2 °C' }],
    ['percentage mode compares no low with a high', { ...percentage, wl_low: '5', wh_high: '1' }],
  ])('accepted: %s', async (_, fields) => saved(fields));

  test('what is faulty ends no acknowledgement', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await edit({ ch_delay: '-1' });
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ endedAt: null }]);
  });
});

describe('Internal error while saving the policy update: the save failed', () => {
  const FAILED =
    'edit_error=Internal+error+while+saving+the+policy+update+-+see+server+logs+for+full+details';

  test.each<[string, RegExp]>([
    ['at the lock', /from alarm_state .* for no key update/s],
    ['at the settings', /update service_settings/],
    ['at the new version', /insert into limits_version/],
    ['at the bands', /insert into limits_band/],
    ['at the end of the acknowledgements', /update acknowledgement/],
    ['at the audit record', /insert into audit/],
  ])('%s', async (_, moment) => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    const form = { name: 'X', ch_high: '-60', stale_after_minutes: '3' };
    fuse.blowsAfter = moment;
    const answer = await edit(form);
    fuse.blowsAfter = null;
    expect(locationOf(answer)).toBe(`/services/${freezer.id}?${FAILED}`);
    expect(await versionsOf(server, freezer)).toEqual([]);
    expect(await settingsOf(server, freezer)).toMatchObject({ name: 'Freezer', stale_after_minutes: 15 });
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ endedAt: null }]);
    expect((await auditOfService(server, freezer)).map(({ action }) => action)).not.toContain('service.edit');

    const requestId = answer.headers.get('x-request-id');
    const logged = server.logLines
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === requestId);
    expect(logged).toMatchObject([{ msg: 'request failed' }, { msg: 'answered', status: 303 }]);
    await saved(form);
  });

  test('a channel name longer than any index takes', async () => {
    const metric_channel = Array.from({ length: 3_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + index),
    ).join('');
    expect(locationOf(await edit({ metric_channel }))).toBe(`/services/${freezer.id}?${FAILED}`);
    await expectUntouched();
  });

  test('without any database, whoever asks', async () => {
    const broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
    const token = await broken.signer.issue({ accountId: people.ada.id, generation: 1 }, broken.clock.read());
    const answer = await fetch(`${broken.url}/api/v1/services/7%2f8/edit`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(locationOf(answer)).toBe(`/services/7%2F8?${FAILED}`);
  });
});
