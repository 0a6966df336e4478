// In which groups somebody or a rota stands, by name.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { listNames } from '../../domain/list-names.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

const selectGroupNames = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  { accountId = null, rotaId = null }: { accountId?: number | null; rotaId?: number | null },
) =>
  db.query<{ name: string }>(sql`
    select name from notification_group grouped where organization_id = ${organizationId} and (
      exists (select from notification_group_account where group_id = grouped.id and account_id = ${accountId}::int)
      or exists (select from notification_group_rota where group_id = grouped.id and rota_id = ${rotaId}::int))
    order by name`);

/** What it is gone from together with its owner or its rota: none or one sentence. */
export async function sayGroupsOf(
  db: ReadDatabase,
  organizationId: OrganizationId,
  who: Parameters<typeof selectGroupNames>[2] & { name: string },
  language: Language,
): Promise<string[]> {
  const groups = await selectGroupNames(db, organizationId, who);
  const names = groups.map(({ name }) => name);
  return names.length === 0
    ? []
    : [
        language.say('{name} is no longer notified by {groups}.', {
          name: who.name,
          groups: listNames(names, 'or', language),
        }),
      ];
}
