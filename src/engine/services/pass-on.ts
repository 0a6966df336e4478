// Somebody cannot go: what they had taken is given back, and the next step opens at once. Without one everybody else of the
// group is told again. Decided like everything else, from what is noted here.
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { AlarmSeverity } from '../../domain/notifications/policy-input.ts';
import type { Tx } from '../../platform/db/database.ts';
import { endOwnAcknowledgements, selectHolder } from '../alarm-state/acknowledgements.ts';
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

const REASONS: Record<PassHow, string> = {
  page: 'cannot go',
  key: 'passed it on by telephone',
  reply: 'cannot go',
  button: 'cannot go',
};

/** Call it with the alarm state locked. null: there is no such alarm any more. */
export async function passOn(
  tx: Tx,
  { serviceId, episodeId }: { serviceId: ServiceId; episodeId: string },
  { accountId, name, how }: { accountId: AccountId; name: string; how: PassHow },
  now: Date,
): Promise<PassedAlarm | null> {
  const alarm = await selectPassable(tx, serviceId, episodeId);
  if (!alarm) return null;
  const { severity, groupId } = alarm;
  await endOwnAcknowledgements(tx, serviceId, accountId, now);
  withdrawOffers(tx, serviceId, accountId, now);
  const takenBy = await selectHolder(tx, serviceId, severity);
  const reason = `${name} ${REASONS[how]}`;
  const step =
    takenBy === null
      ? await openNextStep(tx, { serviceId, episodeId, groupId, severity }, reason, now)
      : null;
  if (takenBy === null) insertPassOn(tx, { serviceId, episodeId, severity, accountId, name, step, how }, now);
  lookAgain(tx, [serviceId], now);
  return { severity, step, takenBy };
}
