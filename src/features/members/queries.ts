import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, InvitationId, OrganizationId } from '../../domain/ids.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { IS_IN_USE } from '../../engine/sql-parts/contact-methods.ts';
import { AN_ADMINISTRATOR } from '../../engine/sql-parts/roles.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { StoredMail } from './last-mail.ts';

export interface Member {
  id: AccountId;
  name: string;
  email: string;
  role: Role;
  isActive: boolean;
  hasPassword: boolean;
  joinedAt: Date;
  /** By what they are told; none: by mail. */
  toldBy: MethodKind[];
}

const MEMBER_COLUMNS = sql`
  account.id, account.name, email, role, is_active as "isActive", password_hash is not null as "hasPassword",
  membership.created_at as "joinedAt",
  array(select distinct kind from contact_method where contact_method.account_id = account.id
    and ${IS_IN_USE} order by kind) as "toldBy"`;

export const selectMembers = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Member>(sql`
    select ${MEMBER_COLUMNS}
    from membership join account on account.id = account_id
    where organization_id = ${organizationId} order by account.name, account.id`);

export interface WholeMember extends Member {
  /** Everywhere, not only here. */
  organizationIds: OrganizationId[];
  /** By the operator, for good as far as administrators go. */
  isBarred: boolean;
}

export const selectMember = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
  accountId: AccountId,
): Promise<WholeMember | null> =>
  first(
    await db.query<WholeMember>(sql`
      select ${MEMBER_COLUMNS},
        array(select organization_id from membership own where own.account_id = account.id) as "organizationIds",
        is_barred as "isBarred"
      from membership join account on account.id = account_id
      where organization_id = ${organizationId} and account_id = ${accountId}`),
  );

const STORED_MAIL = sql`
  json_build_object('id', account_mail.id::text, 'createdAt', account_mail.created_at, 'state', state, 'attempts', attempts,
    'nextAttemptAt', next_attempt_at, 'lastError', last_error, 'finishedAt', finished_at, 'handedTo', handed_to, 'isKept', is_kept)`;

/** The last one with a link to choose a password. */
export const selectLastLinkMail = async (
  db: ReadDatabase,
  accountId: AccountId,
): Promise<StoredMail | null> =>
  first(
    await db.query<{ mail: StoredMail }>(sql`
      select ${STORED_MAIL} as "mail" from account_mail
      where account_id = ${accountId} and kind in ('activation', 'password_reset') order by id desc limit 1`),
  )?.mail ?? null;

export interface OpenInvitation {
  id: InvitationId;
  name: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  /** null: long ago. */
  mail: StoredMail | null;
}

/** Nothing of the account but its address: it is none of theirs. */
export const selectOpenInvitations = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<OpenInvitation>(sql`
    select invitation.id, invitation.name, email, role, invited_by_name as "invitedBy", invitation.created_at as "createdAt",
      (select ${STORED_MAIL} from account_mail where invitation_id = invitation.id order by id desc limit 1) as "mail"
    from invitation join account on account.id = account_id
    where organization_id = ${organizationId} order by invitation.id`);

/** Changes to who may do what in these organizations wait for each other; signing in and reading do not. */
export const lockOrganizationsOf = (tx: Tx, accountId: AccountId | null, organizationId: OrganizationId) =>
  tx.query(sql`
    select from organization
    where id = ${organizationId}
      or id in (select organization_id from membership where account_id = ${accountId}::int)
    order by id for no key update`);

export const lockAccountRow = (tx: Tx, accountId: AccountId) =>
  tx.query(sql`select from account where id = ${accountId} for update`);

/** As it is now, under the lock: somebody else may have taken the role away since the page was opened. */
export const selectAdministered = async (tx: Tx, accountId: AccountId): Promise<OrganizationId[]> =>
  (
    await tx.query<{ id: OrganizationId }>(sql`
      select organization_id as "id" from membership join account on account.id = account_id
      where account_id = ${accountId} and role = ${AN_ADMINISTRATOR} and is_active`)
  ).map(({ id }) => id);

/** Those of the organizations that nobody else could administer: others must be active and able to sign in. */
export const selectLeftAlone = (tx: Tx, organizationIds: OrganizationId[], without: AccountId) =>
  tx.query<{ id: OrganizationId }>(sql`
    select organization_id as "id" from membership own
    where account_id = ${without} and role = ${AN_ADMINISTRATOR} and organization_id = any(${organizationIds}::int[])
      and not exists (
        select 1 from membership other join account on account.id = other.account_id
        where other.organization_id = own.organization_id and other.account_id <> ${without}
          and other.role = ${AN_ADMINISTRATOR} and is_active and password_hash is not null)`);
