import sql from 'sql-template-tag';
import { IS_MAIL_NEEDED } from '../../engine/outbox/recipients.ts';
import type { PersonMethodKind } from '../../engine/providers/providers.ts';
import { IS_IN_USE } from '../../engine/sql-parts/contact-methods.ts';
import type { OwnServer } from '../../engine/transports/method/ask-providers.ts';
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
export const selectOwnServers = (db: ReadDatabase, kinds: readonly PersonMethodKind[], most: number) =>
  db.query<OwnServer>(sql`
    select kind, address from contact_method where kind = any(${kinds}) and ${IS_IN_USE}
    union
    select kind, url from notification_group_webhook where kind = any(${kinds}) and disabled_at is null
    order by 1, 2 limit ${most}`);
