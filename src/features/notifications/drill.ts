import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { type DrillRefusal, tellDrill } from '../../engine/outbox/tell-drill.ts';
import { type AdministerRefusal, administerService } from '../../engine/services/administer-service.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertDrill } from './drill-queries.ts';

/** Sends a marked alarm the way a real one would go. The service's own state stays as it is. */
export async function startDrill(
  tx: Tx,
  requester: Requester,
  { serviceId, climbs }: { serviceId: ServiceId; climbs: boolean },
  now: Date,
): Promise<Result<null, AdministerRefusal | DrillRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service, accountId } = permitted.value;
  const { name: accountName } = requester;
  const told = await tellDrill(tx, { serviceId, authorName: accountName, climbs }, now);
  if (!told.ok) return refuse(told.refusal);
  await insertDrill(tx, { serviceId, ...told.value, accountId, accountName }, now);
  const { organizationId } = service;
  const detail = { notification: told.value.notificationId, ...(climbs && { climbs }) };
  await writeAudit(tx, requester, { action: 'service.drill', organizationId, serviceId, detail }, now);
  return ok(null);
}
