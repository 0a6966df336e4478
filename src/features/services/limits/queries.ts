import sql, { type Sql } from 'sql-template-tag';
import type { ServiceSettings } from '../../../domain/equipment/service-settings.ts';
import { type AccountId, MAX_ID, type OrganizationId, type ServiceId } from '../../../domain/ids.ts';
import type { Limits } from '../../../domain/judging/limits.ts';
import type { LimitsOrigin } from '../../../engine/services/adopt-limits.ts';
import { BANDS } from '../../../engine/sql-parts/limits.ts';
import { SETTINGS } from '../../../engine/sql-parts/settings.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { Statement } from '../../../platform/db/statement.ts';

interface ConfigurationRow extends ServiceSettings {
  name: string;
  /** Chosen last in the edit form; null: none, or the service-wide limits. */
  metricChannel: string | null;
}

export const askConfiguration = (serviceId: ServiceId): Statement<ConfigurationRow> => sql`
  select name, metric_channel as "metricChannel", ${SETTINGS}
  from service join service_settings on service_settings.service_id = service.id
  where service.id = ${serviceId}`;

export function toConfiguration([row]: ConfigurationRow[]) {
  if (!row) return null;
  const { name, metricChannel, ...settings } = row;
  return { name, metricChannel, settings };
}

/** If the organization has it. Locked, so that it is still there when the settings name it. */
export const lockGroup = (
  organizationId: OrganizationId,
  groupId: number | null,
): Statement<{ id: number }> => sql`
  select id from notification_group
  where id = ${groupId} and organization_id = ${organizationId} for key share`;

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
