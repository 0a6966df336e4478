import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { canTake } from '../../domain/rescue/rank-refuges.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { describeMovedTo } from '../../domain/words/note-words.ts';
import { nameWithPlace } from '../../domain/words/place.ts';
import type { Tx } from '../../platform/db/database.ts';
import { commentAcknowledgement, hasAcknowledged } from '../alarm-state/acknowledgements.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { needOf, selectAlarming } from '../rescue/read-plan.ts';
import { lockRefuge, NOTHING_SAID, selectRefuge, selectRescue } from '../rescue/rescue-rows.ts';
import { insertReservation, selectReservations } from '../rescue/reservation-rows.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';
import { acknowledge } from './acknowledge.ts';
import { selectAlarmState } from './select-alarm-state.ts';

export type ReserveRefusal = OperateRefusal | 'no_active_alarm' | 'refuge_taken' | 'reserved_already';

/** After that whoever looks after the refuge has counted what came in. */
const HELD_MS = 7 * 24 * 60 * 60_000;

export interface ReservedRefuge {
  refugeName: string;
  /** With where the contents go as the comment. Somebody else may have it, or it may say something already. */
  isTakenOn: boolean;
}

/** Room in a refuge for all that is in a unit in alarm, and the alarm taken on with where it goes. Of two one wins. */
export async function reserveRefuge(
  tx: Tx,
  requester: Requester,
  { serviceId, refugeId }: { serviceId: ServiceId; refugeId: ServiceId | null },
  now: Date,
): Promise<Result<ReservedRefuge, ReserveRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;
  const { organizationId } = service;
  const alarm = await selectAlarmState(tx, service.id);
  if (!alarm?.episodeId || alarm.severity === 'normal') return refuse('no_active_alarm');
  if (refugeId === null) return refuse('refuge_taken');
  await lockRefuge(tx, organizationId, refugeId);
  const rescue = (await selectRescue(tx, serviceId)) ?? NOTHING_SAID;
  const place = await selectAlarming(tx, serviceId);
  const need = needOf(serviceId, rescue, place?.locationName ?? null);
  const refuge = await selectRefuge(tx, organizationId, refugeId, now);
  if (!need || !refuge || !canTake(need, refuge)) return refuse('refuge_taken');
  const { episodeId } = alarm;
  const reserved = await selectReservations(tx, serviceId, episodeId, now);
  if (reserved.some((one) => one.refugeId === refugeId)) return refuse('reserved_already');
  const racks = Math.max(1, need.racks);
  const by = { accountId, name: requester.name };
  insertReservation(
    tx,
    { serviceId: service.id, refugeId, episodeId, racks, by, until: new Date(now.getTime() + HELD_MS) },
    now,
  );
  const refugeName = nameWithPlace(refuge.name, {
    organizationName: null,
    locationName: refuge.locationName,
  });
  const comment = describeMovedTo(refugeName, racks);
  const isTakenOn = (await hasAcknowledged(tx, serviceId, accountId))
    ? (await commentAcknowledgement(tx, { serviceId: service.id, episodeId, accountId }, comment)) !== null
    : (await acknowledge(tx, requester, { serviceId, comment }, now)).ok;
  const detail = { refuge: refugeId, name: refuge.name, racks };
  await writeAudit(tx, requester, { action: 'rescue.reserve', organizationId, serviceId, detail }, now);
  return ok({ refugeName, isTakenOn });
}
