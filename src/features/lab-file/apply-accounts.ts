import type { AccountId } from '../../domain/ids.ts';
import {
  createAccount,
  type StoredAccount,
  setActive,
  setPassword,
  updateProfile,
} from '../../engine/accounts/accounts.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { ApplyRun, Known } from './apply-run.ts';
import { describeChanges } from './describe-changes.ts';
import type { FindNewHash } from './passwords.ts';
import { selectAccounts } from './queries.ts';
import { handoversOf, type LabAccount, type LabFile } from './read/read-lab-file.ts';

/** By email. null: the file describes the account, but it could not be made. */
export type KnownAccounts = Map<string, Known<AccountId> | null>;

export async function applyAccounts(
  run: ApplyRun,
  file: LabFile,
  findNewHash: FindNewHash,
): Promise<{ accounts: KnownAccounts; changes: string[] }> {
  const emails = emailsIn(file);
  const rows = emails.length > 0 ? await selectAccounts(run.tx, emails) : [];
  const stored = new Map(rows.map((row) => [row.email, row]));
  const accounts: KnownAccounts = new Map();
  for (const { email, id } of stored.values()) accounts.set(email, { id, isNew: false });

  const changes: string[] = [];
  for (const entry of file.accounts) {
    const account = stored.get(entry.email);
    if (account) {
      changes.push(...(await changeAccount(run, account, entry, findNewHash)));
      continue;
    }
    const id = await createFromEntry(run, entry, findNewHash);
    accounts.set(entry.email, id === null ? null : { id, isNew: true });
    changes.push(`+ account ${entry.email}`);
  }
  return { accounts, changes };
}

const emailsIn = ({ accounts, organizations }: LabFile): string[] => [
  ...accounts.map(({ email }) => email),
  ...organizations.flatMap(({ members, groups, rotas }) => [
    ...(members ?? []).map(({ email }) => email),
    ...(groups ?? []).flatMap((group) => (group.accounts ?? []).map(({ value }) => value)),
    ...(groups ?? []).flatMap(({ told }) => (told ?? []).flatMap(({ account }) => account?.value ?? [])),
    ...(rotas ?? []).flatMap(handoversOf).flatMap((handover) => handover.members.map(({ value }) => value)),
  ]),
];

async function createFromEntry(
  { tx, requester, now, faults }: ApplyRun,
  entry: LabAccount,
  findNewHash: FindNewHash,
): Promise<AccountId | null> {
  const { email, name, timezone = 'UTC', language = null, active: isActive = true } = entry;
  if (name === undefined) {
    faults.add(
      `${entry.path}.name`,
      `is missing: there is no account ${email} yet, and a new one needs a name`,
    );
    return null;
  }
  const passwordHash = await findNewHash(entry, null);
  const id = await createAccount(
    tx,
    requester,
    { email, name, timezone, language, passwordHash, isActive },
    now,
  );
  if (id === null)
    throw new Error(`Account ${email} was created by somebody else meanwhile: apply the file again`);
  return id;
}

async function changeAccount(
  { tx, requester, now }: ApplyRun,
  account: StoredAccount,
  entry: LabAccount,
  findNewHash: FindNewHash,
): Promise<string[]> {
  const { name = account.name, timezone = account.timezone, language = account.language } = entry;
  const { active: isActive = account.isActive } = entry;
  const profile = { name, timezone, language };
  const changes = describeChanges({ ...account }, profile);
  if (changes.length > 0) {
    await updateProfile(tx, account.id, profile);
    const detail = { account: account.id, email: account.email, changes };
    await writeAudit(tx, requester, { action: 'account.edit', detail }, now);
  }
  const newHash = await findNewHash(entry, account.passwordHash);
  if (newHash !== null) {
    await setPassword(tx, requester, { accountId: account.id, passwordHash: newHash, way: 'operator' }, now);
    changes.push('new password');
  }
  if (isActive !== account.isActive) {
    await setActive(tx, requester, { accountId: account.id, isActive }, now);
    changes.push(isActive ? 'activated' : 'deactivated');
  }
  return changes.map((change) => `~ account ${account.email}: ${change}`);
}
