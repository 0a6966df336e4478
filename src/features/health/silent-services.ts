// Services by which nobody would learn of an alarm: those that tell nobody, and those that are not watched yet.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { IS_UNWATCHED } from '../../engine/sql-parts/service-state.ts';
import type { Database } from '../../platform/db/database.ts';

export interface SilentServices {
  organization: string;
  told_to_nobody: number;
  told_to_nobody_names: string[];
  not_watched_yet: number;
  not_watched_yet_names: string[];
}

const MOST_NAMES = 10;

/** Of these organizations, or of all: one look at each service. As domain/equipment/telling.ts and watching.ts have it. */
export const selectSilent = (db: Database, organizationIds: readonly OrganizationId[] | null) =>
  db.query<SilentServices>(
    sql`
    select organization.name as "organization",
      count(*) filter (where is_untold)::int as "told_to_nobody",
      coalesce((array_agg(service.name order by natural_order(service.name), service.id) filter (where is_untold))
        [1:${MOST_NAMES}::int], '{}') as "told_to_nobody_names",
      count(*) filter (where is_unwatched)::int as "not_watched_yet",
      coalesce((array_agg(service.name order by natural_order(service.name), service.id) filter (where is_unwatched))
        [1:${MOST_NAMES}::int], '{}') as "not_watched_yet_names"
    from organization
    join service on service.organization_id = organization.id and archived_at is null
    join alarm_state state on state.service_id = service.id
    join service_settings settings on settings.service_id = service.id
    cross join lateral (
      select notification_group_id is null or not (send_critical or send_warning or send_acknowledgements
          or send_recoveries or enable_system_notifications) as is_untold,
        ${IS_UNWATCHED} as is_unwatched) as standing
    where ${organizationIds}::int[] is null or organization.id = any(${organizationIds}::int[])
    group by organization.id order by natural_order(organization.name), organization.id`,
    'briefly',
  );

/** A line for each organization and trouble. */
export const saySilent = (all: readonly SilentServices[]): string[] =>
  all.flatMap((one) => [
    ...say(one.organization, one.told_to_nobody, 'told to nobody', one.told_to_nobody_names),
    ...say(one.organization, one.not_watched_yet, 'not watched yet', one.not_watched_yet_names),
  ]);

function say(organization: string, count: number, what: string, names: readonly string[]): string[] {
  if (count === 0) return [];
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return [
    `services: ${organization}: ${count} ${count === 1 ? 'is' : 'are'} ${what}: ${names.join(', ')}${more}`,
  ];
}
