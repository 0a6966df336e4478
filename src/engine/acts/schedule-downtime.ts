import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { parseLocalTime } from '../../domain/local-time.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isInt4 } from '../../platform/http/fields.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { insertDowntime } from '../quiet-times/downtimes.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';

interface WantedDowntime {
  /** Any integer; what is no service is refused. */
  serviceId: number;
  startTime: string;
  endTime: string;
  reason: string;
}

export type WindowRefusal = 'no_reason' | 'unparsable_time' | 'end_not_after_start' | 'already_over';
export type ScheduleRefusal = 'no_role' | 'invalid_service' | OperateRefusal | WindowRefusal;

export async function scheduleDowntime(
  tx: Tx,
  requester: Requester,
  wanted: WantedDowntime,
  now: Date,
): Promise<Result<ServiceId, ScheduleRefusal>> {
  if (requester.memberships.length === 0) return refuse('no_role');
  if (!isInt4(wanted.serviceId)) return refuse('invalid_service');
  const serviceId = wanted.serviceId as ServiceId;

  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;
  const window = readWindow(wanted, requester.timezone, now);
  if (!window.ok) return window;

  const { startAt, endAt } = window.value;
  const { reason } = wanted;
  const downtime = await insertDowntime(
    tx,
    { serviceId: service.id, startAt, endAt, reason, author: { accountId, name: requester.name } },
    now,
  );
  lookAgain(tx, [serviceId], now);
  await writeAudit(
    tx,
    requester,
    {
      action: 'downtime.schedule',
      organizationId: service.organizationId,
      serviceId,
      detail: {
        downtime: downtime?.id,
        reason,
        start_time: formatInstant(startAt),
        end_time: formatInstant(endAt),
      },
    },
    now,
  );
  return ok(serviceId);
}

export function readWindow(
  { reason, startTime, endTime }: Omit<WantedDowntime, 'serviceId'>,
  timeZone: string,
  now: Date,
): Result<{ startAt: Date; endAt: Date }, WindowRefusal> {
  if (reason.trim() === '') return refuse('no_reason');
  const start = parseLocalTime(startTime, timeZone);
  const end = parseLocalTime(endTime, timeZone);
  if (!start.ok || !end.ok) return refuse('unparsable_time');
  if (end.value <= start.value) return refuse('end_not_after_start');
  if (end.value <= now) return refuse('already_over');
  return ok({ startAt: start.value, endAt: end.value });
}
