import sql from 'sql-template-tag';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export const selectServerVersion = async (db: ReadDatabase) =>
  first(await db.query<{ version: string }>(sql`select current_setting('server_version') as "version"`));

/** What should have left by now and has not, and what was given up in the given time. */
export const selectOutbox = async (db: ReadDatabase, now: Date, failedSince: Date) =>
  first(
    await db.query<{ waiting: number; oldestDueAt: Date | null; failed: number }>(sql`
      with due as (
        select due_at from notification where state = 'waiting' and due_at <= ${now}
        union all
        select next_attempt_at from delivery where state = 'queued' and next_attempt_at <= ${now})
      select count(*)::int as "waiting", min(due_at) as "oldestDueAt",
        (select count(*)::int from delivery where state = 'failed' and created_at >= ${failedSince}) as "failed"
      from due`),
  );

export const selectPendingRecommendations = async (db: ReadDatabase) =>
  first(
    await db.query<{ pending: number; oldestRequestedAt: Date | null }>(sql`
      select count(*)::int as "pending", min(requested_at) as "oldestRequestedAt"
      from recommendation where state = 'pending'`),
  );
