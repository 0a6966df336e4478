import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { LadderStep } from '../../domain/notifications/ladder.ts';
import type { SourceSettings } from '../../domain/ways-in/source-settings.ts';
import type { SourceKind } from '../../domain/ways-in/ways.ts';
import { ACCOUNT_COLUMNS, type StoredAccount } from '../../engine/accounts/accounts.ts';
import { STEP_SUBJECTS } from '../../engine/sql-parts/subjects.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

export const lockApplies = (tx: Tx) => tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.apply})`);

export const selectAccounts = (db: ReadDatabase, emails: string[]) =>
  db.query<StoredAccount>(sql`
    select ${ACCOUNT_COLUMNS} from account where email = any(${emails})`);

export const selectOrganization = async (tx: Tx, name: string) =>
  first(await tx.query<{ id: OrganizationId }>(sql`select id from organization where name = ${name}`));

export const selectMembers = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<{ accountId: AccountId; role: Role }>(sql`
    select account_id as "accountId", role from membership where organization_id = ${organizationId}`);

/** Those whose password an administrator of an organization they are in, or were in, may know. */
export const selectKnownPasswords = async (tx: Tx, accountIds: AccountId[]) =>
  (
    await tx.query<{ id: AccountId }>(sql`
      select id from account where id = any(${accountIds}::int[]) and password_may_be_known`)
  ).map(({ id }) => id);

export interface StoredSource {
  id: number;
  organizationId: OrganizationId;
  name: string;
  secretHash: Buffer;
  kind: SourceKind;
  settings: SourceSettings;
}

/** The organization's own sources, and whoever else holds one of the secrets. */
export const selectSources = (tx: Tx, organizationId: OrganizationId, secretHashes: Buffer[]) =>
  tx.query<StoredSource>(sql`
    select id, organization_id as "organizationId", name, secret_hash as "secretHash", kind, settings
    from source where organization_id = ${organizationId} or secret_hash = any(${secretHashes}::bytea[])`);

export interface StoredGroup {
  id: number;
  name: string;
  language: string | null;
  emails: string[];
  accountIds: AccountId[];
  webhooks: (GroupWebhook & { id: number })[];
  steps: (LadderStep & { step: number })[];
}

interface GroupWebhook {
  kind: string;
  url: string;
  secret: string | null;
}

export const selectGroups = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<StoredGroup>(sql`
    select id, name, language,
      array(select email from notification_group_email
        where group_id = notification_group.id and step = 0 and during = 'always') as "emails",
      array(select account_id from notification_group_account
        where group_id = notification_group.id and step = 0 and during = 'always') as "accountIds",
      coalesce((select json_agg(json_build_object('id', id, 'kind', kind, 'url', url, 'secret', secret) order by step, id)
        from notification_group_webhook where group_id = notification_group.id), '[]') as "webhooks",
      coalesce((select json_agg(json_build_object('step', step, 'afterMinutes', after_minutes, 'subjects', ${STEP_SUBJECTS}))
        from notification_group_step where group_id = notification_group.id), '[]') as "steps"
    from notification_group where organization_id = ${organizationId}`);
