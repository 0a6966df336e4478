import { ok, type Result, refuse } from '../../domain/result.ts';
import { tellTest } from '../../engine/outbox/send-test.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Administration } from './administer-group.ts';
import { record } from './change-group.ts';
import type { GroupRefusal } from './refusals.ts';

/** A message marked as a test, to everybody in the group. Answers with its id: what became of it has a page. */
export async function sendTest(
  tx: Tx,
  administration: Administration,
  now: Date,
): Promise<Result<string, GroupRefusal>> {
  const { group, requester } = administration;
  const { id: groupId, organizationId } = group;
  const told = await tellTest(tx, { groupId, organizationId, authorName: requester.name }, now);
  if (!told.ok) return refuse(told.refusal === 'too_many_unproved' ? told.refusal : 'nobody_to_tell');
  const { notificationId } = told.value;
  await record(tx, administration, 'group.test', { notification: notificationId }, now);
  return ok(notificationId);
}
