import type { Requester } from '../../domain/accounts/requester.ts';
import { unlessBlank } from '../../domain/blank.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import {
  type AcknowledgedSeverity,
  insertAcknowledgement,
} from '../../engine/alarm-state/acknowledgements.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { noteAcknowledgement } from '../../engine/outbox/note.ts';
import { type OperateRefusal, operateOnService } from '../../engine/services/operate-on-service.ts';
import type { Tx } from '../../platform/db/database.ts';
import { selectAlarmState } from './queries.ts';

export type AcknowledgeRefusal = OperateRefusal | 'no_active_alarm' | 'already_acknowledged';

export interface Acknowledgement {
  id: number;
  serviceId: ServiceId;
  severity: AcknowledgedSeverity;
  comment: string | null;
  by: string;
  at: Date;
}

const ACKNOWLEDGED = { critical: 'CRITICAL', warning: 'WARNING' } as const;

/** One at a time per service. A service that is only stale has no alarm to acknowledge, and an archived one is normal. */
export async function acknowledge(
  tx: Tx,
  requester: Requester,
  { serviceId, comment: sent }: { serviceId: ServiceId; comment: string | undefined },
  now: Date,
): Promise<Result<Acknowledgement, AcknowledgeRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;

  const alarm = await selectAlarmState(tx, serviceId);
  if (!alarm || alarm.severity === 'normal') return refuse('no_active_alarm');
  const severity = ACKNOWLEDGED[alarm.severity];
  const comment = unlessBlank(sent);

  const { episodeId } = alarm;
  const { name: accountName } = requester;
  const given = { serviceId, episodeId, severity, comment, accountId, accountName };
  const stored = await insertAcknowledgement(tx, given, now);
  if (!stored) return refuse('already_acknowledged');
  noteAcknowledgement(tx, { ...given, severity: alarm.severity }, now);

  const { organizationId } = service;
  const detail = { severity, comment };
  await writeAudit(tx, requester, { action: 'alarm.acknowledge', organizationId, serviceId, detail }, now);
  return ok({ id: stored.id, serviceId, severity, comment, by: accountName, at: now });
}
