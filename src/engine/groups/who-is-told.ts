// Whom the group of a service may tell, by name, for pages that say so before somebody acts.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { TARGETS } from '../outbox/recipients.ts';

export interface NamedTarget {
  /** In English, as those are sorted by that have none of their own. */
  name: string;
  /** null: it is no rota. */
  rota: string | null;
  isWebhook: boolean;
  step: number;
  /** null: it is no person of its own. */
  accountId: number | null;
}

/** Whoever is on call is named by the rota. */
export const selectNamedTargets = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<NamedTarget>(sql`
    with chosen as (select notification_group_id as id from service_settings where service_id = ${serviceId})
    select distinct coalesce(account_name, case transport when 'webhook' then 'a webhook' else recipient end) as name,
      step, account_id as "accountId", null as "rota", account_name is null and transport = 'webhook' as "isWebhook"
    from chosen join ${TARGETS} as target on target.group_id = chosen.id
    union
    select 'whoever is on call in ' || rota.name, step, null, rota.name, false
    from chosen join notification_group_rota told on told.group_id = chosen.id join rota on rota.id = rota_id
    order by step, name`);

/** Each once. */
export const listTargetNames = (targets: readonly NamedTarget[], language: Language): string[] => [
  ...new Set(targets.map((target) => sayTarget(target, language))),
];

function sayTarget({ name, rota, isWebhook }: NamedTarget, { say }: Language): string {
  if (rota !== null) return say('whoever is on call in {rota}', { rota });
  return isWebhook ? say('a webhook') : name;
}
