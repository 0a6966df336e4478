import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Answered, withdrawn or no longer needed: its links lead nowhere, and what was to be mailed of it is not. */
export const endInvitation = (tx: Tx, accountId: AccountId, organizationId: OrganizationId, now: Date) =>
  tx.query(sql`
    with ended as (
      select id from invitation where account_id = ${accountId} and organization_id = ${organizationId}),
    dropped as (
      update account_mail set state = 'dropped', last_error = 'The invitation is no longer open', leased_until = null,
        finished_at = ${now}
      where invitation_id in (select id from ended) and state = 'queued')
    delete from invitation where id in (select id from ended)`);
