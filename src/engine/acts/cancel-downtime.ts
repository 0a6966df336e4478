import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { deleteDowntime } from '../quiet-times/downtimes.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';

export type CancelRefusal = 'no_role' | 'no_such_downtime' | OperateRefusal;

export interface CancelledDowntime {
  id: number;
  serviceName: string;
}

/** Any operator of the organization may cancel any window that has not ended. */
export async function cancelDowntime(
  tx: Tx,
  requester: Requester,
  { downtimeId }: { downtimeId: number },
  now: Date,
): Promise<Result<CancelledDowntime, CancelRefusal>> {
  if (requester.memberships.length === 0) return refuse('no_role');

  const open = await selectOpenDowntime(tx, downtimeId, now);
  if (!open) return refuse('no_such_downtime');
  const operation = await operateOnService(tx, requester, open.serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service } = operation.value;
  const deleted = await deleteDowntime(tx, service.id, downtimeId);
  // Another caller got there first.
  if (!deleted) return refuse('no_such_downtime');
  lookAgain(tx, [service.id], now, { isSuppressionEnded: deleted.startAt <= now });
  await writeAudit(
    tx,
    requester,
    {
      action: 'downtime.cancel',
      organizationId: service.organizationId,
      serviceId: service.id,
      detail: {
        downtime: downtimeId,
        reason: deleted.reason,
        start_time: formatInstant(deleted.startAt),
        end_time: formatInstant(deleted.endAt),
      },
    },
    now,
  );
  return ok({ id: downtimeId, serviceName: service.name });
}

/** A window that has not ended; active or future. */
const selectOpenDowntime = async (tx: Tx, downtimeId: number, now: Date) =>
  first(
    await tx.query<{ serviceId: ServiceId }>(sql`
      select service_id as "serviceId" from downtime where id = ${downtimeId} and end_at > ${now}`),
  );
