// Failed attempts to sign in, by email and address and by address alone; `first-run setup` counts as an email.
import sql from 'sql-template-tag';
import type { FailedFromAddress, FailedSignIns } from '../../domain/accounts/sign-in-throttle.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

const FORGET_FAILURES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export const selectFailures = async (db: ReadDatabase, email: string, address: string) =>
  first(
    await db.query<FailedSignIns>(sql`
      select failures, blocked_until as "blockedUntil"
      from sign_in_throttle where email = ${email} and address = ${address}`),
  );

export const selectFromAddress = async (db: ReadDatabase, address: string) =>
  first(
    await db.query<FailedFromAddress>(sql`
      select failures, window_began_at as "windowBeganAt" from sign_in_budget where address = ${address}`),
  );

/** A window that has ended begins anew with this failure. */
export const countFromAddress = (tx: Tx, address: string, cutoff: Date, now: Date) =>
  tx.query(sql`
    insert into sign_in_budget as counted (address, failures, window_began_at) values (${address}, 1, ${now})
    on conflict (address) do update set
      failures = case when counted.window_began_at > ${cutoff} then counted.failures + 1 else 1 end,
      window_began_at = case when counted.window_began_at > ${cutoff} then counted.window_began_at else ${now} end`);

export const upsertFailures = (tx: Tx, email: string, address: string, failed: FailedSignIns, now: Date) =>
  tx.query(sql`
    insert into sign_in_throttle (email, address, failures, last_failed_at, blocked_until)
    values (${email}, ${address}, ${failed.failures}, ${now}, ${failed.blockedUntil})
    on conflict (email, address) do update
    set failures = excluded.failures, last_failed_at = excluded.last_failed_at, blocked_until = excluded.blocked_until`);

export const deleteFailures = (tx: Tx, email: string, address: string) =>
  tx.query(sql`delete from sign_in_throttle where email = ${email} and address = ${address}`);

/** Anybody can make up emails to fail with; a week after the last failure they are forgotten. */
export async function forgetOldFailures(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FORGET_FAILURES_AFTER_MS);
  await db.query(sql`delete from sign_in_throttle where last_failed_at < ${before}`);
  await db.query(sql`delete from sign_in_budget where window_began_at < ${before}`);
}
