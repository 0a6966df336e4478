import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { requestRecommendation } from '../advice/recommendations.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../services/administer-service.ts';

export type RecommendRefusal = AdministerRefusal | 'already_pending';

/** A completed result that waits stays as it is, and can still be applied by its id. */
export async function recommend(
  tx: Tx,
  requester: Requester,
  { serviceId }: { serviceId: ServiceId },
  now: Date,
): Promise<Result<ServiceId, RecommendRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service } = permitted.value;
  const id = await requestRecommendation(tx, { serviceId, requestedBy: requester }, now);
  if (id === null) return refuse('already_pending');
  const { organizationId } = service;
  const detail = { result_id: id };
  await writeAudit(
    tx,
    requester,
    { action: 'recommendation.request', organizationId, serviceId, detail },
    now,
  );
  return ok(serviceId);
}
