import sql from 'sql-template-tag';
import { IS_MAIL_NEEDED } from '../../engine/outbox/recipients.ts';
import { IS_IN_USE } from '../../engine/sql-parts/contact-methods.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export const selectServerVersion = async (db: ReadDatabase) =>
  first(await db.query<{ version: string }>(sql`select current_setting('server_version') as "version"`));

export const selectPendingRecommendations = async (db: ReadDatabase) =>
  first(
    await db.query<{ pending: number; oldestRequestedAt: Date | null }>(sql`
      select count(*)::int as "pending", min(requested_at) as "oldestRequestedAt"
      from recommendation where state = 'pending'`),
  );

export const selectIsMailNeeded = async (db: ReadDatabase): Promise<boolean> =>
  first(await db.query<{ isNeeded: boolean }>(sql`select ${IS_MAIL_NEEDED} as "isNeeded"`))?.isNeeded ??
  false;

/** Servers that people and groups chose themselves, by their addresses. */
export const selectOwnServers = (db: ReadDatabase, most: number) =>
  db.query<{ kind: 'ntfy' | 'gotify'; address: string }>(sql`
    select kind, address from contact_method where kind in ('ntfy', 'gotify') and ${IS_IN_USE}
    union
    select kind, url from notification_group_webhook where kind in ('ntfy', 'gotify') and disabled_at is null
    order by 1, 2 limit ${most}`);
