import sql from 'sql-template-tag';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export const selectServerVersion = async (db: ReadDatabase) =>
  first(await db.query<{ version: string }>(sql`select current_setting('server_version') as "version"`));

export const selectPendingRecommendations = async (db: ReadDatabase) =>
  first(
    await db.query<{ pending: number; oldestRequestedAt: Date | null }>(sql`
      select count(*)::int as "pending", min(requested_at) as "oldestRequestedAt"
      from recommendation where state = 'pending'`),
  );
