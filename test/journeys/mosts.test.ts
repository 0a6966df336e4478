// Everything that people, their sensors and their scripts can make has a most: in one table, and refused in its words.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { MOSTS, type MostName, sayMost, sayNumber } from '../../src/domain/mosts.ts';
import { said } from '../../src/domain/readings/refused.ts';
import { writeRefusals } from '../../src/engine/sources/ledger-rows.ts';
import { dateMovedPost } from '../../src/engine/sources/moved-posts.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { CLEANED, FOLLOWS, HOUSE, RECORDS } from '../support/tables-without-a-most.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

describe('the schema', () => {
  const selectTables = async () =>
    (
      await server.db.query<{ name: string }>(sql`
        select relname as "name" from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
    ).map(({ name }) => name);

  /** Those that lead to an organization or a person, by references or by what their columns are called. */
  const selectTenants = async () =>
    (
      await server.db.query<{ name: string }>(sql`
        with recursive owned (id) as (
          select attrelid from pg_attribute join pg_class on pg_class.oid = attrelid
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not attisdropped
            and attname in ('organization_id', 'service_id', 'account_id', 'group_id', 'source_id', 'device_id', 'rota_id')
          union
          select conrelid from pg_constraint join owned on confrelid = owned.id where contype = 'f')
        select distinct relname as "name" from owned join pg_class on pg_class.oid = owned.id
        where not relispartition order by relname`)
    ).map(({ name }) => name);

  const counted = new Set(Object.values(MOSTS).flatMap((most) => ('table' in most ? [most.table] : [])));
  const bounded = { ...FOLLOWS, ...CLEANED, ...RECORDS };

  test('has a most, or something else that bounds it, for each table', async () => {
    const tables = await selectTables();
    expect(tables.filter((name) => !counted.has(name as never) && !bounded[name] && !HOUSE[name])).toEqual(
      [],
    );
    const named = [...counted, ...Object.keys(bounded), ...Object.keys(HOUSE)];
    expect(named.filter((name) => !tables.includes(name))).toEqual([]);
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  });

  test('has nothing of a tenant among what belongs to the house', async () => {
    expect((await selectTenants()).filter((name) => HOUSE[name])).toEqual([]);
  });
});

interface Scene {
  lab: Lab;
  freezer: Freezer;
  groupId: number;
}

interface Try {
  /** Makes so many by SQL, besides those that are there. */
  fill?(scene: Scene, count: number): Sql;
  there?: (scene: Scene) => Sql;
  /** Makes one more, as people do; a text: what a lab file is refused with. */
  make(scene: Scene): Promise<Response | string>;
}

const now = () => server.clock.read();
const post =
  (path: string | ((scene: Scene) => string), form: Record<string, string>) =>
  (scene: Scene): Promise<Response> =>
    scene.lab.ada.post(typeof path === 'string' ? path : path(scene), form);
const ofGroup = (verb: string) => (scene: Scene) => `/settings/groups/${scene.groupId}/${verb}`;

const named = (table: Sql) => (scene: Scene, count: number) =>
  sql`
  insert into ${table} (organization_id, name)
  select ${scene.lab.organization}, 'filled ' || n from generate_series(1, ${count}::int) n`;
const dated = (table: Sql) => (scene: Scene, count: number) =>
  sql`
  insert into ${table} (organization_id, name, created_at)
  select ${scene.lab.organization}, 'filled ' || n, ${now()} from generate_series(1, ${count}::int) n`;
const inOrganization =
  (table: Sql) =>
  ({ lab }: Scene) =>
    sql`select count(*)::int as "count" from ${table} where organization_id = ${lab.organization}`;
const inGroup =
  (table: Sql) =>
  ({ groupId }: Scene) =>
    sql`select count(*)::int as "count" from ${table} where group_id = ${groupId}`;
const accounts = (count: number) => sql`
  insert into account (email, name, created_at)
  select 'filled-' || gen_random_uuid() || '@lab.example', 'Filled', ${now()} from generate_series(1, ${count}::int)
  returning id`;

/** What the lab file is refused with. */
const apply = (lab: Lab, lines: Record<string, unknown>): Promise<string> =>
  lab.organizationEntry(lines).then(
    () => 'applied',
    (error: Error) => error.message,
  );
const ROTA = { name: 'Nights', timezone: 'UTC', handover: '08:00', every: 'day', from: '2027-01-01' };
/** Of Ada; answers with its id. */
async function makeRota(lab: Lab): Promise<number> {
  await lab.organizationEntry({ rotas: [{ ...ROTA, members: [lab.ada.email] }] });
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  return rota?.id ?? 0;
}

/** As the page does; lines without members are left out. */
function makeRotaByForm(lab: Lab, membersOf: (line: number) => number[]): Promise<Response> {
  const nameAt = (name: string, line: number) => (line === 0 ? name : `${name}_${line}`);
  const lines = Array.from({ length: 24 }, (_, line) => ({ line, members: membersOf(line) }));
  const fields = lines
    .filter(({ members }) => members.length > 0)
    .flatMap(({ line, members }) => [
      [nameAt('handover', line), `${String(line).padStart(2, '0')}:00`],
      ...members.map((id, place) => [`${nameAt('member', line)}_${place}`, String(id)]),
    ]);
  const form = {
    name: 'One more',
    timezone: 'UTC',
    every: 'day',
    length: '1',
    ...Object.fromEntries(fields),
  };
  return lab.ada.post('/settings/rotas/create', form);
}

const TRIES: Partial<Record<MostName, Try>> = {
  members: {
    there: inOrganization(sql`membership`),
    fill: ({ lab }, count) => sql`
      with made as (${accounts(count)})
      insert into membership (account_id, organization_id, role, created_at)
      select id, ${lab.organization}, 'viewer', ${now()} from made`,
    async make({ lab }) {
      await server.db.query(sql`
        insert into invitation (organization_id, account_id, role, name, invited_by_name, created_at)
        values (${lab.organization}, ${lab.olga.id}, 'viewer', 'Olga', 'Ada', ${now()})`);
      const [invitation] = await server.db.query<{ id: number }>(sql`
        select id from invitation where organization_id = ${lab.organization}`);
      return lab.olga.post(`/invitations/${invitation?.id}/accept`);
    },
  },
  invitations: {
    fill: ({ lab }, count) => sql`
      with made as (${accounts(count)})
      insert into invitation (organization_id, account_id, role, name, invited_by_name, created_at)
      select ${lab.organization}, id, 'viewer', 'Filled', 'Ada', ${now()} from made`,
    make: post('/settings/members/invite', { email: 'new@lab.example', name: 'New', role: 'viewer' }),
  },
  services: {
    there: inOrganization(sql`service`),
    fill: dated(sql`service`),
    make: post('/settings/services/create', { name: 'One more' }),
  },
  assets: {
    there: inOrganization(sql`asset`),
    fill: named(sql`asset`),
    make: post('/settings/assets/create', { name: 'One more' }),
  },
  locations: {
    there: inOrganization(sql`location`),
    fill: named(sql`location`),
    make: post('/settings/locations/create', { name: 'One more' }),
  },
  devices: {
    there: inOrganization(sql`device`),
    fill: ({ lab }, count) => sql`
      insert into device (organization_id, key, created_at)
      select ${lab.organization}, 'filled ' || n, ${now()} from generate_series(1, ${count}::int) n`,
    make: post('/settings/devices/add', { key: 'one-more' }),
  },
  channels: {
    fill: ({ freezer }, count) => sql`
      insert into channel (service_id, name, kind, created_at)
      select ${freezer.id}, 'filled ' || n, 'metric', ${now()} from generate_series(1, ${count}::int) n`,
    there: ({ freezer }) =>
      sql`select count(*)::int as "count" from channel where service_id = ${freezer.id}`,
    make: ({ lab, freezer }) =>
      apply(lab, {
        services: [
          { key: 'full', name: 'Full', device: { key: freezer.device }, channels: [{ name: 'more' }] },
        ],
      }),
  },
  gateways: {
    fill: ({ lab, freezer }, count) => sql`
      with made as (
        insert into service (organization_id, name, created_at)
        select ${lab.organization}, 'gateway ' || n, ${now()} from generate_series(1, ${count}::int) n returning id)
      insert into service_parent (service_id, parent_id) select ${freezer.id}, id from made`,
    async make({ lab, freezer }) {
      const gateway = await lab.freezer();
      const form = { gateway: String(gateway.id), [`service_${freezer.id}`]: 'yes' };
      return lab.ada.post('/settings/gateways/set', form);
    },
  },
  sources: {
    there: inOrganization(sql`source`),
    fill: ({ lab }, count) => sql`
      insert into source (organization_id, name, secret_hash, created_at)
      select ${lab.organization}, 'filled ' || n, sha256(gen_random_uuid()::text::bytea), ${now()}
      from generate_series(1, ${count}::int) n`,
    make: post('/settings/sources/create', { name: 'One more', kind: 'tocsin' }),
  },
  groups: {
    there: inOrganization(sql`notification_group`),
    fill: dated(sql`notification_group`),
    make: ({ lab }) =>
      lab.ada.post('/settings/groups', { name: 'One more', organization_id: String(lab.organization) }),
  },
  steps: { make: post(ofGroup('set-step'), { step: '9', after_minutes: '5', critical: 'yes' }) },
  groupMembers: {
    there: inGroup(sql`notification_group_account`),
    fill: ({ groupId }, count) => sql`
      with made as (${accounts(count)})
      insert into notification_group_account (group_id, account_id) select ${groupId}, id from made`,
    make: (scene) =>
      scene.lab.ada.post(ofGroup('add-member')(scene), { account_id: String(scene.lab.ada.id) }),
  },
  groupEmails: {
    there: inGroup(sql`notification_group_email`),
    fill: ({ groupId }, count) => sql`
      insert into notification_group_email (group_id, email)
      select ${groupId}, n || '@filled.example' from generate_series(1, ${count}::int) n`,
    make: post(ofGroup('add-email'), { email: 'new@lab.example' }),
  },
  groupRotas: {
    async make(scene) {
      const form = { who: `rota ${await makeRota(scene.lab)}`, step: '0', during: 'always' };
      return scene.lab.ada.post(ofGroup('place')(scene), form);
    },
    fill: ({ lab, groupId }, count) => sql`
      with made as (
        insert into rota (organization_id, name, timezone, created_at)
        select ${lab.organization}, 'filled ' || n, 'UTC', ${now()} from generate_series(1, ${count / 4}::int) n
        returning id)
      insert into notification_group_rota (group_id, rota_id, step, during)
      select ${groupId}, id, step, during
      from made cross join generate_series(1, 2) step cross join unnest(array['lab_hours', 'off_hours']) during`,
  },
  webhooks: {
    fill: ({ groupId }, count) => sql`
      insert into notification_group_webhook (group_id, kind, url)
      select ${groupId}, 'generic', 'https://filled.example/' || n from generate_series(1, ${count}::int) n`,
    make: post(ofGroup('add-webhook'), { kind: 'generic', url: 'https://hooks.example/new', secret: '' }),
  },
  relays: {
    fill: ({ groupId }, count) => sql`
      insert into relay (group_id, url, switch_id, dead_man, created_at)
      select ${groupId}, 'http://10.0.0.' || n, 0, false, ${now()} from generate_series(1, ${count}::int) n`,
    make: post(ofGroup('add-relay'), { relay_url: 'http://10.0.1.1', switch_id: '0' }),
  },
  holidays: {
    fill: ({ lab }, count) => sql`
      insert into holiday (organization_id, day, name)
      select ${lab.organization}, date '2000-01-01' + n, 'Filled' from generate_series(1, ${count}::int) n`,
    make: post('/settings/lab-hours/add-holiday', { day: '2040-01-01', name: 'One more' }),
  },
  rotas: {
    fill: ({ lab }, count) => sql`
      insert into rota (organization_id, name, timezone, created_at)
      select ${lab.organization}, 'filled ' || n, 'UTC', ${now()} from generate_series(1, ${count}::int) n`,
    make: ({ lab }) =>
      lab.ada.post('/settings/rotas/create', {
        name: 'One more',
        timezone: 'UTC',
        handover: '08:00',
        every: 'day',
        length: '1',
        member_0: String(lab.ada.id),
      }),
  },
  handovers: {
    make: ({ lab }) => makeRotaByForm(lab, (line) => (line <= MOSTS.handovers.most ? [lab.ada.id] : [])),
  },
  rotaMembers: {
    make: ({ lab }) =>
      makeRotaByForm(lab, (line) => (line === 0 ? Array(MOSTS.rotaMembers.most + 1).fill(lab.ada.id) : [])),
  },
  labHours: {
    make: ({ lab }) =>
      lab.ada.post(
        '/settings/lab-hours/set',
        Object.fromEntries([
          ['timezone', 'UTC'],
          ...Array.from({ length: MOSTS.labHours.most + 1 }, (_, line) =>
            Object.entries({ mon: 'yes', from: '08:00', to: '18:00' }).map(([field, value]) => [
              line === 0 ? field : `${field}_${line}`,
              value,
            ]),
          ).flat(),
        ]),
      ),
  },
  standIns: {
    async make({ lab }) {
      const rotaId = await makeRota(lab);
      await server.db.query(sql`
        insert into rota_stand_in (rota_id, start_at, end_at, account_id, author_id, author_name, created_at)
        select ${rotaId}, ${now()}, ${new Date(now().getTime() + 86_400_000)}, ${lab.ada.id}, ${lab.ada.id}, 'Ada', ${now()}
        from generate_series(1, ${MOSTS.standIns.most}::int)`);
      return lab.ada.post(`/on-call/${rotaId}/appoint`, {
        account_id: String(lab.oscar.id),
        start: new Date(now().getTime() + 3_600_000).toISOString().slice(0, 16),
        end: new Date(now().getTime() + 90_000_000).toISOString().slice(0, 16),
      });
    },
  },
  rotaVersions: {
    async make({ lab }) {
      const rotaId = await makeRota(lab);
      await server.db.query(sql`
        insert into rota_version (rota_id, version, from_date, begins_at, handover, timezone, every, length)
        select ${rotaId}, n, '2027-01-01', '2027-01-01T08:00Z', '08:00', 'UTC', 'day', 1
        from generate_series(2, ${MOSTS.rotaVersions.most}::int) n`);
      return apply(lab, { rotas: [{ ...ROTA, handover: '09:00', members: [lab.ada.email] }] });
    },
  },
  series: {
    async make({ lab, freezer }) {
      const others = await Promise.all(Array.from({ length: 25 }, () => lab.freezer()));
      await server.db.query(sql`
        insert into downtime_series (service_id, first_day, local_start, minutes, timezone, rule, until_day, reason,
          created_by_id, created_by_name, created_at)
        select id, ${now()}::date, '08:00', 10, 'UTC', 'FREQ=DAILY;INTERVAL=1', ${now()}::date + 300, 'Filled', 1, 'Ada', ${now()}
        from unnest(${others.map(({ id }) => id)}::int[]) id
        cross join generate_series(1, ${MOSTS.series.most / 25}::int)`);
      const day = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
      return lab.ada.post('/downtimes/series', {
        service_id: String(freezer.id),
        first_day: day(1),
        until_day: day(30),
        start: '08:00',
        duration: '60',
        interval: '1',
        rule: 'days',
        freq: 'DAILY',
        reason: 'One more',
      });
    },
  },
  contactMethods: {
    fill: ({ lab }, count) => sql`
      insert into contact_method (account_id, kind, address, created_at)
      select ${lab.ada.id}, 'ntfy', 'https://ntfy.example/' || n, ${now()} from generate_series(1, ${count}::int) n`,
    make: post('/profile/contacts/add', { kind: 'ntfy', address: 'https://ntfy.example/one-more' }),
  },
  downtimes: {
    fill: ({ freezer }, count) => sql`
      insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
      select ${freezer.id}, ${now()}, ${new Date(now().getTime() + 86_400_000)}, 'Filled', 1, 'Ada', ${now()}
      from generate_series(1, ${count}::int)`,
    make: ({ lab, freezer }) =>
      lab.ada.post('/api/v1/downtimes', {
        service_id: String(freezer.id),
        start_time: new Date(now().getTime() + 3_600_000).toISOString().slice(0, 16),
        end_time: new Date(now().getTime() + 7_200_000).toISOString().slice(0, 16),
        reason: 'One more',
      }),
  },
  mutes: {
    fill: ({ freezer }, count) => sql`
      insert into mute (service_id, account_id, account_name, created_at)
      select ${freezer.id}, 1, 'Ada', ${now()} from generate_series(1, ${count}::int)`,
    make: ({ lab, freezer }) => lab.ada.post(`/api/v1/services/${freezer.id}/mute`),
  },
  unitNotes: {
    fill: ({ freezer }, count) => sql`
      insert into unit_note (service_id, at, text, author_id, author_name, created_at)
      select ${freezer.id}, ${now()}, 'filled ' || n, 1, 'Ada', ${now()} from generate_series(1, ${count}::int) n`,
    make: (scene) =>
      post(`/services/${scene.freezer.id}/notes`, { at: '2026-11-01', text: 'One more' })(scene),
  },
  walls: {
    fill: ({ lab }, count) => sql`
      insert into wall_link (organization_id, name, token_hash, timezone, created_at)
      select ${lab.organization}, 'filled ' || n, sha256(gen_random_uuid()::text::bytea), 'UTC', ${now()}
      from generate_series(1, ${count}::int) n`,
    make: post('/settings/wall/create', { name: 'One more' }),
  },
};

describe('one more than there may be is refused in words', () => {
  test.each(Object.entries(TRIES) as [MostName, Try][])('%s', async (name, { fill, there, make }) => {
    const lab = await openLab(server);
    const scene = { lab, freezer: await lab.freezer(), groupId: await lab.group({ name: 'Cold team' }) };
    const [before] = there ? await server.db.query<{ count: number }>(there(scene)) : [];
    if (fill) await server.db.query(fill(scene, MOSTS[name].most - (before?.count ?? 0)));
    const refused = await make(scene);
    expect(typeof refused === 'string' ? refused : await refused.text()).toContain(sayMost(name));
    if (typeof refused !== 'string') expect([409, 422]).toContain(refused.status);
  });

  /** Where nothing is refused, or somebody else has what it takes: by which test of which file. */
  const ELSEWHERE: Partial<Record<MostName, [file: string, title: string]>> = {
    waitingDevices: ['test/contract/telemetry.test.ts', 'an organization remembers 1,000 unknown devices'],
    waitingReadings: ['test/journeys/waiting-readings.test.ts', 'keeps the last 500'],
    heardChannels: ['test/contract/telemetry.test.ts', 'a service has 200 channels'],
    announcements: [
      'src/features/telemetry/mqtt/announcements.test.ts',
      'a source has a most of announcements',
    ],
    refusals: ['test/journeys/mosts.test.ts', 'what is kept of refusals makes room'],
    movedPosts: ['test/journeys/mosts.test.ts', 'what is remembered of moved posts makes room'],
    wills: ['src/features/telemetry/mqtt/wills.test.ts', 'of more wills than may wait'],
    willsInAll: ['src/features/telemetry/mqtt/wills.test.ts', 'sources of an organization share a most'],
    serviceSeries: ['test/journeys/downtime-series.test.ts', 'a service has twenty at most'],
    floorPlans: ['test/journeys/floor-plans.test.ts', 'an organization has 100 at most, with 200 units each'],
    floorPlanMarkers: [
      'test/journeys/floor-plans.test.ts',
      'an organization has 100 at most, with 200 units each',
    ],
    keptMails: ['test/journeys/kept-mail.test.ts', 'in number'],
    passkeys: ['test/contract/passkeys.test.ts', 'is one too many'],
  };

  test('what is kept of refusals makes room for the newest', async () => {
    const lab = await openLab(server);
    const [source] = await server.db.query<{ id: number }>(sql`
      select id from source where organization_id = ${lab.organization}`);
    const sourceId = source?.id ?? 0;
    await server.db.query(sql`
      insert into source_refusal (source_id, reason, count, last_at, sample)
      select ${sourceId}, 'filled ' || n, 1, ${now()}, '' from generate_series(1, ${MOSTS.refusals.most}::int) n`);
    const lastAt = new Date(now().getTime() + 1_000);
    const refusal = { sourceId, reason: 'new', why: said('new'), count: 1, lastAt, sample: Buffer.from('') };
    await server.db.transaction((tx) => writeRefusals(tx, [refusal], MOSTS.refusals.most));
    const kept = await server.db.query<{ reason: string }>(sql`
      select reason from source_refusal where source_id = ${sourceId} order by last_at desc`);
    expect([kept.length, kept[0]?.reason]).toEqual([MOSTS.refusals.most, 'new']);
  });

  test('what is remembered of moved posts makes room for the newest', async () => {
    const lab = await openLab(server);
    const [source] = await server.db.query<{ id: number }>(sql`
      select id from source where organization_id = ${lab.organization}`);
    const sourceId = source?.id ?? 0;
    await server.db.query(sql`
      insert into moved_post (source_id, digest, newest_at)
      select ${sourceId}, sha256(n::text::bytea), ${new Date(now().getTime() - 60_000)}
      from generate_series(1, ${MOSTS.movedPosts.most}::int) n`);
    const digest = createHash('sha256').update('new').digest();
    await dateMovedPost(server.db, { sourceId, digest, spanMs: 0, sameForMs: 1_000 }, now());
    const kept = await server.db.query<{ isNew: boolean }>(sql`
      select digest = ${digest} as "isNew" from moved_post where source_id = ${sourceId} order by newest_at desc`);
    expect([kept.length, kept[0]?.isNew]).toEqual([MOSTS.movedPosts.most, true]);
  });

  test('each of them is tried, here or by a test that has its number', () => {
    for (const [name, { most }] of Object.entries(MOSTS) as [MostName, { most: number }][]) {
      const [file, title] = ELSEWHERE[name] ?? [];
      expect([name, (TRIES[name] === undefined) === (file !== undefined)]).toEqual([name, true]);
      if (!file) continue;
      const [, after = ''] = readFileSync(join(projectRoot, file), 'utf8').split(`test('${title}`);
      const [body = ''] = after.split(/\n *test/);
      const figures = [`MOSTS.${name}.most`, `sayMost('${name}')`, String(most), sayNumber(most)];
      expect([name, figures.some((figure) => body.includes(figure))]).toEqual([name, true]);
    }
  });
});
