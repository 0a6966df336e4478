import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { endMutes } from '../quiet-times/mutes.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';
import type { MutedService } from './mute.ts';

/** Clears all mute records; a service that is not muted stays so. */
export async function unmute(
  tx: Tx,
  requester: Requester,
  { serviceId }: { serviceId: ServiceId },
  now: Date,
): Promise<Result<MutedService, OperateRefusal>> {
  // Contract, Mute: unmute does not check archiving; an archived service answers 200.
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service } = operation.value;

  const cleared = await endMutes(tx, service.id, now);
  if (cleared.length > 0) lookAgain(tx, [serviceId], now, { isSuppressionEnded: true });

  const { organizationId } = service;
  const detail = { mutes_cleared: cleared.length };
  await writeAudit(tx, requester, { action: 'service.unmute', organizationId, serviceId, detail }, now);
  return ok({ id: serviceId, name: service.name });
}
