// The numbers of episodes: an alarm from raised to recovered, or a drill.
import sql from 'sql-template-tag';
import type { ReadDatabase } from '../../platform/db/database.ts';

export type TakeEpisodes = (tx: ReadDatabase, count: number) => Promise<string[]>;

export const takeEpisodeIds: TakeEpisodes = async (db, count) => {
  const rows = await db.query<{ id: string }>(sql`
    select nextval('episode_id') as "id" from generate_series(1, ${count}::int)`);
  return rows.map(({ id }) => id);
};

const STOCK = 1_000;

/** Takes many at a time, so that raising an alarm costs no round trip of its own, not even the first one. */
export function stockEpisodeIds(db: ReadDatabase): TakeEpisodes {
  const stock: string[] = [];
  takeEpisodeIds(db, STOCK).then(
    (ids) => stock.push(...ids),
    () => {},
  );
  return async (tx, count) => {
    if (stock.length < count) stock.push(...(await takeEpisodeIds(tx, count + STOCK)));
    return stock.splice(0, count);
  };
}
