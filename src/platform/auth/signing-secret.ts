import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database } from '../db/database.ts';

/** Made once and kept in the database, so that tokens survive a restart and every program signs alike. */
export async function keepSigningSecret(db: Database, now: Date): Promise<Buffer> {
  await db.query(sql`
    insert into instance_secret (name, value, created_at) values ('token_signing', ${randomBytes(32)}, ${now})
    on conflict (name) do nothing`);
  const [secret] = await db.query<{ value: Buffer }>(sql`
    select value from instance_secret where name = 'token_signing'`);
  if (!secret) throw new Error('The signing secret vanished from the database');
  return secret.value;
}
