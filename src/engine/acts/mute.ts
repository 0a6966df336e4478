import type { Requester } from '../../domain/accounts/requester.ts';
import { unlessBlank } from '../../domain/blank.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { insertMute } from '../quiet-times/mutes.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';

export interface MutedService {
  id: ServiceId;
  name: string;
}

/** No mute that ends by itself is longer: 30 days. */
export const LONGEST_MUTE_MINUTES = 30 * 24 * 60;

/** Adds another mute record, whether or not the service is muted already. */
export async function mute(
  tx: Tx,
  requester: Requester,
  {
    serviceId,
    reason: sent,
    minutes,
  }: { serviceId: ServiceId; reason: string | undefined; minutes?: number },
  now: Date,
): Promise<Result<MutedService, OperateRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;

  const reason = unlessBlank(sent);
  const { name: accountName } = requester;
  const endsAt = minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000);
  await insertMute(tx, { serviceId: service.id, reason, accountId, accountName, endsAt }, now);
  lookAgain(tx, [serviceId], now);

  const { organizationId } = service;
  await writeAudit(
    tx,
    requester,
    {
      action: 'service.mute',
      organizationId,
      serviceId,
      detail: { reason, ...(minutes !== undefined && { minutes }) },
    },
    now,
  );
  return ok({ id: serviceId, name: service.name });
}
