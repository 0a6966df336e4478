import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { endNewestAcknowledgement } from '../alarm-state/acknowledgements.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';

export type UnacknowledgeRefusal = OperateRefusal | 'nothing_to_remove';

/** Takes back the newest active acknowledgement, whoever gave it; a second call takes back the next one. */
export async function unacknowledge(
  tx: Tx,
  requester: Requester,
  { serviceId }: { serviceId: ServiceId },
  now: Date,
): Promise<Result<ServiceId, UnacknowledgeRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service } = operation.value;

  const removed = await endNewestAcknowledgement(tx, service.id, now);
  if (!removed) return refuse('nothing_to_remove');
  lookAgain(tx, [serviceId], now);

  const { organizationId } = service;
  const detail = { severity: removed.severity, acknowledged_by: removed.accountName };
  await writeAudit(tx, requester, { action: 'alarm.unacknowledge', organizationId, serviceId, detail }, now);
  return ok(serviceId);
}
