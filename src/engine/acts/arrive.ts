// Whoever stands at a unit says so at its door card. Nobody knows who it is.
import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import type { Requester } from '../../domain/accounts/requester.ts';
import { waitUntil } from '../../domain/door/door-card.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lockAlarmStateFirst } from '../journal/lock-alarm-states.ts';
import { insertArrival, selectArrivals } from '../outbox/arrivals.ts';
import type { Door } from '../services/doors.ts';
import { selectAlarmState } from './select-alarm-state.ts';

export type ArriveRefusal = { reason: 'no_alarm' } | { reason: 'wait'; of: 'unit' | 'address'; until: Date };

export async function arrive(
  tx: Tx,
  requester: Requester,
  { serviceId, organizationId }: Pick<Door, 'serviceId' | 'organizationId'>,
  now: Date,
): Promise<Result<null, ArriveRefusal>> {
  const cameFrom = bucketOf(requester.address ?? 'unknown');
  const findWait = async () =>
    waitUntil(await selectArrivals(tx, { organizationId, serviceId, cameFrom }, now), now);
  // Before the lock: whoever has to wait holds nobody up.
  const early = await findWait();
  if (early) return refuse({ reason: 'wait', ...early });
  const locked = lockAlarmStateFirst(tx, serviceId);
  const alarm = await selectAlarmState(tx, locked);
  if (!alarm?.episodeId || alarm.severity === 'normal') return refuse({ reason: 'no_alarm' });
  const wait = await findWait();
  if (wait) return refuse({ reason: 'wait', ...wait });
  const { episodeId, severity } = alarm;
  insertArrival(tx, { serviceId: locked, episodeId, severity, cameFrom }, now);
  await writeAudit(
    tx,
    requester,
    { action: 'alarm.arrival', organizationId, serviceId, detail: { severity } },
    now,
  );
  return ok(null);
}
