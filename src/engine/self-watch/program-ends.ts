// Programs that ended without having been told to: their parents tell those that come after them.

import { hostname } from 'node:os';
import sql, { type Sql } from 'sql-template-tag';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import type { ProgramEnd } from '../../platform/process/program-end.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Whatever ended so many programs is taken for the cause. */
const MOST_ENDS = 2;
const FORGET_AFTER_MS = 30 * DAY_MS;

/** A lost answer may let it be told twice: the moment is known then. */
export async function recordEnds(db: Database, ends: readonly ProgramEnd[], now: Date): Promise<void> {
  if (ends.length === 0) return;
  const items = [...new Set(ends.flatMap(({ inHand }) => inHand))];
  await db.query(sql`
    with forgotten as (delete from program_end where ended_at < ${new Date(now.getTime() - FORGET_AFTER_MS)})
    insert into program_end (host, ended_at, cause, how, places, in_hand)
    select ${hostname()}, at, cause, how, places, "inHand"
    from json_to_recordset(${JSON.stringify(ends)}) as one (
      at timestamptz, cause text, how text, places text[], "inHand" text[])
    on conflict do nothing`);
  await setItemsAside(db, items, now);
}

/** What ended programs twice does not come again by itself, until somebody says so. */
const setItemsAside = (db: Database, items: readonly string[], now: Date) =>
  db.query(sql`
    insert into set_aside (item, set_aside_at)
    select item, ${now} from program_end, unnest(in_hand) as item
    where item = any(${items}::text[]) group by item having count(*) >= ${MOST_ENDS}
    on conflict do nothing`);

export const selectSetAside = async (db: ReadDatabase): Promise<string[]> =>
  (await db.query<{ item: string }>(sql`select item from set_aside order by set_aside_at, item`)).map(
    ({ item }) => item,
  );

/** Answers whether it was. */
export const releaseItem = async (db: Database, item: string): Promise<boolean> =>
  (await db.query(sql`delete from set_aside where item = ${item} returning 1`)).length > 0;

/** An expression: an object as EndFigures, with its time as text; null: there were none. */
export const selectEnds = (now: Date): Sql => sql`
  (select case when count(*) > 0 then json_build_object(
    'standstills', count(*) filter (where cause = 'standstill'), 'deaths', count(*) filter (where cause = 'died'),
    'lastAt', max(ended_at), 'lastHost', (array_agg(host order by ended_at desc))[1],
    'place', (array_agg(places[1] order by ended_at desc) filter (where cause = 'standstill'))[1]) end
  from program_end where ended_at between ${new Date(now.getTime() - DAY_MS)} and ${now})`;
