// Where a group says how long an acknowledgement stands, it ends by itself while the alarm goes on, and the ladder begins anew.
import type { Database } from '../../platform/db/database.ts';
import { togetherOrAlone } from '../../platform/process/each-alone.ts';
import { endExpired, selectExpired } from '../alarm-state/acknowledgements.ts';
import { lockAlarmStates } from '../journal/lock-alarm-states.ts';
import { lookAgain } from '../outbox/look-again.ts';

export async function expireAcknowledgements(db: Database, now: Date): Promise<void> {
  const due = (await selectExpired(db, now)).map(({ serviceId }) => serviceId);
  await togetherOrAlone(
    due,
    (serviceId) => `the acknowledgement of service ${serviceId}`,
    (serviceIds) =>
      db.transaction(async (tx) => {
        const ended = await endExpired(tx, await lockAlarmStates(tx, serviceIds), now);
        if (ended.length > 0) lookAgain(tx, [...new Set(ended.map(({ serviceId }) => serviceId))], now);
      }),
  );
}
