// Packs of an organization that keeps its readings for less time than others with whom it shares a month. What is past all
// of them goes with its month (engine/readings/reading-months.ts).
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { isExpired, monthOf } from '../../domain/readings/reading-month.ts';
import { findOldestKept, type MostDays } from '../../domain/readings/retention.ts';
import { dayOf, writeDay } from '../../domain/readings/span.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';

/** A few at a time: a mistyped retention must not cost the whole history before anybody notices. */
const MOST_MONTHS = 2;
/** In one transaction: nobody packs meanwhile. */
const SERVICES_AT_ONCE = 20;
/** The rest is left for the next time. */
const BUDGET_MS = 20_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Answers how many packs are gone. A month is found by what was counted in it (engine/readings/usage.ts), and stays
 * found until all of it is deleted: whatever ends this, the next time goes on.
 */
export async function deleteExpiredPacks(db: Database, now: Date, mostDays: MostDays): Promise<number> {
  const startedAt = performance.now();
  let deleted = 0;
  let isSomebodyPacking = false;
  const deleteMonth = async ({ organizationId, month }: CountedMonth) => {
    const serviceIds = await selectServices(db, organizationId);
    for (let from = 0; from < serviceIds.length; from += SERVICES_AT_ONCE) {
      if (isSomebodyPacking || performance.now() - startedAt > BUDGET_MS) return;
      const some = await deletePacks(db, serviceIds.slice(from, from + SERVICES_AT_ONCE), month);
      isSomebodyPacking = some === 'somebody_packs';
      if (some === 'somebody_packs') return;
      deleted += some;
    }
    await db.query(sql`
      delete from reading_usage where organization_id = ${organizationId} and month = ${month}::date`);
  };
  await eachAlone(
    await findExpired(db, now, mostDays),
    ({ organizationId, month }) => `the month ${month} of organization ${organizationId}`,
    deleteMonth,
  );
  return deleted;
}

interface CountedMonth {
  organizationId: OrganizationId;
  /** Its first day. */
  month: string;
}

/** The oldest first, a few of each organization. */
async function findExpired(db: ReadDatabase, now: Date, mostDays: MostDays): Promise<CountedMonth[]> {
  const counted = await db.query<CountedMonth & { years: number }>(sql`
    select organization_id as "organizationId", month::text, retention_years as "years"
    from reading_usage join organization on organization.id = organization_id order by month`);
  const expired = counted.filter(({ month, years }) =>
    isExpired(monthOf(dayOf(Date.parse(month))), findOldestKept(now.getTime(), years, mostDays)),
  );
  return [...groupBy(expired, ({ organizationId }) => organizationId).values()].flatMap((months) =>
    months.slice(0, MOST_MONTHS),
  );
}

const selectServices = async (db: ReadDatabase, organizationId: OrganizationId): Promise<ServiceId[]> =>
  (
    await db.query<{ id: ServiceId }>(
      sql`select id from service where organization_id = ${organizationId} order by id`,
    )
  ).map(({ id }) => id);

/** Beside one who joins parts it would bring back what is gone: so they take turns, and it is not waited for long. */
async function deletePacks(
  db: Database,
  serviceIds: readonly ServiceId[],
  month: string,
): Promise<number | 'somebody_packs'> {
  const { from, to } = monthOf(dayOf(Date.parse(month)));
  try {
    return await db.transaction(async (tx: Tx) => {
      await tx.query(sql`set local lock_timeout = '5s'`);
      await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.packing})`);
      const packs = await tx.query(sql`
        delete from reading_pack where service_id = any(${serviceIds}::int[])
          and day >= ${from}::date and day < ${to}::date returning 1`);
      await tx.query(sql`
        delete from reading_damage where service_id = any(${serviceIds}::int[])
          and day >= ${from}::date and day < ${to}::date`);
      return packs.length;
    });
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return 'somebody_packs';
    throw error;
  }
}

/** Whether anything is stored of days before that. */
export async function hasOlderPacks(
  db: ReadDatabase,
  organizationId: OrganizationId,
  before: Instant,
): Promise<boolean> {
  const serviceIds = await selectServices(db, organizationId);
  const found = await db.query(sql`
    select from reading_pack
    where service_id = any(${packInts(serviceIds)}::int[]) and day < ${writeDay(dayOf(before))}::date limit 1`);
  return found.length > 0;
}
