// What the readings of each organization occupy, counted month by month: looking it up costs nothing.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { RECENT_DAYS } from '../../domain/readings/foresee-year.ts';
import type { ReadingMonth } from '../../domain/readings/reading-month.ts';
import { dayOf, writeDay } from '../../domain/readings/span.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';
import { selectMonths } from './reading-months.ts';

/** Each time: these, which change, those that never were counted, and some of the others. */
const NEWEST_MONTHS = 2;
const OLDER_MONTHS = 6;
/** The rest is left for the next time. */
const BUDGET_MS = 20_000;

/** One program at a time. A month that cannot be counted holds up no other. Answers how many were counted. */
export async function countUsage(db: Database, now: Date): Promise<number> {
  const startedAt = performance.now();
  const faults: unknown[] = [];
  let counted = 0;
  for (const month of await chooseMonths(db)) {
    if (performance.now() - startedAt > BUDGET_MS) break;
    try {
      if (!(await countMonth(db, month, now))) return counted;
      counted += 1;
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return counted;
}

/** Those that are there; what is gone is forgotten. */
async function chooseMonths(db: Database): Promise<ReadingMonth[]> {
  const months = (await selectMonths(db)).reverse();
  await db.query(
    sql`delete from reading_month where month <> all(${months.map(({ from }) => from)}::date[])`,
  );
  const rows = await db.query<{ month: string; countedAt: Date }>(sql`
    select month::text, counted_at as "countedAt" from reading_month`);
  const countedAt = new Map(rows.map((row) => [row.month, row.countedAt.getTime()]));
  const older = months
    .slice(NEWEST_MONTHS)
    .map((month) => ({ month, at: countedAt.get(month.from) ?? Number.NEGATIVE_INFINITY }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? -1 : 1));
  const never = older.filter(({ at }) => at === Number.NEGATIVE_INFINITY).length;
  return [
    ...months.slice(0, NEWEST_MONTHS),
    ...older.slice(0, Math.max(never, OLDER_MONTHS)).map(({ month }) => month),
  ];
}

const countMonth = (db: Database, { from, to }: ReadingMonth, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await takeCounting(tx))) {
      tx.forgo();
      return false;
    }
    const today = writeDay(dayOf(now.getTime()));
    const since = writeDay(dayOf(now.getTime()) - RECENT_DAYS);
    await tx.query(sql`delete from reading_month where month = ${from}::date`);
    await tx.query(sql`insert into reading_month (month, counted_at) values (${from}::date, ${now})`);
    await tx.query(sql`
      insert into reading_usage
        (organization_id, month, readings, bytes, first_at, recent_readings, recent_bytes)
      with counted as materialized (
        select service_id, sum(count) as readings, sum(${BYTES}) as bytes, min(first_at) as first_at,
          sum(count) filter (where day >= ${since}::date and day < ${today}::date) as recent_readings,
          sum(${BYTES}) filter (where day >= ${since}::date and day < ${today}::date) as recent_bytes
        from reading_pack where day >= ${from}::date and day < ${to}::date group by service_id)
      select organization_id, ${from}::date, sum(readings), sum(bytes), min(first_at),
        coalesce(sum(recent_readings), 0), coalesce(sum(recent_bytes), 0)
      from counted join service on service.id = service_id group by organization_id`);
    return true;
  });

/** A pack with its row and its entries in indexes; a large one is kept beside the row. Asked without reading the packs. */
const BYTES = sql`octet_length(data) + case when octet_length(data) > 1900 then 450 else 170 end`;

/** Held until the end of the transaction. */
async function takeCounting(tx: Tx): Promise<boolean> {
  const [lock] = await tx.query<{ isMine: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_KEYS.counting}) as "isMine"`,
  );
  return lock?.isMine ?? false;
}

export interface Usage {
  readings: number;
  bytes: number;
  firstAt: Date | null;
  recentReadings: number;
  recentBytes: number;
  /** The month that was counted longest ago; null: none ever was. */
  countedAt: Date | null;
}

export async function selectUsage(db: ReadDatabase, organizationId: OrganizationId): Promise<Usage> {
  return first(
    await db.query<Usage>(sql`
      select coalesce(sum(readings), 0)::float8 as "readings", coalesce(sum(bytes), 0)::float8 as "bytes",
        min(first_at) as "firstAt", coalesce(sum(recent_readings), 0)::float8 as "recentReadings",
        coalesce(sum(recent_bytes), 0)::float8 as "recentBytes",
        (select min(counted_at) from reading_month) as "countedAt"
      from reading_usage where organization_id = ${organizationId}`),
  ) as Usage;
}

/** Of all organizations. */
export async function selectStored(db: ReadDatabase): Promise<{ readings: number; bytes: number }> {
  return first(
    await db.query<{ readings: number; bytes: number }>(sql`
      select coalesce(sum(readings), 0)::float8 as "readings", coalesce(sum(bytes), 0)::float8 as "bytes"
      from reading_usage`),
  ) as { readings: number; bytes: number };
}
