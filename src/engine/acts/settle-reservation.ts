import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { MOST_RACKS } from '../../domain/rescue/rescue.ts';
import { countRacks, SETTLING, type Settling } from '../../domain/rescue/settle-reservation.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lockRefuge, setFreeRacks } from '../rescue/rescue-rows.ts';
import { selectReservation, settle } from '../rescue/reservation-rows.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';

export type SettleRefusal = OperateRefusal | 'no_reservation';

const ACTIONS: Record<Settling, AuditAction> = {
  'moved-in': 'rescue.moved_in',
  'release-refuge': 'rescue.release',
  'back-again': 'rescue.back_again',
  'undo-moved-in': 'rescue.moved_in_undone',
  'undo-back-again': 'rescue.back_again_undone',
};

interface Wanted {
  serviceId: ServiceId;
  reservationId: string | null;
  act: Settling;
}

/** Of two who end the same reservation one does. The unit may be archived by then: its racks are elsewhere all the same. */
export async function settleReservation(
  tx: Tx,
  requester: Requester,
  { serviceId, reservationId, act }: Wanted,
  now: Date,
): Promise<Result<{ refugeId: ServiceId }, SettleRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service } = operation.value;
  const reservation = reservationId === null ? null : await selectReservation(tx, service.id, reservationId);
  const { from, to } = SETTLING[act];
  if (!reservationId || reservation?.state !== from) return refuse('no_reservation');
  const { refugeId, refugeName, racks, counted } = reservation;
  const freeRacks = (await lockRefuge(tx, service.organizationId, refugeId))?.freeRacks ?? null;
  const after = countRacks(to, { racks, counted, freeRacks }, MOST_RACKS);
  settle(
    tx,
    { serviceId: service.id, id: reservationId, to, by: requester.name, counted: after.counted },
    now,
  );
  if (after.freeRacks !== null && after.freeRacks !== freeRacks)
    setFreeRacks(tx, refugeId, after.freeRacks, now);
  const detail = {
    refuge: refugeId,
    name: refugeName,
    racks,
    changes: { freeRacks: { before: freeRacks, after: after.freeRacks } },
  };
  const { organizationId } = service;
  await writeAudit(tx, requester, { action: ACTIONS[act], organizationId, serviceId, detail }, now);
  return ok({ refugeId });
}
