// The test of a group: a marked message that is no alarm, by every way there is.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ToldRecipient } from '../../domain/notifications/answer.ts';
import { onlyOnce, standAt } from '../../domain/notifications/ladder.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { describeTest } from '../../domain/words/note-words.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { readLadder, toLadder } from './ladders.ts';
import { spendOnGroup } from './unproved-mail.ts';
import { insertDeliveries } from './write-decisions.ts';

type TestRefusal = 'nobody_in_group' | 'too_many_unproved';

/** A marked message to everybody in a group. */
export async function tellTest(
  tx: Tx,
  {
    groupId,
    organizationId,
    authorName,
  }: { groupId: number; organizationId: OrganizationId; authorName: string },
  now: Date,
): Promise<Result<{ notificationId: string }, TestRefusal>> {
  const recipients = await findEverybody(tx, groupId, now);
  if (recipients.length === 0) return refuse('nobody_in_group');
  if (!(await spendOnGroup(tx, { groupId, organizationId }, now))) return refuse('too_many_unproved');
  const row = first(
    await tx.query<{ id: string }>(sql`
      insert into notification (organization_id, group_id, subject, severity, mark, state, why, message, author_name,
        due_at, decided_at, created_at, happened_at)
      values (${organizationId}, ${groupId}, 'back', 'normal', 'test', 'released', '{"code": "test"}',
        ${describeTest(authorName)}, ${authorName}, ${now}, ${now}, ${now}, ${now})
      returning id`),
  );
  if (!row) throw new Error('The test was not written');
  insertDeliveries(tx, [{ id: row.id, serviceId: null, recipients }], now);
  return ok({ notificationId: row.id });
}

/** At whatever step and hours, and who is on call now: it tries the ways, and says nothing of who is told of an alarm. */
async function findEverybody(tx: Tx, groupId: number, now: Date): Promise<ToldRecipient[]> {
  const row = await readLadder(tx, groupId, now);
  if (!row) return [];
  const { steps } = standAt({ ...toLadder(row), hours: null }, now);
  return onlyOnce(steps.flatMap(({ recipients }) => recipients)).map((one) => ({ ...one, step: 0 }));
}
