import type { Requester } from '../../domain/accounts/requester.ts';
import { unlessBlank } from '../../domain/blank.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { lookAgain } from '../../engine/outbox/look-again.ts';
import { type OperateRefusal, operateOnService } from '../../engine/services/operate-on-service.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertMute } from './queries.ts';

export interface MutedService {
  id: ServiceId;
  name: string;
}

/** Adds another mute record, whether or not the service is muted already. */
export async function mute(
  tx: Tx,
  requester: Requester,
  { serviceId, reason: sent }: { serviceId: ServiceId; reason: string | undefined },
  now: Date,
): Promise<Result<MutedService, OperateRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;

  const reason = unlessBlank(sent);
  const { name: accountName } = requester;
  await insertMute(tx, { serviceId, reason, accountId, accountName }, now);
  lookAgain(tx, [serviceId], now);

  const { organizationId } = service;
  await writeAudit(
    tx,
    requester,
    { action: 'service.mute', organizationId, serviceId, detail: { reason } },
    now,
  );
  return ok({ id: serviceId, name: service.name });
}
