import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasAcknowledged } from '../alarm-state/acknowledgements.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';
import { type PassedAlarm, passOn } from './pass-on.ts';
import { selectAlarmState } from './select-alarm-state.ts';

export type CannotGoRefusal = OperateRefusal | 'not_yours_to_give';

/** Gives back what one has taken, and lets the next be told at once. */
export async function cannotGo(
  tx: Tx,
  requester: Requester,
  { serviceId }: { serviceId: ServiceId },
  now: Date,
): Promise<Result<PassedAlarm, CannotGoRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;

  const alarm = await selectAlarmState(tx, service.id);
  if (!alarm?.episodeId || !(await hasAcknowledged(tx, serviceId, accountId)))
    return refuse('not_yours_to_give');
  const { episodeId } = alarm;
  const passed = await passOn(
    tx,
    { serviceId: service.id, episodeId },
    { accountId, name: requester.name, how: 'page' },
    now,
  );
  if (!passed) return refuse('not_yours_to_give');

  const { organizationId } = service;
  const { severity, step } = passed;
  const detail = { severity, step, how: 'page' };
  await writeAudit(tx, requester, { action: 'alarm.pass_on', organizationId, serviceId, detail }, now);
  return ok(passed);
}
