// For how many days the people of an organization may stay signed in on a device.
import sql from 'sql-template-tag';
import { MOST_DEVICE_DAYS } from '../../domain/accounts/device-session.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

/** null: it is so already. */
export async function changeDeviceDays(
  tx: Tx,
  organizationId: OrganizationId,
  days: number,
): Promise<{ before: number; after: number } | null> {
  const changed = first(
    await tx.query<{ before: number }>(sql`
      update organization set device_days = ${days}
      from (select id, device_days from organization where id = ${organizationId} for no key update) as old
      where organization.id = old.id and old.device_days <> ${days} returning old.device_days as "before"`),
  );
  return changed && { before: changed.before, after: days };
}

export const selectDeviceDays = async (db: ReadDatabase, organizationId: OrganizationId): Promise<number> =>
  first(
    await db.query<{ days: number }>(
      sql`select device_days as "days" from organization where id = ${organizationId}`,
    ),
  )?.days ?? MOST_DEVICE_DAYS;
