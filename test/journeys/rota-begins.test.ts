// From when on a rota holds: at once, from the next handover on, and never in what is past.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { hours } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const goTo = (text: string) => server.clock.advance(Date.parse(text) - server.clock.read().getTime());

async function whoIsOn(lab: Lab): Promise<string | undefined> {
  const page = await (await lab.vera.get('/on-call')).text();
  return /On call now: <strong[^>]*>([^<]*)</.exec(page)?.[1];
}

const rotaIdIn = async (lab: Lab) => {
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  return String(rota?.id);
};

describe('a rota that does not say from when on', () => {
  const daily = (lab: Lab) => ({
    name: 'Nights',
    timezone: 'Europe/Berlin',
    handover: '18:00',
    every: 'day',
    members: [lab.oscar.email, lab.ada.email],
  });

  test('begins now in the lab file, and hands over next at its usual time', async () => {
    goTo('2027-02-01T11:00:00Z');
    const lab = await openLab(server);
    await lab.organizationEntry({ rotas: [daily(lab)] });
    expect(await whoIsOn(lab)).toBe('Ada');
    goTo('2027-02-01T16:59:00Z');
    expect(await whoIsOn(lab)).toBe('Ada');
    goTo('2027-02-01T17:00:00Z');
    expect(await whoIsOn(lab)).toBe('Oscar');
  });

  test('begins now on the page', async () => {
    goTo('2027-02-03T11:00:00Z');
    const lab = await openLab(server);
    const form = { name: 'Nights', handover: '18:00', every: 'week', length: '1' };
    const people = { member_0: String(lab.oscar.id), member_1: String(lab.vera.id) };
    expect((await lab.ada.post('/settings/rotas/create', { ...form, ...people })).status).toBe(303);
    expect(await whoIsOn(lab)).toBe('Vera');
    goTo('2027-02-03T17:00:00Z');
    expect(await whoIsOn(lab)).toBe('Oscar');
    goTo('2027-02-10T16:59:00Z');
    expect(await whoIsOn(lab)).toBe('Oscar');
  });

  test('one that says a day begins on that day', async () => {
    goTo('2027-02-12T11:00:00Z');
    const lab = await openLab(server);
    await lab.organizationEntry({ rotas: [{ ...daily(lab), from: '2027-02-13' }] });
    expect(await whoIsOn(lab)).toBe('nobody');
    goTo('2027-02-13T17:00:00Z');
    expect(await whoIsOn(lab)).toBe('Oscar');
  });
});

describe('a change', () => {
  test('to an earlier hour leaves who is on call until the handover', async () => {
    goTo('2027-02-20T11:00:00Z');
    const lab = await openLab(server);
    const rota = { name: 'Nights', timezone: 'Europe/Berlin', every: 'day', members: [lab.oscar.email] };
    await lab.organizationEntry({ rotas: [{ ...rota, handover: '18:00', from: '2027-02-01' }] });
    const form = { handover: '08:00', every: 'day', length: '1', member_0: String(lab.ada.id) };
    const changed = await lab.ada.post('/settings/rotas/change', { ...form, rota_id: await rotaIdIn(lab) });
    expect(changed.status).toBe(303);
    expect(await whoIsOn(lab)).toBe('Oscar');
    goTo('2027-02-20T17:00:00Z');
    expect(await whoIsOn(lab)).toBe('Ada');
  });

  test('of the zone in the lab file is a new version', async () => {
    goTo('2027-03-01T12:00:00Z');
    const lab = await openLab(server);
    const rota = {
      name: 'Nights',
      handover: '08:00',
      every: 'day',
      members: [lab.oscar.email, lab.ada.email],
    };
    await lab.organizationEntry({ rotas: [{ ...rota, timezone: 'Europe/Berlin' }] });
    await lab.organizationEntry({ rotas: [{ ...rota, timezone: 'America/Los_Angeles' }] });
    expect(await (await lab.ada.get('/settings/rotas')).text()).toContain('in America/Los_Angeles');
    // 16:00 in London is when those in California begin.
    goTo('2027-03-04T15:59:00Z');
    const before = await whoIsOn(lab);
    goTo('2027-03-04T16:00:00Z');
    expect(await whoIsOn(lab)).not.toBe(before);
  });
});

test('versions that the program before wrote count from their first handover on, the newest that has begun', async () => {
  goTo('2027-03-05T12:00:00Z');
  const lab = await openLab(server);
  const people = [lab.vera.id, lab.oscar.id, lab.ada.id];
  await server.db.query(sql`
    with made as (
      insert into rota (organization_id, name, timezone, created_at)
      values (${lab.organization}, 'Old', 'Europe/Berlin', ${server.clock.read()}) returning id),
    versions as (
      insert into rota_version (rota_id, version, from_date, handover, every, length)
      select id, version, day, '18:00', 'day', 1 from made cross join (values
        (1, date '2027-02-01'), (2, date '2027-03-01'), (3, date '2027-03-06')) as given (version, day))
    insert into rota_member (rota_id, version, position, account_id)
    select id, version, 0, account_id from made
    cross join unnest(${people}::int[]) with ordinality as given (account_id, version)`);
  expect(await whoIsOn(lab)).toBe('Oscar');
  goTo('2027-03-06T16:59:00Z');
  expect(await whoIsOn(lab)).toBe('Oscar');
  goTo('2027-03-06T17:00:00Z');
  expect(await whoIsOn(lab)).toBe('Ada');
});

test('the first and the last of all days can be asked about', async () => {
  const lab = await openLab(server);
  const rota = { name: 'Nights', timezone: 'Europe/Berlin', handover: '08:00', members: [lab.oscar.email] };
  await lab.organizationEntry({
    rotas: [rota],
    lab_hours: { timezone: 'Europe/Berlin', weekly: [{ days: ['mon'], from: '08:00', to: '18:00' }] },
    groups: [{ name: 'Cold team', told: [{ rota: 'Nights', during: 'off_hours' }] }],
  });
  const freezer = await lab.freezer({ notifications: { group: 'Cold team' } });
  for (const at of ['0001-01-02T00:00', '9999-12-31T22:00'])
    expect((await lab.ada.get(`/on-call?service=${freezer.id}&at=${at}`)).status, at).toBe(200);
});

describe('zones and lines on pages', () => {
  test('a rota has the zone that is chosen, not that of who makes it', async () => {
    goTo('2027-03-10T12:00:00Z');
    const lab = await openLab(server);
    const form = {
      name: 'West',
      timezone: 'America/Los_Angeles',
      handover: '08:00',
      every: 'day',
      length: '1',
    };
    const people = { member_0: String(lab.oscar.id), member_1: String(lab.ada.id) };
    expect((await lab.ada.post('/settings/rotas/create', { ...form, ...people })).status).toBe(303);
    expect(await (await lab.ada.get('/settings/rotas')).text()).toContain('at 08:00 in America/Los_Angeles');
    const wrong = { ...form, ...people, name: 'Mars', timezone: 'Mars/Olympus' };
    const refused = await lab.ada.post('/settings/rotas/create', wrong);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Choose a time zone such as Europe/Berlin.');
  });

  test('lab hours have several lines, and the zone that is chosen', async () => {
    const lab = await openLab(server);
    const form = {
      timezone: 'America/New_York',
      ...{ mon: 'yes', tue: 'yes', from: '08:00', to: '18:00' },
      ...{ sat_1: 'yes', from_1: '10:00', to_1: '14:00' },
    };
    expect((await lab.ada.post('/settings/lab-hours/set', form)).status).toBe(303);
    const [stored] = await server.db.query<{ timezone: string; weekly: unknown }>(sql`
      select timezone, weekly from lab_hours where organization_id = ${lab.organization}`);
    expect(stored).toEqual({
      timezone: 'America/New_York',
      weekly: [
        { days: [1, 2], from: '08:00', to: '18:00' },
        { days: [6], from: '10:00', to: '14:00' },
      ],
    });
  });

  test('a line is added and removed without a script, and nothing is saved until it is said', async () => {
    const lab = await openLab(server);
    const typed = { timezone: 'Europe/Berlin', mon: 'yes', from: '07:15', to: '18:00' };
    const more = await lab.ada.post('/settings/lab-hours/set', { ...typed, add: 'yes' });
    expect(more.status).toBe(200);
    const page = await more.text();
    expect(page).toContain('value="07:15"');
    expect(page).toContain('name="from_1"');
    const second = { wed_1: 'yes', from_1: '09:45', to_1: '12:00' };
    const less = await lab.ada.post('/settings/lab-hours/set', { ...typed, ...second, remove: '0' });
    const left = await less.text();
    expect(left).toContain('value="09:45"');
    expect(left).not.toContain('value="07:15"');
    expect(left).not.toContain('name="from_1"');
    const rows = await server.db.query(
      sql`select from lab_hours where organization_id = ${lab.organization}`,
    );
    expect(rows).toEqual([]);
  });
});

describe('stand-ins', () => {
  const open = async () => {
    const lab = await openLab(server);
    const rota = { name: 'Nights', timezone: 'Europe/Berlin', handover: '08:00', every: 'day' };
    await lab.organizationEntry({ rotas: [{ ...rota, members: [lab.ada.email, lab.vera.email] }] });
    return { lab, path: `/on-call/${await rotaIdIn(lab)}` };
  };

  test('last a year at most', async () => {
    const { lab, path } = await open();
    const refused = await lab.oscar.post(`${path}/take-over`, { end: '9999-12-31T00:00' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('A stand-in lasts 366 days at most.');
    const form = { account_id: String(lab.oscar.id), start: '2027-04-01T08:00', end: '2028-04-02T08:01' };
    expect((await lab.ada.post(`${path}/appoint`, form)).status).toBe(422);
    expect((await lab.ada.post(`${path}/appoint`, { ...form, end: '2028-04-01T08:00' })).status).toBe(303);
  });

  test('one that is said to have begun earlier begins now: who was on call stays so', async () => {
    const { lab, path } = await open();
    const now = server.clock.read();
    const form = { account_id: String(lab.oscar.id), start: '2027-01-01T08:00', end: '2027-12-01T08:00' };
    expect((await lab.ada.post(`${path}/appoint`, form)).status).toBe(303);
    const [standIn] = await server.db.query<{ at: Date }>(sql`
      select start_at as "at" from rota_stand_in order by id desc limit 1`);
    expect(standIn?.at).toEqual(now);
  });

  test('one from before that lasts for thousands of years keeps nobody waiting', async () => {
    const { lab } = await open();
    await server.db.query(sql`
      insert into rota_stand_in (rota_id, start_at, end_at, account_id, instead_of_id, author_id, author_name, created_at)
      select id, ${server.clock.read()}, '9999-12-30', ${lab.oscar.id}, ${lab.oscar.id}, ${lab.oscar.id}, 'Oscar', created_at
      from rota where organization_id = ${lab.organization}`);
    expect(await whoIsOn(lab)).toBe('Oscar');
  });

  test('a hundred of a rota are enough', async () => {
    const { lab, path } = await open();
    await server.db.query(sql`
      insert into rota_stand_in (rota_id, start_at, end_at, account_id, author_id, author_name, created_at)
      select rota.id, ${server.clock.read()}, ${new Date(server.clock.read().getTime() + hours(5))}, ${lab.oscar.id},
        ${lab.oscar.id}, 'Oscar', created_at
      from rota cross join generate_series(1, 100) where organization_id = ${lab.organization}`);
    const refused = await lab.oscar.post(`${path}/take-over`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('100 stand-ins');
    server.clock.advance(hours(6));
    expect((await lab.oscar.post(`${path}/take-over`)).status).toBe(303);
  });
});

describe('a rota that follows the sun', () => {
  const handovers = (lab: Lab) => [
    { at: '08:00', members: [lab.oscar.email, lab.vera.email] },
    { at: '09:00', timezone: 'America/Los_Angeles', members: [lab.ada.email] },
  ];

  test('hands over several times a day, in the lab file', async () => {
    goTo('2027-05-03T06:00:00Z');
    const lab = await openLab(server);
    const rota = { name: 'Sun', timezone: 'Europe/Berlin', every: 'day', handovers: handovers(lab) };
    await lab.organizationEntry({ rotas: [rota] });
    const seen: [string, string | undefined][] = [];
    for (const at of ['03T06:00', '03T15:59', '03T16:00', '04T05:59', '04T06:00', '04T16:00', '05T06:00']) {
      goTo(`2027-05-${at}:00Z`);
      seen.push([at, await whoIsOn(lab)]);
    }
    expect(seen).toEqual([
      ['03T06:00', 'Oscar'],
      ['03T15:59', 'Oscar'],
      ['03T16:00', 'Ada'],
      ['04T05:59', 'Ada'],
      ['04T06:00', 'Vera'],
      ['04T16:00', 'Ada'],
      ['05T06:00', 'Oscar'],
    ]);
    await lab.organizationEntry({ rotas: [rota] });
    const [versions] = await server.db.query<{ count: number }>(sql`
      select count(*)::int as "count" from rota_version where rota_id = ${await rotaIdIn(lab)}`);
    expect(versions?.count).toBe(1);
  });

  test('and on the page', async () => {
    goTo('2027-05-10T06:00:00Z');
    const lab = await openLab(server);
    const form = { name: 'Sun', timezone: 'Europe/Berlin', handover: '08:00', every: 'week', length: '1' };
    const first = { member_0: String(lab.oscar.id) };
    const more = await lab.ada.post('/settings/rotas/create', { ...form, ...first, add: 'yes' });
    expect(more.status).toBe(200);
    const page = await more.text();
    expect(page).toContain('name="handover_1"');
    expect(page).toContain('name="member_1_0"');
    const second = { handover_1: '20:00', timezone_1: 'Europe/Berlin', member_1_0: String(lab.ada.id) };
    const made = await lab.ada.post('/settings/rotas/create', { ...form, ...first, ...second });
    expect(made.status).toBe(303);
    expect(await whoIsOn(lab)).toBe('Oscar');
    goTo('2027-05-10T18:00:00Z');
    expect(await whoIsOn(lab)).toBe('Ada');
    const shown = await (await lab.ada.get('/settings/rotas')).text();
    expect(shown).toContain('20:00');
    const twice = { ...second, handover_1: '08:00' };
    const refused = await lab.ada.post('/settings/rotas/create', {
      ...form,
      ...first,
      ...twice,
      name: 'Moon',
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('two handovers at the same time');
  });
});
