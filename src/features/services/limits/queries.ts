import sql, { type Sql } from 'sql-template-tag';
import { type AccountId, MAX_ID, type ServiceId } from '../../../domain/ids.ts';
import type { Limits } from '../../../domain/judging/limits.ts';
import type { LimitsOrigin } from '../../../engine/services/adopt-limits.ts';
import { BANDS } from '../../../engine/sql-parts/limits.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';

export interface LimitsVersion extends Limits {
  id: number;
  version: number;
  origin: LimitsOrigin;
  /** null: the command line. */
  authorId: AccountId | null;
  authorName: string;
  createdAt: Date;
  /** null: in force. */
  retiredAt: Date | null;
}

const selectVersions = (which: Sql) => sql`
    select id, channel, version, origin, author_id as "authorId", author_name as "authorName",
      created_at as "createdAt", retired_at as "retiredAt", is_percentage as "isPercentage",
      setpoint_channel as "setpointChannel", state_channel as "stateChannel",
      ${BANDS} as "bands"
    from limits_version where ${which}`;

/** Service-wide first, then by channel. */
export const selectLimitsInForce = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<LimitsVersion>(sql`
    ${selectVersions(sql`service_id = ${serviceId} and retired_at is null`)} order by channel nulls first`);

export interface VersionsPage {
  /** Older than this one; null: the newest. */
  before: number | null;
  most: number;
}

/** A page of them, the newest first, and after those what each was made from. */
export const selectVersionsPage = (db: ReadDatabase, serviceId: ServiceId, { before, most }: VersionsPage) =>
  db.query<LimitsVersion & { isListed: boolean }>(sql`
    with page as materialized (
      select id, channel, version from limits_version
      where service_id = ${serviceId} and id < ${before ?? MAX_ID} order by id desc limit ${most}),
    earlier as materialized (
      select limits_version.id from page join limits_version
        on limits_version.service_id = ${serviceId} and limits_version.channel is not distinct from page.channel
          and limits_version.version = page.version - 1)
    select *, id in (select id from page) as "isListed"
    from (${selectVersions(sql`id in (select id from page) or id in (select id from earlier)`)}) as shown
    order by "isListed" desc, id desc`);
