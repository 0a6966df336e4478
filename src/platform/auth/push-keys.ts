import sql from 'sql-template-tag';
import { type Database, first } from '../db/database.ts';
import { makePushKeys, type PushKeys } from '../web-push/vapid.ts';

/** Made once and kept in the database: with other keys every browser would have to subscribe anew. */
export async function keepPushKeys(db: Database, now: Date): Promise<PushKeys> {
  const made = Buffer.from(JSON.stringify(makePushKeys()));
  await db.query(sql`
    insert into instance_secret (name, value, created_at) values ('web_push', ${made}, ${now})
    on conflict (name) do nothing`);
  const kept = first(
    await db.query<{ value: Buffer }>(sql`select value from instance_secret where name = 'web_push'`),
  );
  if (!kept) throw new Error('The keys of Web Push vanished from the database');
  return JSON.parse(kept.value.toString('utf8')) as PushKeys;
}
