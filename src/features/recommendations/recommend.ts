import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { requestRecommendation } from '../../engine/advice/recommendations.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Asker } from '../../engine/requests/caller.ts';
import { type AdministerRefusal, administerService } from '../../engine/services/administer-service.ts';
import type { Database } from '../../platform/db/database.ts';

export type RecommendRefusal = AdministerRefusal | 'already_pending';

/** A completed result that waits stays as it is, and can still be applied by its id. */
export const recommend = (
  db: Database,
  asker: Asker,
  serviceId: ServiceId,
  now: Date,
): Promise<Result<ServiceId, RecommendRefusal>> =>
  db.transaction(async (tx) => {
    const permitted = await administerService(tx, asker, serviceId);
    if (!permitted.ok) return permitted;
    const { service, actor } = permitted.value;
    const id = await requestRecommendation(tx, { serviceId, requestedBy: actor }, now);
    if (id === null) return refuse('already_pending');
    const { organizationId } = service;
    const detail = { result_id: id };
    await writeAudit(tx, actor, { action: 'recommendation.request', organizationId, serviceId, detail }, now);
    return ok(serviceId);
  });
