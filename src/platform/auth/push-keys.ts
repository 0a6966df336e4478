import sql from 'sql-template-tag';
import webPush from 'web-push';
import { type Database, first } from '../db/database.ts';

/** By which push services know who sends. */
interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** Made once and kept in the database: with other keys every browser would have to subscribe anew. */
export async function keepPushKeys(db: Database, now: Date): Promise<PushKeys> {
  const made = Buffer.from(JSON.stringify(webPush.generateVAPIDKeys()));
  await db.query(sql`
    insert into instance_secret (name, value, created_at) values ('web_push', ${made}, ${now})
    on conflict (name) do nothing`);
  const kept = first(
    await db.query<{ value: Buffer }>(sql`select value from instance_secret where name = 'web_push'`),
  );
  if (!kept) throw new Error('The keys of Web Push vanished from the database');
  return JSON.parse(kept.value.toString('utf8')) as PushKeys;
}
