// Passwords from before administrators stopped choosing them.
import sql, { raw } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { createEmptyDatabase } from '../support/test-database.ts';

test('a password that an administrator set, or whose link one read, counts as known from then on', async () => {
  const { db } = await createEmptyDatabase();
  const known = await readMigrations();
  await migrate(db, now, { migrations: known.filter(({ name }) => name < '0030') });
  await db.query(
    raw(`
    insert into account (email, name, password_hash, created_at)
    select who || '@lab.example', who, case when who <> 'waiting' then '$argon2id$x' end, now()
    from unnest(array['own', 'set', 'read', 'waiting']) who`),
  );
  const record = (action: string, email: string) =>
    db.query(sql`
      insert into audit (happened_at, organization_id, account_id, account_name, action, detail)
      select ${now}, 1, 99, 'Ada', ${action}, jsonb_build_object('account', id) from account where email = ${email}`);
  await record('member.set_password', 'set@lab.example');
  await record('mail.read', 'read@lab.example');
  await record('mail.read', 'waiting@lab.example');
  await record('member.role', 'own@lab.example');
  await migrate(db, now, { migrations: known });
  const accounts = await db.query(sql`
    select name, password_may_be_known as "isKnown", is_barred as "isBarred" from account order by id`);
  expect(accounts).toEqual([
    { name: 'own', isKnown: false, isBarred: false },
    { name: 'set', isKnown: true, isBarred: false },
    { name: 'read', isKnown: true, isBarred: false },
    { name: 'waiting', isKnown: false, isBarred: false },
  ]);
});
