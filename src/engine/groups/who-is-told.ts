// Whom the group of a service may tell, by name, for pages that say so before somebody acts.

import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { TARGETS } from '../outbox/recipients.ts';

export interface NamedTarget {
  kind: 'named' | 'webhook' | 'rota';
  /** Of a webhook: none. */
  name: string;
  step: number;
  /** null: it is no person of its own. */
  accountId: number | null;
}

/** Whoever is on call is named by the rota. */
export const selectNamedTargets = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<NamedTarget>(sql`
    with chosen as (select notification_group_id as id from service_settings where service_id = ${serviceId}),
    named as (
      select case when account_name is null and transport = 'webhook' then 'webhook' else 'named' end as kind,
        coalesce(account_name, case transport when 'webhook' then '' else recipient end) as name,
        step, account_id as "accountId"
      from chosen join ${TARGETS} as target on target.group_id = chosen.id
      union
      select 'rota', rota.name, step, null
      from chosen join notification_group_rota told on told.group_id = chosen.id join rota on rota.id = rota_id)
    select * from named
    order by step, case kind when 'webhook' then 'a webhook' when 'rota' then 'whoever is on call in ' || name else name end`);

/** Each once. */
export const listTargetNames = (targets: readonly NamedTarget[], { say }: Language): string[] => [
  ...new Set(
    targets.map(({ kind, name }) => {
      if (kind === 'webhook') return say('a webhook');
      return kind === 'rota' ? say('whoever is on call in {rota}', { rota: name }) : name;
    }),
  ),
];
