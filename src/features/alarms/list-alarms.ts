import { organizationIdsOf, type Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ActiveAlarm, describeAlarm } from './active-alarm.ts';
import { selectAlarms } from './queries.ts';

export type ListRefusal = 'anonymous';

/** What is wrong in the requester's organizations right now, worst first. */
export async function listAlarms(
  db: ReadDatabase,
  requester: Requester,
  now: Date,
): Promise<Result<ActiveAlarm[], ListRefusal>> {
  if (requester.accountId === null) return refuse('anonymous');
  const organizationIds = organizationIdsOf(requester);
  const records = await selectAlarms(db, organizationIds, now);
  return ok(records.map((record) => describeAlarm(record, requester)));
}
