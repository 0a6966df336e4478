import type { Requester } from '../../domain/accounts/requester.ts';
import { unlessBlank } from '../../domain/blank.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { AlarmSeverity } from '../../domain/notifications/subject.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type AcknowledgedSeverity, insertAcknowledgement } from '../alarm-state/acknowledgements.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { noteAcknowledgement } from '../outbox/note.ts';
import { type OperateRefusal, type Operation, operateOnService } from '../services/operate-on-service.ts';
import { selectAlarmState } from './select-alarm-state.ts';

export type AcknowledgeRefusal = OperateRefusal | 'no_active_alarm' | 'already_acknowledged';

export interface Acknowledgement {
  id: number;
  serviceId: ServiceId;
  severity: AcknowledgedSeverity;
  comment: string | null;
  by: string;
  at: Date;
}

/** One at a time per service. A service that is only stale has no alarm to acknowledge, and an archived one is normal. */
export async function acknowledge(
  tx: Tx,
  requester: Requester,
  { serviceId, comment }: { serviceId: ServiceId; comment: string | undefined },
  now: Date,
): Promise<Result<Acknowledgement, AcknowledgeRefusal>> {
  const found = await findAlarm(tx, requester, serviceId);
  return found.ok ? give(tx, requester, found.value, unlessBlank(comment), now) : found;
}

export type EpisodeRefusal = AcknowledgeRefusal | 'newer_alarm';

/** Only this episode: what has begun since then is left alone. */
export async function acknowledgeEpisode(
  tx: Tx,
  requester: Requester,
  { serviceId, episodeId, by }: { serviceId: ServiceId; episodeId: string; by?: 'link' },
  now: Date,
): Promise<Result<Acknowledgement, EpisodeRefusal>> {
  const found = await findAlarm(tx, requester, serviceId);
  if (!found.ok) return found;
  if (found.value.episodeId !== episodeId) return refuse('newer_alarm');
  return give(tx, requester, { ...found.value, ...(by && { by }) }, null, now);
}

interface FoundAlarm extends Operation {
  severity: AlarmSeverity;
  episodeId: string | null;
  /** Left out: in a session. */
  by?: 'link';
}

async function findAlarm(
  tx: Tx,
  requester: Requester,
  serviceId: ServiceId,
): Promise<Result<FoundAlarm, AcknowledgeRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const alarm = await selectAlarmState(tx, operation.value.service.id);
  if (!alarm || alarm.severity === 'normal') return refuse('no_active_alarm');
  return ok({ ...operation.value, severity: alarm.severity, episodeId: alarm.episodeId });
}

const ACKNOWLEDGED = { critical: 'CRITICAL', warning: 'WARNING' } as const;

async function give(
  tx: Tx,
  requester: Requester,
  { service, accountId, severity: current, episodeId, by }: FoundAlarm,
  comment: string | null,
  now: Date,
): Promise<Result<Acknowledgement, 'already_acknowledged'>> {
  const { id: serviceId, organizationId } = service;
  const severity = ACKNOWLEDGED[current];
  const { name: accountName } = requester;
  const given = { serviceId, episodeId, severity, comment, accountId, accountName };
  const stored = await insertAcknowledgement(tx, given, now);
  if (!stored) return refuse('already_acknowledged');
  noteAcknowledgement(tx, { ...given, severity: current }, now);

  const detail = { severity, comment, ...(by && { by }) };
  await writeAudit(tx, requester, { action: 'alarm.acknowledge', organizationId, serviceId, detail }, now);
  return ok({ id: stored.id, serviceId, severity, comment, by: accountName, at: now });
}
