import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  acceptByHand,
  activateByHand,
  createAccountByHand,
  deactivateByHand,
  deleteByHand,
  setKeeperByHand,
  setPasswordByHand,
} from '../../src/features/accounts/commands.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
});

const vera = { email: ' Vera@Lab.example', name: 'Vera', timezone: 'Europe/Berlin', password: 'long enough' };

describe('tocsin account create', () => {
  test('makes an account under the normalised email, with a role in a new organization', async () => {
    const outcome = await createAccountByHand(
      db,
      { ...vera, organization: 'Cell Biology', role: 'administrator' },
      now,
    );
    expect(outcome).toMatchObject({
      ok: true,
      value: expect.stringContaining('administrator in Cell Biology'),
    });
    const rows = await db.query(sql`
      select email, account.name, timezone, organization.name as organization, role
      from account join membership on account_id = account.id join organization on organization_id = organization.id`);
    expect(rows).toEqual([
      {
        email: 'vera@lab.example',
        name: 'Vera',
        timezone: 'Europe/Berlin',
        organization: 'Cell Biology',
        role: 'administrator',
      },
    ]);
  });

  test('joins an organization that is there already', async () => {
    await createAccountByHand(db, { ...vera, email: 'oscar@lab.example', organization: 'Cell Biology' }, now);
    expect(await db.query(sql`select name from organization`)).toEqual([{ name: 'Cell Biology' }]);
  });

  test.each([
    ['an email that is taken', vera, 'There is an account for vera@lab.example already'],
    ['no email', { ...vera, email: 'vera' }, '"vera" is not an email address'],
    ['a blank name', { ...vera, email: 'a@b', name: ' ' }, 'The name must not be blank'],
    [
      'an unknown zone',
      { ...vera, email: 'a@b', timezone: 'Mars/Crater' },
      'Unknown time zone "Mars/Crater": write it like Europe/Berlin',
    ],
    [
      'a short password',
      { ...vera, email: 'a@b', password: '1234567' },
      'The password must have at least 8 characters',
    ],
    [
      'a common password',
      { ...vera, email: 'a@b', password: 'football1' },
      'This password is among the first that others would try. Choose another one.',
    ],
    [
      'her own name for a password',
      { ...vera, email: 'a@b', password: 'vera12345' },
      'A name or an address with a few digits is among the first that others would try. Choose another password.',
    ],
    [
      'an unknown role',
      { ...vera, email: 'a@b', organization: 'X', role: 'king' },
      'Unknown role "king": one of viewer, operator, administrator',
    ],
    [
      'a role nowhere',
      { ...vera, email: 'a@b', role: 'viewer' },
      'A role is held in an organization: name it with --organization',
    ],
  ])('refuses %s and saves nothing', async (_, input, refusal) => {
    const count = () =>
      db.query(sql`select (select count(*) from account) as a, (select count(*) from organization) as o`);
    const before = await count();
    expect(await createAccountByHand(db, input, now)).toEqual({ ok: false, refusal });
    expect(await count()).toEqual(before);
  });
});

test('a password set by hand is looked at like any other', async () => {
  for (const password of ['1234567', 'football1', 'Vera2026'])
    expect(await setPasswordByHand(db, vera.email, password, now)).toMatchObject({ ok: false });
});

test('tocsin account create puts the membership on record as well', async () => {
  const record = await db.query(sql`
    select account_name as who, detail ->> 'email' as email, detail ->> 'role' as role from audit
    where action = 'member.add' order by id limit 1`);
  expect(record).toEqual([{ who: 'command line', email: 'vera@lab.example', role: 'administrator' }]);
});

describe('tocsin account accept', () => {
  const accept = () => acceptByHand(db, 'vera@lab.example', 'Virology', now);

  test('needs an invitation', async () => {
    expect(await accept()).toEqual({
      ok: false,
      refusal: 'No invitation to Virology is open for vera@lab.example',
    });
  });

  test('is refused while an administrator may know the password, and says what to do', async () => {
    await db.query(sql`
      with made as (insert into organization (name, created_at) values ('Virology', ${now}) returning id)
      insert into invitation (organization_id, account_id, role, name, invited_by_name, created_at)
      select made.id, account.id, 'operator', 'Vera', 'Olga', ${now} from made, account
      where email = 'vera@lab.example'`);
    await db.query(sql`update account set password_may_be_known = true`);
    expect(await accept()).toMatchObject({
      ok: false,
      refusal: expect.stringContaining('set a new one first, with tocsin account set-password'),
    });
    await setPasswordByHand(db, 'vera@lab.example', 'nobody else knows it', now);
    expect(await accept()).toEqual({ ok: true, value: 'vera@lab.example is operator in Virology now.' });
    const [record] = await db.query(sql`select action, account_name from audit order by id desc limit 1`);
    expect(record).toEqual({ action: 'member.join', account_name: 'command line' });
  });
});

test('an account nobody has is not changed', async () => {
  for (const change of [
    setPasswordByHand(db, 'ghost@lab.example', 'long enough', now),
    deactivateByHand(db, 'ghost@lab.example', now),
    deleteByHand(db, 'ghost@lab.example', now),
  ]) {
    expect(await change).toEqual({ ok: false, refusal: 'There is no account for ghost@lab.example' });
  }
});

test('an account is deleted for good, and what it did stays', async () => {
  await createAccountByHand(
    db,
    { ...vera, email: 'ada@lab.example', name: 'Ada', organization: 'Cell Biology' },
    now,
  );
  const [ada] = await db.query<{ id: number }>(sql`select id from account where email = 'ada@lab.example'`);
  const [service] = await db.query<{ id: number }>(sql`
    insert into service (organization_id, name, created_at)
    select id, 'Freezer 1', ${now} from organization where name = 'Cell Biology' returning id`);
  const id = ada?.id;
  await db.query(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    values (${service?.id}, ${now}, ${new Date(now.getTime() + 1)}, 'defrost', ${id}, 'Ada', ${now})`);
  await db.query(sql`
    insert into mute (service_id, account_id, account_name, created_at) values (${service?.id}, ${id}, 'Ada', ${now})`);
  await db.query(sql`
    insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
    values (${service?.id}, 1, 'CRITICAL', ${id}, 'Ada', ${now})`);
  await db.query(sql`
    insert into limits_version (service_id, version, is_percentage, origin, author_id, author_name, created_at)
    values (${service?.id}, 1, false, 'edit', ${id}, 'Ada', ${now})`);

  expect(await deleteByHand(db, 'ADA@lab.example', now)).toMatchObject({ ok: true });
  expect(await db.query(sql`select 1 from account where id = ${id}`)).toEqual([]);
  expect(await db.query(sql`select 1 from membership where account_id = ${id}`)).toEqual([]);
  const kept = await db.query(sql`
    select created_by_id as id, created_by_name as name from downtime
    union all select account_id, account_name from mute
    union all select account_id, account_name from acknowledgement
    union all select author_id, author_name from limits_version`);
  expect(kept).toEqual(Array(4).fill({ id, name: 'Ada' }));
  const [record] = await db.query(
    sql`select action, account_name, detail from audit order by id desc limit 1`,
  );
  expect(record).toEqual({
    action: 'account.delete',
    account_name: 'command line',
    detail: { account: id, email: 'ada@lab.example' },
  });
});

describe('tocsin account keeper', () => {
  const keepers = async () =>
    (await db.query<{ email: string }>(sql`select email from account where is_keeper order by email`)).map(
      ({ email }) => email,
    );

  test('gives the mark and takes it, never the last one; on record', async () => {
    for (const email of ['kim@lab.example', 'kai@lab.example'])
      await createAccountByHand(db, { ...vera, email, name: email }, now);
    const set = (email: string, isKeeper: boolean) => setKeeperByHand(db, { email, isKeeper }, now);
    expect(await set(' KIM@lab.example', true)).toMatchObject({ ok: true });
    expect(await set('kim@lab.example', true)).toMatchObject({
      value: expect.stringContaining('keeper already'),
    });
    expect(await keepers()).toEqual(['kim@lab.example']);
    expect(await set('kim@lab.example', false)).toEqual({
      ok: false,
      refusal: 'kim@lab.example is the last keeper: make somebody else keeper first',
    });
    expect(await set('nobody@lab.example', true)).toMatchObject({ ok: false });
    await set('kai@lab.example', true);
    expect(await set('kim@lab.example', false)).toMatchObject({ ok: true });
    expect(await keepers()).toEqual(['kai@lab.example']);
    const records = await db.query(sql`select action from audit where action like 'keeper.%' order by id`);
    expect(records).toEqual([
      { action: 'keeper.add' },
      { action: 'keeper.add' },
      { action: 'keeper.remove' },
    ]);
  });

  test('whoever deactivates or deletes the last one is told that nobody is left', async () => {
    const told = expect.stringContaining('Nobody is keeper any more');
    expect(await deactivateByHand(db, 'kai@lab.example', now)).toMatchObject({ value: told });
    await activateByHand(db, 'kai@lab.example', now);
    await setKeeperByHand(db, { email: 'kim@lab.example', isKeeper: true }, now);
    expect(await deactivateByHand(db, 'kai@lab.example', now)).toMatchObject({
      value: expect.not.stringContaining('Nobody'),
    });
    await activateByHand(db, 'kai@lab.example', now);
    await setKeeperByHand(db, { email: 'kim@lab.example', isKeeper: false }, now);
  });

  test('of two that are taken at the same time one stays', async () => {
    await setKeeperByHand(db, { email: 'kim@lab.example', isKeeper: true }, now);
    const taken = await Promise.all(
      ['kim@lab.example', 'kai@lab.example'].map((email) =>
        setKeeperByHand(db, { email, isKeeper: false }, now),
      ),
    );
    expect(taken.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await keepers()).toHaveLength(1);
  });
});
