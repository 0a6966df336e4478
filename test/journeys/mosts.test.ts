// Everything that people, their sensors and their scripts can make has a most: in one table, and refused in its words.
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { MOSTS, type MostName, sayMost } from '../../src/domain/mosts.ts';
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
  fill(scene: Scene, count: number): Sql;
  there?: (scene: Scene) => Sql;
  /** Makes one more, as people do. */
  make(scene: Scene): Promise<Response>;
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
    await server.db.query(fill(scene, MOSTS[name].most - (before?.count ?? 0)));
    const refused = await make(scene);
    const said = await refused.text();
    expect(said).toContain(sayMost(name));
    expect([409, 422]).toContain(refused.status);
  });
});
