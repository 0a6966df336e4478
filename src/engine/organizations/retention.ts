// How long an organization keeps its readings. Programs remember it with each service, so it is changed like what services
// are judged by.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { type ReconfiguringTx, reconfigureServices, unchanged } from '../services/reconfigure-services.ts';
import { lockNames } from './organizations.ts';

export interface RetentionChange {
  before: number;
  after: number;
}

/** null: it is so already. */
export async function changeRetention(
  tx: Tx,
  organizationId: OrganizationId,
  years: number,
  now: Date,
): Promise<RetentionChange | null> {
  return reconfigureServices(tx, await selectServices(tx, organizationId), now, async (changing) => {
    // No service joins meanwhile that would be remembered with what holds now.
    await lockNames(changing, organizationId);
    const before = await selectRetention(changing, organizationId);
    if (before === years) return unchanged(null);
    await updateRetention(changing, organizationId, years);
    return { changed: await selectServices(changing, organizationId), value: { before, after: years } };
  });
}

export async function selectRetention(db: ReadDatabase, organizationId: OrganizationId): Promise<number> {
  const row = first(
    await db.query<{ years: number }>(
      sql`select retention_years as "years" from organization where id = ${organizationId}`,
    ),
  );
  if (!row) throw new Error(`There is no organization ${organizationId}`);
  return row.years;
}

const updateRetention = (tx: ReconfiguringTx, organizationId: OrganizationId, years: number) =>
  tx.query(sql`update organization set retention_years = ${years} where id = ${organizationId}`);

const selectServices = async (tx: Tx, organizationId: OrganizationId): Promise<ServiceId[]> =>
  (
    await tx.query<{ id: ServiceId }>(
      sql`select id from service where organization_id = ${organizationId} order by id`,
    )
  ).map(({ id }) => id);
