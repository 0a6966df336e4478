// When people are in the lab. Each change is noted for all groups of the organization: it may reach somebody else.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { HoursWindow } from '../../domain/on-call/lab-hours.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { changeGroup } from '../groups/change-group.ts';
import { keeping } from '../mosts/keep-most.ts';

export interface StoredHours {
  timeZone: string;
  weekly: HoursWindow[];
}

export const selectLabHours = async (db: ReadDatabase, organizationId: OrganizationId) =>
  first(
    await db.query<StoredHours>(sql`
      select timezone as "timeZone", weekly from lab_hours where organization_id = ${organizationId}`),
  );

export interface Holiday {
  day: string;
  name: string;
}

export const selectHolidays = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Holiday>(sql`
    select day::text, name from holiday where organization_id = ${organizationId} order by day`);

/** Whether anything changed. */
async function changeHours(
  tx: Tx,
  organizationId: OrganizationId,
  now: Date,
  change: () => Promise<unknown[]>,
): Promise<boolean> {
  let isChanged = false;
  await changeGroup(tx, now, async (changing) => {
    isChanged = (await change()).length > 0;
    if (!isChanged) return [];
    return changing.query<{ groupId: number }>(sql`
      select id as "groupId" from notification_group where organization_id = ${organizationId}`);
  });
  return isChanged;
}

export const setLabHours = (
  tx: Tx,
  organizationId: OrganizationId,
  { timeZone, weekly }: StoredHours,
  now: Date,
) =>
  changeHours(tx, organizationId, now, () =>
    tx.query(sql`
      insert into lab_hours as stored (organization_id, timezone, weekly)
      values (${organizationId}, ${timeZone}, ${JSON.stringify(weekly)}::jsonb)
      on conflict (organization_id) do update set timezone = excluded.timezone, weekly = excluded.weekly
      where (stored.timezone, stored.weekly) is distinct from (excluded.timezone, excluded.weekly)
      returning organization_id`),
  );

export const removeLabHours = (tx: Tx, organizationId: OrganizationId, now: Date) =>
  changeHours(tx, organizationId, now, () =>
    tx.query(sql`delete from lab_hours where organization_id = ${organizationId} returning organization_id`),
  );

export const setHolidays = (
  tx: Tx,
  organizationId: OrganizationId,
  holidays: readonly Holiday[],
  now: Date,
) =>
  changeHours(tx, organizationId, now, () =>
    keeping(
      tx,
      'holidays',
      [organizationId],
      tx.query(sql`
      insert into holiday as stored (organization_id, day, name)
      select ${organizationId}, day, name
      from json_to_recordset(${JSON.stringify(holidays)}) as given (day date, name text)
      on conflict (organization_id, day) do update set name = excluded.name where stored.name <> excluded.name
      returning day`),
    ),
  );

export const removeHoliday = (tx: Tx, organizationId: OrganizationId, day: string, now: Date) =>
  changeHours(tx, organizationId, now, () =>
    tx.query(sql`
      delete from holiday where organization_id = ${organizationId} and day = ${day}::date returning day`),
  );
