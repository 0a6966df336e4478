import type { Requester } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { NO_RESCUE, type RefusedRescue, readRescue, type TypedRescue } from '../../domain/rescue/rescue.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../services/administer-service.ts';
import { saveRescues, selectRescue } from './rescue-rows.ts';

export type RescueRefusal = AdministerRefusal | RefusedRescue;

export async function changeRescue(
  tx: Tx,
  requester: Requester,
  { serviceId, typed }: { serviceId: ServiceId; typed: TypedRescue },
  now: Date,
): Promise<Result<null, RescueRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const read = readRescue(typed);
  if (!read.ok) return read;
  const { service } = permitted.value;
  const before = (await selectRescue(tx, serviceId)) ?? NO_RESCUE;
  const changes = findChanges({ ...before }, { ...read.value });
  if (Object.keys(changes).length === 0) return ok(null);
  const { organizationId, name } = service;
  await saveRescues(tx, [{ serviceId, organizationId, ...read.value }], now);
  const detail = { name, changes };
  await writeAudit(tx, requester, { action: 'service.rescue', organizationId, serviceId, detail }, now);
  return ok(null);
}
