import sql from 'sql-template-tag';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

export const hasAccount = async (db: ReadDatabase): Promise<boolean> =>
  first(await db.query(sql`select 1 from account limit 1`)) !== null;

export const insertCode = (tx: Tx, codeHash: Buffer, now: Date) =>
  tx.query(sql`insert into setup_code (code_hash, created_at) values (${codeHash}, ${now})`);

export const deleteOldCodes = (tx: Tx, kept: number) =>
  tx.query(sql`
    delete from setup_code where code_hash not in (
      select code_hash from setup_code order by created_at desc limit ${kept})`);

export const deleteCodes = (tx: Tx) => tx.query(sql`delete from setup_code`);

export const selectCodeHashes = (db: ReadDatabase) =>
  db.query<{ codeHash: Buffer }>(sql`select code_hash as "codeHash" from setup_code`);

/** Attempts are decided one after the other, so that one of two people at once wins. */
export const lockSetup = (tx: Tx) => tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.firstRunSetup})`);
