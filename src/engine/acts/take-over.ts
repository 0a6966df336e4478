import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { handAcknowledgementsOver } from '../alarm-state/acknowledgements.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { endOffer, selectOffer } from '../outbox/hand-overs.ts';
import { noteAcknowledgement } from '../outbox/note.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';

export type TakeOverRefusal = OperateRefusal | 'nothing_offered';

/** Takes what somebody offers: from then on it is mine, and theirs no more. */
export async function takeOver(
  tx: Tx,
  requester: Requester,
  { serviceId }: { serviceId: ServiceId },
  now: Date,
): Promise<Result<{ fromName: string }, TakeOverRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;

  const offer = await selectOffer(tx, serviceId);
  if (offer?.toId !== accountId) return refuse('nothing_offered');
  const { episodeId, fromId, fromName } = offer;
  const { name: accountName } = requester;
  const taken = await handAcknowledgementsOver(
    tx,
    { serviceId: service.id, episodeId, fromId, accountId, accountName },
    now,
  );
  endOffer(tx, service.id, offer, 'accepted', now);
  for (const { severity } of taken)
    noteAcknowledgement(tx, { serviceId: service.id, episodeId, severity, comment: null, accountName }, now);

  const { organizationId } = service;
  const detail = { severity: offer.severity, from: fromId, from_name: fromName };
  await writeAudit(tx, requester, { action: 'alarm.take_over', organizationId, serviceId, detail }, now);
  return ok({ fromName });
}
