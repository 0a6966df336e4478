// What is done to many units at once is done to each as if it were done alone, and can be undone.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { MOSTS } from '../../src/domain/mosts.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const LIMITS = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained: 5 } } }];

let server: TestServer;
let lab: Lab;
let made = 0;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

async function freezers(count: number, settings: Record<string, unknown> = {}): Promise<Freezer[]> {
  const all: Freezer[] = [];
  for (let index = 0; index < count; index += 1) {
    made += 1;
    all.push(await lab.freezer({ name: `Unit ${made}`, limits: LIMITS, ...settings }));
  }
  return all;
}

type Person = Lab['oscar'];
const units = (some: readonly { id: ServiceId }[]) => some.map(({ id }) => id).join(',');
const boxes = (some: readonly { id: ServiceId }[]) => some.map(({ id }) => `unit-${id}=on`).join('&');
const preview = async (person: Person, act: string, query: string, status = 200) =>
  textOf(await expectPage(await person.get(`/services/many/${act}?${query}`), status));

async function act(person: Person, name: string, form: Record<string, string>): Promise<URL> {
  const answer = await person.post(`/services/many/${name}`, form);
  expect([name, answer.status]).toEqual([name, 303]);
  return new URL(answer.headers.get('location') ?? '', server.url);
}

const undo = async (person: Person, done: URL) =>
  (await act(person, 'undo', { id: done.searchParams.get('many') ?? '' })).searchParams;

const select = <Row>(...query: Parameters<typeof sql>) => server.db.query<Row>(sql(...query));
const mutesOf = async (some: readonly { id: ServiceId }[]) =>
  (
    await select<{ id: number; minutes: number | null; reason: string | null }>`
      select service_id as id, reason, (extract(epoch from ends_at - created_at) / 60)::int as minutes from mute
      where service_id = any(${some.map(({ id }) => id)}::int[]) and ended_at is null order by 1`
  ).map((row) => row);
const audits = (some: readonly { id: ServiceId }[], action: string) =>
  select<{ serviceId: ServiceId; many: string | null; undone: string | null }>`
    select service_id as "serviceId", detail->>'many' as many, detail->>'undone' as undone from audit
    where service_id = any(${some.map(({ id }) => id)}::int[]) and action = ${action} order by service_id, id`;

describe('mute', () => {
  test('is shown for each before, leaves one record a unit with a common id, and is undone', async () => {
    await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
    const some = await freezers(3, { notifications: { group: 'Cold team', send_critical: true } });
    const text = await preview(lab.oscar, 'mute', boxes(some));
    expect(text).toContain('Mute 3 units');
    expect(text.match(/Cold team is not notified\./g)).toHaveLength(3);
    expect(await mutesOf(some)).toEqual([]);

    const done = await act(lab.oscar, 'mute', { units: units(some), minutes: '60', reason: 'Move' });
    expect(Object.fromEntries(done.searchParams)).toMatchObject({ did: 'mute', count: '3', left: '0' });
    expect(await mutesOf(some)).toEqual(some.map(({ id }) => ({ id, minutes: 60, reason: 'Move' })));
    const records = await audits(some, 'service.mute');
    expect(records).toHaveLength(3);
    expect(new Set(records.map(({ many }) => many))).toEqual(new Set([done.searchParams.get('many')]));
    expect(await expectPage(await lab.oscar.get(`${done.pathname}${done.search}`), 200)).toContain('>Undo<');

    expect(Object.fromEntries(await undo(lab.oscar, done))).toMatchObject({ did: 'undo', count: '3' });
    expect(await mutesOf(some)).toEqual([]);
    expect((await audits(some, 'service.unmute')).map((one) => one.undone)).toEqual(
      records.map(({ many }) => many),
    );
    expect((await undo(lab.oscar, done)).get('did')).toBe('late');
  });

  test('ends only its own when it is undone, and for ten minutes', async () => {
    const some = await freezers(2);
    await lab.oscar.post(`/api/v1/services/${some[0]?.id}/mute`, { reason: 'Before' });
    const first = await act(lab.oscar, 'mute', { units: units(some) });
    await undo(lab.oscar, first);
    expect(await mutesOf(some)).toEqual([{ id: some[0]?.id, minutes: null, reason: 'Before' }]);
    const second = await act(lab.oscar, 'mute', { units: units(some) });
    expect((await undo(lab.ada, second)).get('did')).toBe('late');
    server.clock.advance(minutes(11));
    expect((await undo(lab.oscar, second)).get('did')).toBe('late');
    expect(await mutesOf(some)).toHaveLength(3);
  });

  test('without an end wants a reason, and forgets nothing that was typed', async () => {
    const some = await freezers(1);
    const answer = await lab.oscar.post('/services/many/mute', { units: units(some), minutes: 'none' });
    expect(textOf(await expectPage(answer, 422))).toContain('a mute without an end needs a reason');
    expect(await mutesOf(some)).toEqual([]);
  });

  test('what has as many mutes as there can be is left out, and said so', async () => {
    const some = await freezers(2);
    await select`
      insert into mute (service_id, account_id, account_name, created_at)
      select ${some[0]?.id}::int, ${lab.oscar.id}::int, 'Oscar', ${server.clock.read()} from generate_series(1, ${MOSTS.mutes.most}::int)`;
    const text = await preview(lab.oscar, 'mute', boxes(some));
    expect(text).toContain('Mute 1 unit');
    expect(text).toMatch(/Where it cannot be done, and why.*as many of them as there can be/s);
    const done = await act(lab.oscar, 'mute', { units: units(some) });
    expect(Object.fromEntries(done.searchParams)).toMatchObject({ count: '1', left: '1' });
  });
});

test('unmute ends all mutes, says which are not muted, and undone they stand again', async () => {
  const some = await freezers(2);
  const [muted] = some;
  await lab.oscar.post(`/api/v1/services/${muted?.id}/mute`, { reason: 'One' });
  await lab.oscar.post(`/api/v1/services/${muted?.id}/mute`, { reason: 'Two' });
  const text = await preview(lab.oscar, 'unmute', boxes(some));
  expect(text).toMatch(/Unmute 1 unit.*It is not muted\./s);
  const done = await act(lab.oscar, 'unmute', { units: units(some) });
  expect(await mutesOf(some)).toEqual([]);
  await undo(lab.oscar, done);
  expect((await mutesOf(some)).map(({ reason }) => reason).sort()).toEqual(['One', 'Two']);
});

test('a downtime of all that a search finds, and undone it is gone', async () => {
  const some = await freezers(3, { location: `Room ${made}` });
  const room = `Room ${made - 3}`;
  await freezers(1, { location: 'Elsewhere' });
  const text = await preview(lab.oscar, 'downtime', `all=yes&q=${encodeURIComponent(room)}`);
  expect(text).toContain('Schedule a downtime of 3 units');
  const form = { units: units(some), start_time: '2026-11-15T04:00', duration: '240', reason: '' };
  const refused = await lab.oscar.post('/services/many/downtime', form);
  expect(textOf(await expectPage(refused, 422))).toContain('a reason is required');
  const done = await act(lab.oscar, 'downtime', {
    ...form,
    start_time: '2027-11-15T04:00',
    reason: 'Defrost',
  });
  const planned = () =>
    select<{ reason: string; length: string }>`
      select reason, (end_at - start_at)::text as length from downtime
      where service_id = any(${some.map(({ id }) => id)}::int[])`;
  expect(await planned()).toEqual(some.map(() => ({ reason: 'Defrost', length: '04:00:00' })));
  await undo(lab.oscar, done);
  expect(await planned()).toEqual([]);
  expect(await audits(some, 'downtime.cancel')).toHaveLength(3);
});

describe('group', () => {
  const groupsOf = async (some: readonly { id: ServiceId }[]) =>
    select<{ name: string | null; sendCritical: boolean }>`
      select name, send_critical as "sendCritical" from service_settings settings
      left join notification_group on notification_group.id = notification_group_id
      where settings.service_id = any(${some.map(({ id }) => id)}::int[]) order by settings.service_id`;

  test('each says from which to which, and those that tell nobody tell it everything', async () => {
    await lab.group({ name: 'Old team', emails: ['old@lab.example'] });
    const id = await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
    const told = await freezers(1, { notifications: { group: 'Old team' } });
    const has = await freezers(1, { notifications: { group: 'Cold team' } });
    const some = [...told, ...(await freezers(1)), ...has];
    const choosing = await preview(lab.ada, 'group', boxes(some));
    expect(choosing).toContain('Show what changes');
    const text = await preview(lab.ada, 'group', `units=${units(some)}&group=${id}`);
    expect(text).toMatch(/Old team → Cold team.*no group → Cold team.*notifies this group already/s);
    const before = await groupsOf(some);
    const done = await act(lab.ada, 'group', { units: units(some), group: String(id) });
    expect((await groupsOf(some)).map(({ name }) => name)).toEqual(['Cold team', 'Cold team', 'Cold team']);
    // In the order in which they were made: the last one had no group.
    expect((await groupsOf(some)).map(({ sendCritical }) => sendCritical)).toEqual([false, false, true]);
    await undo(lab.ada, done);
    expect(await groupsOf(some)).toEqual(before);
  });

  test('what somebody changed meanwhile is left alone when it is undone', async () => {
    const [one, other] = [await lab.group({ name: 'One' }), await lab.group({ name: 'Other' })];
    const some = await freezers(2);
    const done = await act(lab.ada, 'group', { units: units(some), group: String(one) });
    await act(lab.ada, 'group', { units: String(some[0]?.id), group: String(other) });
    expect(Object.fromEntries(await undo(lab.ada, done))).toMatchObject({ count: '1', left: '1' });
    expect((await groupsOf(some)).map(({ name }) => name)).toEqual(['Other', null]);
  });

  test('a group of another organization is no choice', async () => {
    const elsewhere = await openLab(server);
    const id = await elsewhere.group({ name: 'Secret team' });
    const some = await freezers(1);
    const text = await preview(lab.ada, 'group', `units=${units(some)}&group=${id}`);
    expect(text).toContain('This group is of another organization.');
    expect(text).not.toContain('Secret team');
    expect(
      (await act(lab.ada, 'group', { units: units(some), group: String(id) })).searchParams.get('count'),
    ).toBe('0');
  });
});

describe('limits', () => {
  const bandsOf = (some: readonly { id: ServiceId }[]) =>
    select<{ id: ServiceId; channel: string | null; band: string; limit: number }>`
      select service_id as id, channel, band, limit_value as limit from limits_version
      join limits_band on limits_version_id = limits_version.id
      where service_id = any(${some.map(({ id }) => id)}::int[]) and retired_at is null order by 1, 2, 3`;

  test('from a template, with what they replace, judged at once; undone they are as before', async () => {
    const some = await freezers(2);
    const bare = await freezers(1, { limits: [] });
    const all = [...some, ...bare, ...(await freezers(1, { channels: [], limits: [] }))];
    await some[0]?.reads(-40);
    const before = await bandsOf(all);
    const text = await preview(lab.ada, 'limits', `units=${units(all)}&limits=template-freezer-80`);
    expect(text).toContain('Set the limits of 3 units');
    expect(text).toMatch(
      /Temperature: Critical high −60 °C for 5 min → Critical high −60 °C for 15 min, Warning high/,
    );
    expect(text).toMatch(/Temperature: no limits → /);
    expect(text).toContain('None of its channels fits these limits.');
    expect(await bandsOf(all)).toEqual(before);

    const done = await act(lab.ada, 'limits', { units: units(all), limits: 'template-freezer-80' });
    expect(Object.fromEntries(done.searchParams)).toMatchObject({ count: '3', left: '1' });
    expect(await bandsOf(all)).toHaveLength(9);
    expect(await preview(lab.ada, 'limits', `units=${units(some)}&limits=template-freezer-80`)).toContain(
      'It has these limits already.',
    );
    await undo(lab.ada, done);
    expect(await bandsOf(all)).toEqual(before);
    expect(await audits(all, 'service.edit')).toHaveLength(6);
  });

  test('copied from another unit, but not from one of somebody else', async () => {
    const [source] = await freezers(1, {
      limits: [{ channel: 'temperature', bands: { WARNING_HIGH: { limit: -66 } } }],
    });
    const some = await freezers(2);
    await act(lab.ada, 'limits', { units: units(some), limits: `unit-${source?.id}` });
    expect((await bandsOf(some)).map(({ band, limit }) => [band, limit])).toEqual([
      ['WARNING_HIGH', -66],
      ['WARNING_HIGH', -66],
    ]);
    const elsewhere = await openLab(server);
    const theirs = await elsewhere.freezer({ name: 'Theirs', limits: LIMITS });
    const text = await preview(lab.ada, 'limits', `units=${units(some)}&limits=unit-${theirs.id}`);
    expect(text).toContain('None of its channels fits these limits.');
  });

  test('what was edited meanwhile is left alone when it is undone', async () => {
    const some = await freezers(2);
    const done = await act(lab.ada, 'limits', { units: units(some), limits: 'template-fridge' });
    await act(lab.ada, 'limits', { units: String(some[0]?.id), limits: 'template-freezer-20' });
    expect(Object.fromEntries(await undo(lab.ada, done))).toMatchObject({ count: '1', left: '1' });
  });
});

test('archive asks first, is named on its button, and leaves a record a unit', async () => {
  const some = await freezers(2);
  const html = await expectPage(await lab.ada.get(`/services/many/archive?${boxes(some)}`), 200);
  expect(html).toMatch(/<h1[^>]*>Archive 2 units\?<\/h1>/);
  expect(html).toContain('class="ask"');
  expect(html).toContain('Archive 2 units</button>');
  expect(html.indexOf('Leave it as it is')).toBeLessThan(html.indexOf('Archive 2 units</button>'));
  const done = await act(lab.ada, 'archive', { units: units(some) });
  expect(done.searchParams.get('many')).toBeNull();
  expect(await audits(some, 'service.archive')).toHaveLength(2);
  expect(await expectPage(await lab.ada.get('/services'), 200)).not.toContain(`/services/${some[0]?.id}"`);
});

describe('who may', () => {
  test('a viewer changes nothing, an operator no limits; the page says why', async () => {
    const some = await freezers(1);
    expect(await preview(lab.vera, 'mute', boxes(some))).toContain('ask for the operator role');
    for (const [person, name, form] of [
      [lab.vera, 'mute', {}],
      [lab.oscar, 'group', { group: 'none' }],
      [lab.oscar, 'limits', { limits: 'template-fridge' }],
      [lab.oscar, 'archive', {}],
    ] as const) {
      const done = await act(person, name, { units: units(some), ...form });
      expect([name, done.searchParams.get('count'), done.searchParams.get('left')]).toEqual([name, '0', '1']);
    }
    expect(await mutesOf(some)).toEqual([]);
  });

  test('units of others are not seen, not named and not acted upon', async () => {
    const some = await freezers(1, { name: 'Hidden freezer' });
    for (const name of ['mute', 'unmute', 'downtime', 'group', 'limits', 'archive']) {
      const text = await preview(lab.olga, name, boxes(some));
      expect(text).toContain('Nothing is selected');
      expect(text).not.toContain('Hidden');
      const answer = await lab.olga.post(`/services/many/${name}`, {
        units: units(some),
        reason: 'x',
        start_time: '2027-01-01T00:00',
        duration: '60',
        group: 'none',
        limits: 'template-fridge',
      });
      expect(textOf(await expectPage(answer, 200))).toContain('Nothing is selected');
    }
    expect(await mutesOf(some)).toEqual([]);
  });

  test('who has lost the role undoes nothing', async () => {
    const some = await freezers(1);
    const done = await act(lab.oscar, 'mute', { units: units(some) });
    await select`
      update membership set role = 'viewer' where account_id = ${lab.oscar.id} and organization_id = ${lab.organization}`;
    expect(Object.fromEntries(await undo(lab.oscar, done))).toMatchObject({ count: '0', left: '1' });
    expect(await mutesOf(some)).toHaveLength(1);
  });
});

test('120 units take three transactions of a fixed number of statements, and one id', async () => {
  await lab.applyAll(Array.from({ length: 120 }, (_, index) => ({ name: `Many ${index}` })));
  const all = await select<{ id: ServiceId }>`
    select id from service where organization_id = ${lab.organization} and name like 'Many %'`;
  const done = await act(lab.oscar, 'mute', { units: units(all), minutes: '60' });
  expect(done.searchParams.get('count')).toBe('120');
  expect(new Set((await audits(all, 'service.mute')).map(({ many }) => many)).size).toBe(1);
  expect((await undo(lab.oscar, done)).get('count')).toBe('120');
  server.clock.advance(hours(1));
});

describe('in a database in trouble', () => {
  /** Whatever is done to the mutes of that unit fails as a statement that takes too long, until it is made well again. */
  async function breakMutesOf({ id }: { id: ServiceId }): Promise<() => Promise<unknown>> {
    await server.db.transaction((tx) =>
      tx.run(`
        create function break_mute() returns trigger language plpgsql as $$
        begin raise exception 'too long' using errcode = '57014'; end $$;
        create trigger break_mute before insert or update on mute
          for each row when (new.service_id = ${id}) execute function break_mute()`),
    );
    return () => server.db.query(sql`drop function break_mute cascade`);
  }

  const makeMany = async (count: number) => {
    await lab.applyAll(Array.from({ length: count }, (_, index) => ({ name: `Many ${index}` })));
    return select<{ id: ServiceId }>`
      select id from service where organization_id = ${lab.organization} and name like 'Many %' order by id`;
  };

  test('the rest is not tried, and it is said how many were left', async () => {
    const all = await makeMany(51);
    const mend = await breakMutesOf(all[0] as { id: ServiceId });
    const done = await act(lab.oscar, 'mute', { units: units(all) }).finally(mend);
    expect(Object.fromEntries(done.searchParams)).toEqual({ did: 'mute', count: '0', left: '51' });
    expect(await mutesOf(all)).toEqual([]);
  });

  test('what could not be undone can be undone once more, and nothing else of it', async () => {
    const all = await makeMany(51);
    const done = await act(lab.oscar, 'mute', { units: units(all) });
    const mend = await breakMutesOf(all[50] as { id: ServiceId });
    const half = await undo(lab.oscar, done).finally(mend);
    expect(Object.fromEntries(half)).toMatchObject({ did: 'undo', count: '50', left: '1' });
    expect(await mutesOf(all)).toHaveLength(1);
    const page = await expectPage(await lab.oscar.get(`/services?${half}`), 200);
    expect(page).toContain('>Undo<');
    expect(Object.fromEntries(await undo(lab.oscar, done))).toMatchObject({ count: '1', left: '0' });
    expect(await mutesOf(all)).toEqual([]);
    expect((await undo(lab.oscar, done)).get('did')).toBe('late');
  });
});
