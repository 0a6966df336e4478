import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../../domain/ids.ts';
import { type Database, first, type ReadDatabase } from '../../../platform/db/database.ts';

export interface Demonstration {
  seed: number;
  beganAt: Date;
  untilAt: Date;
  filledAt: Date | null;
}

export const selectDemonstration = async (db: ReadDatabase) =>
  first(
    await db.query<Demonstration>(sql`
      select seed, began_at as "beganAt", until_at as "untilAt", filled_at as "filledAt" from demonstration`),
  );

/** False: another program fills it in. */
export const insertDemonstration = async (db: Database, { seed, beganAt, untilAt }: Demonstration) =>
  first(
    await db.query(sql`
      insert into demonstration (seed, began_at, until_at) values (${seed}, ${beganAt}, ${untilAt})
      on conflict do nothing returning 1`),
  ) !== null;

export const finishDemonstration = (db: Database, now: Date) =>
  db.query(sql`update demonstration set filled_at = ${now}`);

export const isEmptyDatabase = async (db: ReadDatabase): Promise<boolean> =>
  first(await db.query(sql`select 1 from organization union all select 1 from account limit 1`)) === null;

export interface DemoChannel {
  device: string;
  name: string;
  serviceId: ServiceId;
  organizationId: OrganizationId;
  id: number;
}

export const selectChannels = (db: ReadDatabase, devices: string[]) =>
  db.query<DemoChannel>(sql`
    select device.key as "device", channel.name, channel.service_id as "serviceId",
      device.organization_id as "organizationId", channel.id
    from device join channel on channel.service_id = device.service_id
    where device.key = any(${devices}::text[])`);

export async function selectOrganizationIds(db: ReadDatabase, names: readonly string[]) {
  const rows = await db.query<{ id: number; name: string }>(sql`
    select id, name from organization where name = any(${[...names]}::text[])`);
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
}

export const selectOwner = async (db: ReadDatabase, id: AccountId) =>
  first(
    await db.query<{ id: AccountId; name: string; email: string; timezone: string }>(sql`
      select id, name, email, timezone from account where id = ${id}`),
  );
