import type { Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { tellTest } from '../../engine/outbox/send-test.ts';
import type { Tx } from '../../platform/db/database.ts';
import { record } from './change-group.ts';
import type { Group } from './queries.ts';
import type { GroupRefusal } from './refusals.ts';

/** A message marked as a test, to everybody in the group. Answers with its id: what became of it has a page. */
export async function sendTest(
  tx: Tx,
  requester: Requester,
  { group }: { group: Group },
  now: Date,
): Promise<Result<string, GroupRefusal>> {
  const { id: groupId, organizationId } = group;
  const told = await tellTest(tx, { groupId, organizationId, authorName: requester.name }, now);
  if (!told.ok) return refuse(told.refusal === 'too_many_unproved' ? told.refusal : 'nobody_to_tell');
  const { notificationId } = told.value;
  await record(tx, requester, { group, action: 'group.test', detail: { notification: notificationId } }, now);
  return ok(notificationId);
}
