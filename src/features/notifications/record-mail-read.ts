// Mail to an account may hold a link that sets its password. An administrator may read it, and that he did is on record.

import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { first, type Tx } from '../../platform/db/database.ts';

/** Once for each reader and mail: its page and the frame on it show the same one. */
export async function recordMailRead(
  tx: Tx,
  requester: Requester,
  { mail, organizationIds }: { mail: { id: string; subject: string }; organizationIds: OrganizationId[] },
  now: Date,
): Promise<void> {
  const about = first(
    await tx.query<{ accountId: AccountId; organizationId: OrganizationId }>(sql`
      select kept_mail.account_id as "accountId",
        coalesce(kept_mail.organization_id, membership.organization_id) as "organizationId"
      from kept_mail left join membership on membership.account_id = kept_mail.account_id
        and membership.organization_id = any(${organizationIds}::int[])
      where kept_mail.id = ${mail.id} and kept_mail.account_id is not null
        and not exists (select from audit where audit.account_id = ${requester.accountId} and action = 'mail.read'
          and detail->>'mail' = ${mail.id}::text)
      order by membership.organization_id limit 1`),
  );
  if (!about || about.accountId === requester.accountId) return;
  const { accountId, organizationId } = about;
  const detail = { account: accountId, mail: mail.id, subject: mail.subject };
  await writeAudit(tx, requester, { action: 'mail.read', organizationId, detail }, now);
}
