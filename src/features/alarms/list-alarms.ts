import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Caller } from '../../engine/requests/caller.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ActiveAlarm, describeAlarm } from './active-alarm.ts';
import { selectAlarms } from './queries.ts';

export type ListRefusal = 'anonymous';

/** What is wrong in the caller's organizations right now, worst first. */
export async function listAlarms(
  db: ReadDatabase,
  caller: Caller,
  now: Date,
): Promise<Result<ActiveAlarm[], ListRefusal>> {
  if (!caller) return refuse('anonymous');
  const organizationIds = caller.memberships.map(({ organizationId }) => organizationId);
  const records = await selectAlarms(db, organizationIds, now);
  return ok(records.map((record) => describeAlarm(record, caller)));
}
