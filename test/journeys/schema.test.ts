// The constraints that the database itself keeps: each line tries to break one.
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { compareSchema } from '../../src/platform/db/migrations.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { cloneDatabase, createEmptyDatabase } from '../support/test-database.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  await db.transaction((tx) =>
    tx.run(`
    insert into organization (name, created_at) values ('Cell Biology', '2026-11-15'), ('Virology', '2026-11-15');
    insert into account (email, name, created_at) values ('vera@lab.example', 'Vera', '2026-11-15');
    insert into location (organization_id, name) values (1, 'Room 101'), (2, 'Room 201');
    insert into asset (organization_id, name, location_id) values (1, 'ULT-0042', 1);
    insert into service (organization_id, name, asset_id, created_at) values (1, 'Freezer 1', 1, '2026-11-15'), (1, 'Freezer 2', null, '2026-11-15');
    insert into notification_group (organization_id, name, created_at) values (1, 'Cold team', '2026-11-15'), (2, 'Virus team', '2026-11-15');
    insert into device (organization_id, key, service_id, created_at) values (1, '0004A30B001C0530', 1, '2026-11-15');
    insert into channel (service_id, name, kind, created_at) values (1, 'temperature', 'metric', '2026-11-15');
    insert into limits_version (service_id, channel, version, is_percentage, origin, author_name, created_at)
      values (1, 'temperature', 1, false, 'edit', 'Ada', '2026-11-15'), (1, null, 1, false, 'edit', 'Ada', '2026-11-15');
    insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
      values (1, 1, 'WARNING', 1, 'Oscar', '2026-11-15');
    insert into recommendation (service_id, state, requested_by_id, requested_by_name, requested_at)
      values (1, 'pending', 1, 'Ada', '2026-11-15');
    insert into source (organization_id, name, secret_hash, created_at)
      values (1, 'gateway', decode(repeat('ab', 32), 'hex'), '2026-11-15')`),
  );
});

describe('the database refuses', () => {
  test.each([
    [
      'an email that is not normalised',
      `insert into account (email, name, created_at) values ('Vera@lab', 'V', '2026-11-15')`,
    ],
    [
      'an email twice',
      `insert into account (email, name, created_at) values ('vera@lab.example', 'V', '2026-11-15')`,
    ],
    ['a plain password', `update account set password_hash = 'geheim'`],
    ['an unknown role', `insert into membership values (1, 1, 'king', '2026-11-15')`],
    ['an asset in a location of another organization', `update asset set location_id = 2`],
    ['a service on an asset of another organization', `update service set organization_id = 2 where id = 1`],
    [
      'a device of another organization',
      `insert into device (organization_id, key, service_id, created_at) values (2, 'x', 2, '2026-11-15')`,
    ],
    [
      'a device key twice, whatever its case',
      `insert into device (organization_id, key, created_at) values (1, '0004a30b001c0530', '2026-11-15')`,
    ],
    ['an uplink interval of nothing', `update device set uplink_interval_minutes = 0`],
    ['an endless uplink interval', `update device set uplink_interval_minutes = 'Infinity'`],
    [
      'a group of another organization',
      `insert into service_settings (service_id, organization_id, notification_group_id) values (1, 1, 2)`,
    ],
    [
      'negative minutes',
      `insert into service_settings (service_id, organization_id, stale_after_minutes) values (1, 1, -1)`,
    ],
    [
      'a secret twice',
      `insert into source (organization_id, name, secret_hash, created_at) select 2, 'other', secret_hash, created_at from source`,
    ],
    ['a secret that is no hash', `update source set secret_hash = 'geheim'`],
    [
      'an unknown channel kind',
      `insert into channel (service_id, name, kind, created_at) values (1, 'x', 'magic', '2026-11-15')`,
    ],
    [
      'two versions in force for a channel',
      `insert into limits_version (service_id, channel, version, is_percentage, origin, author_name, created_at) values (1, 'temperature', 2, false, 'edit', 'Ada', '2026-11-15')`,
    ],
    [
      'two versions in force service-wide',
      `insert into limits_version (service_id, channel, version, is_percentage, origin, author_name, created_at) values (1, null, 2, false, 'edit', 'Ada', '2026-11-15')`,
    ],
    [
      'a version number twice',
      `insert into limits_version (service_id, channel, version, is_percentage, origin, author_name, created_at, retired_at) values (1, null, 1, false, 'edit', 'Ada', '2026-11-15', '2026-11-15')`,
    ],
    ['a setpoint without percentage mode', `update limits_version set setpoint_channel = 'setpoint'`],
    ['a band that is not one of the four', `insert into limits_band values (1, 'CRIT_HIGH', 1, 0, 0)`],
    ['a limit that is no number', `insert into limits_band values (1, 'CRITICAL_HIGH', 'NaN', 0, 0)`],
    ['a negative delay', `insert into limits_band values (1, 'CRITICAL_HIGH', 1, -1, 0)`],
    [
      'an alarm without a beginning',
      `insert into alarm_state (service_id, organization_id, severity) values (1, 1, 'critical')`,
    ],
    [
      'a second acknowledgement at a severity',
      `insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at) values (1, 1, 'WARNING', 1, 'Vera', '2026-11-15')`,
    ],
    [
      'a downtime that ends before it starts',
      `insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at) values (1, '2026-11-15', '2026-11-14', 'x', 1, 'Vera', '2026-11-15')`,
    ],
    [
      'a downtime for no reason',
      `insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at) values (1, '2026-11-15', '2026-11-16', '  ', 1, 'Vera', '2026-11-15')`,
    ],
    [
      'a second pending recommendation',
      `insert into recommendation (service_id, state, requested_by_id, requested_by_name, requested_at) values (1, 'pending', 1, 'Ada', '2026-11-15')`,
    ],
    [
      'a completed recommendation without a result',
      `update recommendation set state = 'completed', finished_at = '2026-11-15'`,
    ],
    [
      'a result that is no object',
      `update recommendation set state = 'completed', finished_at = '2026-11-15', result = '[]'`,
    ],
  ])('%s', async (_, statement) => {
    await expect(db.query(raw(statement))).rejects.toThrow(/constraint|duplicate key/);
  });
});

test('the same names may stand in two organizations', async () => {
  await db.transaction((tx) =>
    tx.run(`
    insert into location (organization_id, name) values (2, 'Room 101');
    insert into device (organization_id, key, created_at) values (2, '0004A30B001C0530', '2026-11-15')`),
  );
});

describe('migrations', () => {
  test('are applied once', async () => {
    expect(await migrate(db, now)).toEqual({ applied: [] });
    expect((await compareSchema(db)).pending).toEqual([]);
  });

  test('a database that is ahead of the program is left alone', async () => {
    const { db: newer } = await cloneDatabase();
    await newer.query(sql`insert into schema_migration values ('9999_future.sql', 'x', ${now})`);
    await expect(migrate(newer, now)).rejects.toThrow(
      'which this version of Tocsin does not know: run a newer version',
    );
  });

  test('a file that changed after it was applied is noticed', async () => {
    const { db: other } = await cloneDatabase();
    await other.query(sql`update schema_migration set checksum = 'x' where name like '0001%'`);
    await expect(migrate(other, now)).rejects.toThrow(
      'Migration 0001_people.sql was changed after it was applied to this database: another build made it, and this one ' +
        'cannot bring it up to date. Go on with the build that made it, or begin with an empty database or data folder.',
    );
  });

  test('programs that start together apply them once', async () => {
    const { db: fresh } = await createEmptyDatabase();
    const outcomes = await Promise.all([migrate(fresh, now), migrate(fresh, now), migrate(fresh, now)]);
    expect(outcomes.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
  });
});
