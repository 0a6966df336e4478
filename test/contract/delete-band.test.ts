import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  type Freezer,
  setAlarm,
} from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { BLANK_EDIT, bandsInForce, versionsOf } from '../support/limits-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const CLEARED = '✓ Cleared all bands/limits for the channel (new policy version, none configured).';
const CREATED = '✓ Created policy entry for the channel with no limits/delays configured.';
const NO_POLICY = 'No active policy found for that channel.';
const COULD_NOT = 'Could not clear the band(s). Please try again.';
const removed = (band: string) => `✓ Removed band ${band} (new policy version).`;

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
  freezer = await createFreezer(server, people);
});

const path = (id: string | number = freezer.id) => `/api/v1/services/${id}/delete-band`;
const ask = (fields: Record<string, string> = {}, person: Person = people.ada, headers = {}) =>
  person.post(path(), { metric_channel: 'temperature', ...fields }, headers);
/** What a person reads of a fragment. */
const textOf = async (answer: Response) => (await expectFragment(answer)).replaceAll(/<[^>]*>/g, '').trim();
const bands = (channel?: string | null) => bandsInForce(server, freezer, channel);
const setLimits = (fields: Record<string, string> = {}) =>
  people.ada.post(`/api/v1/services/${freezer.id}/edit`, {
    ...BLANK_EDIT,
    ch_high: '8',
    ch_sustained: '5',
    wh_high: '7',
    wl_low: '2',
    cl_low: '1',
    ...fields,
  });

async function expectUntouched() {
  expect(await versionsOf(server, freezer)).toMatchObject([{ version: 1, retiredAt: null }]);
  expect((await auditOfService(server, freezer)).map(({ action }) => action)).toEqual(['service.edit']);
}

describe('the texts', () => {
  test('one band removed: a new version without it, on record', async () => {
    await setLimits();
    server.clock.advance(minutes(1));
    const answer = await ask({ band_name: 'WARNING_HIGH' });
    expect(await textOf(answer)).toBe(removed('WARNING_HIGH'));
    expect(await bands()).toEqual([
      'CRITICAL_HIGH 8 delay 0 sustained 5',
      'CRITICAL_LOW 1 delay 0 sustained 0',
      'WARNING_LOW 2 delay 0 sustained 0',
    ]);
    expect(await versionsOf(server, freezer)).toMatchObject([
      { version: 1, origin: 'edit', retiredAt: server.clock.read() },
      {
        version: 2,
        origin: 'band_delete',
        authorId: people.ada.id,
        authorName: 'Ada',
        createdAt: server.clock.read(),
        retiredAt: null,
      },
    ]);
    expect((await auditOfService(server, freezer))[1]).toEqual({
      action: 'service.band.delete',
      detail: {
        metric_channel: 'temperature',
        band_name: 'WARNING_HIGH',
        version: 2,
        changes: { WARNING_HIGH: { before: { limit: 7, delay: 0, sustained: 0 }, after: null } },
      },
      organizationId: people.organization,
      accountId: people.ada.id,
      accountName: 'Ada',
      happenedAt: server.clock.read(),
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test.each([
    ['CRITICAL_HIGH', 'CRITICAL_HIGH'],
    ['CRITICAL_LOW', 'CRITICAL_LOW'],
    ['WARNING_HIGH', 'WARNING_HIGH'],
    ['WARNING_LOW', 'WARNING_LOW'],
    ['CRIT_HIGH', 'CRITICAL_HIGH'],
    ['CRIT_LOW', 'CRITICAL_LOW'],
    ['WARN_HIGH', 'WARNING_HIGH'],
    ['WARN_LOW', 'WARNING_LOW'],
    ['crit_high', 'CRITICAL_HIGH'],
    [' Warning_Low ', 'WARNING_LOW'],
  ])('%j removes %s, and is notified by the full name', async (band_name, name) => {
    await setLimits();
    expect(await textOf(await ask({ band_name }))).toBe(removed(name));
    const left = (await bands())?.map((band) => band.split(' ')[0]);
    expect(left).toEqual(
      ['CRITICAL_HIGH', 'CRITICAL_LOW', 'WARNING_HIGH', 'WARNING_LOW'].filter((band) => band !== name),
    );
  });

  test('a band that the version does not have: removed all the same', async () => {
    await setLimits({ wl_low: '' });
    expect(await textOf(await ask({ band_name: 'WARN_LOW' }))).toBe(removed('WARNING_LOW'));
    expect(await versionsOf(server, freezer)).toHaveLength(2);
    expect((await auditOfService(server, freezer))[1]).toMatchObject({ detail: { version: 2, changes: {} } });
  });

  test.each<[string, Record<string, string>]>([
    ['clear_all', { clear_all: 'true' }],
    ['clear_all beats the name', { clear_all: 'true', band_name: 'WARNING_HIGH' }],
    ['clear_all beats an unknown name', { clear_all: 'true', band_name: 'BANANA' }],
    ['an empty name', { band_name: '' }],
    ['a blank name', { band_name: ' ' }],
    ['no name at all', {}],
    ['an empty name without clear_all', { band_name: '', clear_all: 'false' }],
  ])('all bands removed: %s', async (_, fields) => {
    await setLimits();
    expect(await textOf(await ask(fields))).toBe(CLEARED);
    expect(await bands()).toEqual([]);
    expect((await auditOfService(server, freezer))[1]).toMatchObject({
      action: 'service.band.delete',
      detail: { band_name: 'all', version: 2, changes: { CRITICAL_HIGH: { after: null } } },
    });
  });

  test.each(['True', '1', 'on', 'false', ''])('clear_all is exactly true, not %j', async (clear_all) => {
    await setLimits();
    expect(await textOf(await ask({ clear_all, band_name: 'WARN_LOW' }))).toBe(removed('WARNING_LOW'));
  });

  test.each<[string, Record<string, string>]>([
    ['clear_all', { clear_all: 'true' }],
    ['an empty name', { band_name: '' }],
  ])('a channel without limits: an empty entry is created: %s', async (_, fields) => {
    expect(await textOf(await ask(fields))).toBe(CREATED);
    expect(await versionsOf(server, freezer)).toMatchObject([
      { channel: 'temperature', version: 1, origin: 'band_delete', isPercentage: false, bands: [] },
    ]);
    expect(await auditOfService(server, freezer)).toMatchObject([
      {
        action: 'service.band.delete',
        detail: { metric_channel: 'temperature', band_name: 'all', version: 1, changes: {} },
      },
    ]);
    // From now on there is an entry, though an empty one.
    expect(await textOf(await ask(fields))).toBe(CLEARED);
    expect(await textOf(await ask({ band_name: 'WARN_LOW' }))).toBe(removed('WARNING_LOW'));
  });

  test('a band named on a channel without limits: nothing changed', async () => {
    await setLimits();
    const fields = { metric_channel: 'humidity', band_name: 'CRITICAL_HIGH' };
    expect(await textOf(await ask(fields))).toBe(NO_POLICY);
    expect(await textOf(await ask({ ...fields, metric_channel: '' }))).toBe(NO_POLICY);
    await expectUntouched();
  });

  test.each(['BANANA', 'HIGH', 'CRITICAL', 'CRITICAL_HIGH,WARNING_LOW', '<b>x</b>', '__proto__'])(
    'an unknown band: %j, nothing changed',
    async (band_name) => {
      await setLimits();
      expect(await textOf(await ask({ band_name }))).toBe(COULD_NOT);
      expect(await textOf(await ask({ metric_channel: 'humidity', band_name }))).toBe(COULD_NOT);
      await expectUntouched();
    },
  );

  test('the mode and its channels stay', async () => {
    await setLimits({ is_percentage: 'on', setpoint_channel: 'set', state_channel: 'on' });
    await ask({ band_name: 'CRIT_LOW' });
    await ask({ clear_all: 'true' });
    const mode = { isPercentage: true, setpointChannel: 'set', stateChannel: 'on' };
    expect(await versionsOf(server, freezer)).toMatchObject([mode, mode, mode]);
  });

  test('htmx or not, it is the same fragment', async () => {
    await setLimits();
    expect(await textOf(await ask({ band_name: 'CRIT_LOW' }, people.ada, HX))).toBe(removed('CRITICAL_LOW'));
  });
});

describe('the channel', () => {
  test.each<[string, Record<string, string>]>([
    ['empty', { metric_channel: '' }],
    ['default', { metric_channel: 'default' }],
    ['left out', {}],
  ])('%s: the service-wide limits', async (_, channel) => {
    await setLimits();
    await setLimits({ metric_channel: 'default' });
    const answer = await people.ada.post(path(), { ...channel, band_name: 'CRITICAL_HIGH' });
    expect(await textOf(answer)).toBe(removed('CRITICAL_HIGH'));
    expect(await bands(null)).toHaveLength(3);
    expect(await bands()).toHaveLength(4);
  });

  test('other channels and other services stay as they are', async () => {
    const other = await createFreezer(server, people);
    await people.ada.post(`/api/v1/services/${other.id}/edit`, { ...BLANK_EDIT, ch_high: '8' });
    await setLimits();
    await setLimits({ metric_channel: 'humidity' });
    await ask({ clear_all: 'true' });
    expect(await bands('humidity')).toHaveLength(4);
    expect(await bandsInForce(server, other)).toHaveLength(1);
  });
});

describe('the acknowledgements', () => {
  beforeEach(async () => {
    await setLimits();
    await setAlarm(server, freezer, { severity: 'critical' });
    await people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  });

  test('are all removed with a band', async () => {
    await ask({ band_name: 'WARNING_LOW' });
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([
      { endedAt: server.clock.read(), endReason: 'limits_changed' },
    ]);
  });

  test('stay when nothing changed', async () => {
    await ask({ band_name: 'BANANA' });
    await ask({ metric_channel: 'humidity', band_name: 'CRIT_HIGH' });
    await ask({ band_name: 'WARNING_LOW' }, people.oscar);
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ endedAt: null }]);
  });
});

describe('the authorization failures, all 200', () => {
  beforeEach(() => setLimits());
  const form = { band_name: 'CRITICAL_HIGH' };
  const NOT_FOUND = 'Service not found';

  test('Not authorized: no role anywhere', async () => {
    expect(await textOf(await ask(form, people.nora))).toBe('Not authorized');
    expect(await textOf(await people.nora.post(path(2147483647), form))).toBe('Not authorized');
    for (const id of [freezer.id, 2147483647]) {
      const body = new URLSearchParams(form);
      expect(await textOf(await anonymously(server, path(id), { method: 'POST', body }))).toBe(
        'Not authorized',
      );
    }
    await expectUntouched();
  });

  test('Service not found: no such service', async () => {
    for (const person of [people.vera, people.oscar, people.ada, people.olga])
      expect(await textOf(await person.post(path(2147483647), form))).toBe(NOT_FOUND);
  });

  test('Service not found: outside the organizations', async () => {
    expect(await textOf(await ask(form, people.olga))).toBe(NOT_FOUND);
    await expectUntouched();
  });

  test('Service not found: archived', async () => {
    await archive(server, freezer);
    for (const person of [people.vera, people.oscar, people.ada])
      expect(await textOf(await ask(form, person))).toBe(NOT_FOUND);
    expect(await textOf(await ask(form, people.nora))).toBe('Not authorized');
    await expectUntouched();
  });

  test('Insufficient permissions to edit policy bands: viewer or operator, whatever the form says', async () => {
    for (const person of [people.vera, people.oscar])
      for (const fields of [form, { band_name: 'BANANA' }, { clear_all: 'true' }])
        expect(await textOf(await ask(fields, person))).toBe('Insufficient permissions to edit policy bands');
    await expectUntouched();
  });
});

describe('what is answered as JSON', () => {
  test.each(['0', '2147483648', '-1', '1.5', 'abc'])('422: id %s', async (id) => {
    for (const person of [people.ada, people.nora])
      await expectField(await person.post(path(id), {}, HX), 'path', 'service_id', id);
  });

  test('422: a NUL character', async () => {
    await expectField(await ask({ metric_channel: 'a\0' }), 'body', 'metric_channel', 'a\0');
  });

  test('401: a token that does not count', async () => {
    const answer = await ask({}, people.ada, { authorization: 'Bearer nonsense' });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });
});

describe('Could not clear the band(s): the save failed', () => {
  test.each<[string, RegExp]>([
    ['at the lock', /from alarm_state .* for no key update/s],
    ['at the new version', /insert into limits_version/],
    ['at the bands', /insert into limits_band/],
    ['at the audit record', /insert into audit/],
  ])('%s', async (_, moment) => {
    await setLimits();
    fuse.blowsAfter = moment;
    const answer = await ask({ band_name: 'CRIT_HIGH' });
    fuse.blowsAfter = null;
    expect(await textOf(answer)).toBe(COULD_NOT);
    await expectUntouched();
    expect(await bands()).toHaveLength(4);
    const requestId = answer.headers.get('x-request-id');
    const logged = server.logLines
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === requestId);
    expect(logged).toMatchObject([{ msg: 'request failed' }, { msg: 'answered', status: 200 }]);
    expect(await textOf(await ask({ band_name: 'CRIT_HIGH' }))).toBe(removed('CRITICAL_HIGH'));
  });

  test('without any database', async () => {
    const broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
    const token = await broken.signer.issue({ accountId: people.ada.id, generation: 1 }, broken.clock.read());
    const headers = { authorization: `Bearer ${token}` };
    expect(await textOf(await anonymously(broken, path(), { method: 'POST', headers }))).toBe(COULD_NOT);
  });
});
