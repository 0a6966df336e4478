import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, SessionId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface Listener {
  id: AccountId;
  generation: number;
  sessionIds: SessionId[];
  organizationIds: OrganizationId[];
}

/** Those whose account is still active, with what they may see now. */
export const selectListeners = (db: ReadDatabase, accountIds: AccountId[]) =>
  db.query<Listener>(sql`
    select id, token_generation as "generation",
      array(select session.id from session where account_id = account.id) as "sessionIds", array(
      select organization_id from membership where account_id = account.id order by 1) as "organizationIds"
    from account where id = any(${accountIds}::int[]) and is_active`);

/**
 * What the pages of an organization show, as one short text each: it differs when they would. Read from the rows
 * themselves, for ids and counters become visible in another order than they are given. Costs by what is active.
 */
export const selectPictures = (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  db.query<{ organizationId: OrganizationId; picture: string }>(sql`
    select organization_id as "organizationId", md5(string_agg(fact, ' ' order by fact)) as "picture"
    from (
      select organization_id,
        concat_ws('/', 'alarm', service_id, severity, severity_since, stale_since, channel, message) as fact
      from alarm_state
      where organization_id = any(${organizationIds}::int[]) and (severity <> 'normal' or stale_since is not null)
      union all
      select service.organization_id, concat_ws('/', 'acknowledgement', acknowledgement.id)
      from acknowledgement join service on service.id = service_id
      where ended_at is null and service.organization_id = any(${organizationIds}::int[])
      union all
      select service.organization_id, concat_ws('/', 'mute', mute.id)
      from mute join service on service.id = service_id
      where ended_at is null and service.organization_id = any(${organizationIds}::int[])
      union all
      select service.organization_id, concat_ws('/', 'downtime', downtime.id, start_at <= ${now})
      from downtime join service on service.id = service_id
      where end_at > ${now} and service.organization_id = any(${organizationIds}::int[])
    ) facts
    group by organization_id`);
