// `tocsin account …`: people who cannot wait for the pages, and scripts.

import { isEmail, normaliseEmail } from '../../domain/accounts/email.ts';
import { type AcceptedPassword, PASSWORD_FAULTS, SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import { COMMAND_LINE } from '../../domain/accounts/requester.ts';
import { ROLES } from '../../domain/accounts/role.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { acceptPassword } from '../../engine/accounts/accept-password.ts';
import {
  createAccount,
  deleteAccount,
  lockAccount,
  type StoredAccount,
  setActive,
  setPassword,
} from '../../engine/accounts/accounts.ts';
import { acceptInvitation, findInvitationTo } from '../../engine/accounts/invitations.ts';
import { isLastKeeper, type KeeperRefusal, setKeeper } from '../../engine/accounts/keepers.ts';
import { setRole } from '../../engine/accounts/memberships.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { findOrMakeOrganization } from '../../engine/organizations/organizations.ts';
import { hashPassword } from '../../platform/auth/password.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { findLanguage, listTags } from '../../platform/languages/languages.ts';

export interface CreateAccountInput {
  email: string;
  name: string;
  timezone: string;
  language?: string;
  /** null: the account is activated later. */
  password: string | null;
  organization?: string;
  role?: string;
}

/** What was done in one line, or what to do instead. */
type CommandResult = Result<string, string>;

export async function createAccountByHand(
  db: Database,
  input: CreateAccountInput,
  now: Date,
): Promise<CommandResult> {
  const email = normaliseEmail(input.email);
  const role = ROLES.find((known) => known === (input.role ?? 'viewer'));
  if (!isEmail(email)) return refuse(`"${input.email}" is not an email address`);
  if (input.name.trim() === '') return refuse('The name must not be blank');
  if (!isTimeZone(input.timezone))
    return refuse(`Unknown time zone "${input.timezone}": write it like Europe/Berlin`);
  if (input.language !== undefined && !findLanguage(input.language))
    return refuse(`Unknown language "${input.language}": one of ${listTags()}`);
  if (!role) return refuse(`Unknown role "${input.role}": one of ${ROLES.join(', ')}`);
  if (input.role && !input.organization)
    return refuse('A role is held in an organization: name it with --organization');
  const { name, timezone, language = null, organization } = input;
  const password = input.password === null ? ok(null) : checkPassword(input.password, { email, name });
  if (!password.ok) return password;
  const passwordHash = password.value && (await hashPassword(password.value));
  return db.transaction(async (tx) => {
    const id = await createAccount(
      tx,
      COMMAND_LINE,
      { email, name, timezone, language, passwordHash, isActive: true },
      now,
    );
    if (id === null) return refuse(`There is an account for ${email} already`);
    if (organization === undefined) return ok(`Created account ${id} for ${email}, without a role anywhere.`);
    const organizationId = await findOrMakeOrganization(tx, organization, now);
    await setRole(tx, { accountId: id, organizationId, role }, now);
    const detail = { account: id, email, role };
    await writeAudit(tx, COMMAND_LINE, { action: 'member.add', organizationId, detail }, now);
    return ok(`Created account ${id} for ${email}, ${role} in ${organization}.`);
  });
}

export async function setPasswordByHand(
  db: Database,
  email: string,
  password: string,
  now: Date,
): Promise<CommandResult> {
  const checked = checkPassword(password, { email: normaliseEmail(email) });
  if (!checked.ok) return checked;
  const passwordHash = await hashPassword(checked.value);
  return changeAccount(db, email, async (tx, { id }) => {
    await setPassword(tx, COMMAND_LINE, { accountId: id, passwordHash, way: 'operator' }, now);
    return ok('Password set; all earlier tokens are rejected.');
  });
}

const NO_KEEPER = 'Nobody is keeper any more: make somebody, with tocsin account keeper EMAIL.';

export const deactivateByHand = (db: Database, email: string, now: Date): Promise<CommandResult> =>
  changeAccount(db, email, async (tx, { id, isActive }) => {
    if (!isActive) return ok('The account is deactivated already.');
    const leavesNobody = await isLastKeeper(tx, id);
    await setActive(tx, COMMAND_LINE, { accountId: id, isActive: false }, now);
    const done = 'Account deactivated; its tokens are rejected, and no administrator can activate it.';
    return ok(leavesNobody ? `${done} ${NO_KEEPER}` : done);
  });

export const activateByHand = (db: Database, email: string, now: Date): Promise<CommandResult> =>
  changeAccount(db, email, async (tx, { id, isActive }) => {
    if (isActive) return ok('The account is active already.');
    await setActive(tx, COMMAND_LINE, { accountId: id, isActive: true }, now);
    return ok('Account activated; it signs in with the password it had.');
  });

/** For somebody whom the operator knows, where no mail leaves and an administrator may know the password. */
export const acceptByHand = (
  db: Database,
  email: string,
  organization: string,
  now: Date,
): Promise<CommandResult> =>
  changeAccount(db, email, async (tx, { id: accountId }) => {
    const invitation = await findInvitationTo(tx, accountId, organization);
    if (!invitation) return refuse(`No invitation to ${organization} is open for ${email}`);
    const { id, role } = invitation;
    const accepted = await acceptInvitation(tx, COMMAND_LINE, { accountId, id, isByLink: false }, now);
    if (!accepted.ok)
      return refuse(
        `An administrator of another organization may know the password of ${email}: set a new one first, with tocsin account set-password`,
      );
    return ok(`${email} is ${role} in ${organization} now.`);
  });

export const deleteByHand = (db: Database, email: string, now: Date): Promise<CommandResult> =>
  changeAccount(db, email, async (tx, account) => {
    const leavesNobody = await isLastKeeper(tx, account.id);
    await deleteAccount(tx, COMMAND_LINE, account, now);
    const done = 'Account deleted for good; what it did stays on record.';
    return ok(leavesNobody ? `${done} ${NO_KEEPER}` : done);
  });

const KEEPER_REFUSALS: Record<KeeperRefusal, (email: string) => string> = {
  no_such_account: (email) => `There is no account for ${email}`,
  not_active: (email) => `The account of ${email} is deactivated: activate it first`,
  last_keeper: (email) => `${email} is the last keeper: make somebody else keeper first`,
};

export const setKeeperByHand = (
  db: Database,
  { email, isKeeper }: { email: string; isKeeper: boolean },
  now: Date,
): Promise<CommandResult> =>
  db.transaction(async (tx): Promise<CommandResult> => {
    const set = await setKeeper(tx, COMMAND_LINE, { email: normaliseEmail(email), isKeeper }, now);
    if (!set.ok) return refuse(KEEPER_REFUSALS[set.refusal](email));
    const already = set.value === 'unchanged' ? ' already' : '';
    return ok(
      isKeeper
        ? `${email} is keeper${already}: sets on pages how messages leave, under /settings/delivery.`
        : `${email} is no keeper${set.value === 'unchanged' ? ' anyway' : ' any more'}.`,
    );
  });

function checkPassword(
  password: string,
  owner: { email: string; name?: string },
): Result<AcceptedPassword, string> {
  const accepted = acceptPassword(password, owner);
  if (accepted.ok) return accepted;
  return refuse(
    accepted.refusal === 'password_too_short'
      ? `The password must have at least ${SHORTEST_PASSWORD} characters`
      : PASSWORD_FAULTS[accepted.refusal],
  );
}

async function changeAccount(
  db: Database,
  email: string,
  change: (tx: Tx, account: StoredAccount) => Promise<CommandResult>,
): Promise<CommandResult> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, normaliseEmail(email));
    return account ? change(tx, account) : refuse(`There is no account for ${email}`);
  });
}
