// The one way to change who is in a group. What writes such rows takes a transaction that only this makes.
import type { Tx } from '../../platform/db/database.ts';
import { lookAgainAtGroups } from '../outbox/look-again.ts';

declare const changing: unique symbol;

export type GroupTx = Tx & { readonly [changing]: true };

/** With the change goes the note by which newcomers hear of what holds. Answers with what was changed. */
export async function changeGroup<Changed extends { groupId: number }>(
  tx: Tx,
  now: Date,
  change: (tx: GroupTx) => Promise<Changed[]>,
): Promise<Changed[]> {
  const changed = await change(tx as GroupTx);
  const groupIds = [...new Set(changed.map(({ groupId }) => groupId))];
  if (groupIds.length > 0) lookAgainAtGroups(tx, groupIds, now);
  return changed;
}
