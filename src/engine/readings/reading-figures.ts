// How storing readings fares, and what of it could not be read.
import sql from 'sql-template-tag';
import { type Database, first, type ReadDatabase } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { nameSetAside } from '../journal/inbox.ts';
import { EPOCH_DAY } from './packs.ts';

export interface ReadingFigures {
  /** Not packed yet. */
  waiting: number;
  oldestAt: Date | null;
  damagedRows: number;
  damagedPacks: number;
}

export async function selectReadingFigures(db: ReadDatabase): Promise<ReadingFigures> {
  const figures = await db.query<ReadingFigures>(sql`
    select coalesce(sum(count) filter (where damaged_at is null), 0)::float8 as "waiting",
      min(received_at) filter (where damaged_at is null) as "oldestAt",
      count(*) filter (where damaged_at is not null)::int as "damagedRows",
      (select count(*)::int from reading_damage) as "damagedPacks"
    from reading_inbox`);
  return first(figures) as ReadingFigures;
}

/** Each is named once, by one program. */
export async function logDamages(db: Database, log: Log, now: Date): Promise<void> {
  const found = await db.query<{ serviceId: number; channelId: number; day: number; reason: string }>(sql`
    update reading_damage set logged_at = ${now} where logged_at is null
    returning service_id as "serviceId", channel_id as "channelId", day - ${EPOCH_DAY} as "day", reason`);
  for (const damage of found) log.error(damage, 'stored readings cannot be read');
  const setAside = await db.query(nameSetAside(now));
  for (const damage of setAside) log.error(damage, 'readings that came cannot be read, and are set aside');
}
