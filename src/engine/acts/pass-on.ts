// Somebody cannot go: what they had taken is given back, and the next step opens at once. Without one everybody else of the
// group is told again. Decided like everything else, from what is noted here.
import type { AccountId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { AlarmSeverity } from '../../domain/notifications/subject.ts';
import type { Tx } from '../../platform/db/database.ts';
import { endOwnAcknowledgements, selectHolder } from '../alarm-state/acknowledgements.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { insertPassOn, openNextStep, selectPassable, withdrawOffers } from '../outbox/pass-on.ts';

export type PassHow = 'page' | 'key' | 'reply' | 'button';

export interface PassedAlarm {
  severity: AlarmSeverity;
  /** null: there is no further one, so everybody else is told again. */
  step: number | null;
  /** Somebody else has taken it as well, so nobody needs to be told. */
  takenBy: string | null;
}

/** null: there is no such alarm any more. */
export async function passOn(
  tx: Tx,
  { serviceId, episodeId }: { serviceId: LockedService; episodeId: string },
  { accountId, name, how }: { accountId: AccountId; name: string; how: PassHow },
  now: Date,
): Promise<PassedAlarm | null> {
  const alarm = await selectPassable(tx, serviceId, episodeId);
  if (!alarm) return null;
  const { severity, groupId } = alarm;
  await endOwnAcknowledgements(tx, serviceId, accountId, now);
  withdrawOffers(tx, serviceId, accountId, now);
  const takenBy = await selectHolder(tx, serviceId, severity);
  const reason: Reason =
    how === 'key' ? { code: 'passed_on', by: name, how: 'telephone' } : { code: 'cannot_go', by: name };
  const step =
    takenBy === null
      ? await openNextStep(tx, { serviceId, episodeId, groupId, severity }, reason, now)
      : null;
  if (takenBy === null) insertPassOn(tx, { serviceId, episodeId, severity, accountId, name, step, how }, now);
  lookAgain(tx, [serviceId], now);
  return { severity, step, takenBy };
}
