import type { OrganizationId } from '../../domain/ids.ts';
import { setRole } from '../../engine/accounts/memberships.ts';
import { changeDeviceDays } from '../../engine/organizations/device-days.ts';
import { changeDoorCard } from '../../engine/organizations/door-card.ts';
import { changeLanguage } from '../../engine/organizations/language.ts';
import { findOrMakeOrganization } from '../../engine/organizations/organizations.ts';
import { changePersonalLinks } from '../../engine/organizations/personal-links.ts';
import { changePinDemand } from '../../engine/organizations/phone-pin.ts';
import { changeRetention } from '../../engine/organizations/retention.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { KnownAccounts } from './apply-accounts.ts';
import { applyGroups } from './apply-groups.ts';
import { applyHours, applyRotas } from './apply-on-call.ts';
import type { ApplyRun, Known } from './apply-run.ts';
import { applySources } from './apply-sources.ts';
import { describeChanges } from './describe-changes.ts';
import { selectKnownPasswords, selectMembers, selectOrganization } from './queries.ts';
import type { LabOrganization, OrganizationSetting } from './read/read-lab-file.ts';

export interface KnownOrganization extends Known<OrganizationId> {
  name: string;
  /** All groups of the organization, by name. */
  groups: Map<string, Known>;
}

/** Everything of an organization but its equipment. */
export async function applyOrganization(
  run: ApplyRun,
  entry: LabOrganization,
  accounts: KnownAccounts,
): Promise<{ organization: KnownOrganization; changes: string[] }> {
  const stored = await selectOrganization(run.tx, entry.name);
  const id = stored?.id ?? (await findOrMakeOrganization(run.tx, entry.name, run.now));
  const changes = stored ? [] : [`+ organization ${entry.name}`];
  for (const name of Object.keys(SETTINGS) as OrganizationSetting[])
    changes.push(...(await applySetting(run, id, entry, name)));
  changes.push(...(await applyMembers(run, id, entry, accounts)));
  changes.push(...(await applySources(run, id, entry)));
  changes.push(...(await applyHours(run, id, entry)));
  const { rotas, changes: rotaChanges } = await applyRotas(run, id, entry, accounts);
  changes.push(...rotaChanges);
  const { groups, changes: groupChanges } = await applyGroups(run, id, entry, accounts, rotas);
  changes.push(...groupChanges);
  return { organization: { id, isNew: !stored, name: entry.name, groups }, changes };
}

type Change<Value> = (
  ...given: [tx: Tx, organizationId: OrganizationId, value: Value, now: Date]
) => Promise<{ before: unknown; after: unknown } | null>;

/** A setting that the file knows and that has no line here does not compile. */
const SETTINGS: { [Name in OrganizationSetting]: Change<Exclude<LabOrganization[Name], undefined>> } = {
  retention_years: changeRetention,
  phone_pin_required: changePinDemand,
  personal_links: changePersonalLinks,
  device_days: changeDeviceDays,
  language: changeLanguage,
  door_card: changeDoorCard,
};

async function applySetting<Name extends OrganizationSetting>(
  { tx, now }: ApplyRun,
  organizationId: OrganizationId,
  entry: LabOrganization,
  name: Name,
): Promise<string[]> {
  const value = entry[name] as Exclude<LabOrganization[Name], undefined> | undefined;
  if (value === undefined) return [];
  const changed = await SETTINGS[name](tx, organizationId, value, now);
  if (!changed) return [];
  const changes = describeChanges({ [name]: changed.before }, { [name]: changed.after });
  return changes.map((change) => `~ organization ${entry.name}: ${change}`);
}

async function applyMembers(
  { tx, now, faults }: ApplyRun,
  organizationId: OrganizationId,
  { name, members = [] }: LabOrganization,
  accounts: KnownAccounts,
): Promise<string[]> {
  if (members.length === 0) return [];
  const roles = new Map((await selectMembers(tx, organizationId)).map((row) => [row.accountId, row.role]));
  const ids = members.flatMap(({ email }) => accounts.get(email)?.id ?? []);
  const known = await selectKnownPasswords(tx, ids);
  const changes: string[] = [];
  for (const { path, email, role } of members) {
    const account = accounts.get(email);
    if (account === undefined) {
      faults.add(`${path}.email`, `there is no account ${email}, neither in this file nor in the database`);
    }
    if (!account) continue;
    const current = roles.get(account.id);
    if (current === role) continue;
    if (!current && known.includes(account.id)) {
      faults.add(
        `${path}.email`,
        `an administrator of another organization may know the password of ${email}: give the account a new one`,
      );
      continue;
    }
    await setRole(tx, { accountId: account.id, organizationId, role }, now);
    changes.push(
      current ? `~ member ${name}/${email}: ${current} -> ${role}` : `+ member ${name}/${email}: ${role}`,
    );
  }
  return changes;
}
