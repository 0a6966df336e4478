// Whoever adopts a device and has no group yet can be told alone: a group with just this person, made with the service.
import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { writeAudits } from '../../engine/audit/write-audit.ts';
import { changeGroup } from '../../engine/groups/change-group.ts';
import { addAccounts } from '../../engine/groups/group-recipients.ts';
import { insertGroup } from '../../engine/groups/groups.ts';
import { lockNames } from '../../engine/organizations/organizations.ts';
import type { Tx } from '../../platform/db/database.ts';
import { selectGroups } from './group-rows.ts';

export async function makeOwnGroup(
  tx: Tx,
  requester: SignedIn,
  { organizationId }: { organizationId: OrganizationId },
  now: Date,
): Promise<{ id: number }> {
  await lockNames(tx, organizationId);
  const groups = await selectGroups(tx, organizationId);
  const name = findFreeName(requester.name, new Set(groups.map((group) => group.name)));
  const made = await insertGroup(tx, organizationId, name, now);
  if (!made) throw new Error('The group was not made');
  await changeGroup(tx, now, (changing) => addAccounts(changing, made.id, [requester.accountId]));
  const group = { group: made.id, name };
  writeAudits(
    tx,
    requester,
    [
      { action: 'group.create', organizationId, detail: group },
      {
        action: 'group.member.add',
        organizationId,
        detail: { ...group, account: requester.accountId, email: requester.email },
      },
    ],
    now,
  );
  return made;
}

/** `Ada`, or `Ada 2` where there is one. */
function findFreeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) {
    const end = ` ${number}`;
    name = `${[...wanted].slice(0, LONGEST_NAME - end.length).join('')}${end}`;
  }
  return name;
}
