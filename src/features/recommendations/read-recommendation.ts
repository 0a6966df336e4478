import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import { readProposal } from '../../domain/advisor/proposed-bands.ts';
import { type ResolvedProposal, resolveProposal } from '../../domain/advisor/resolve-proposal.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { selectKnownChannels } from '../../engine/equipment/channels.ts';
import { selectLimitsInForce } from '../../engine/services/limits-in-force.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ComparedBand, compareBands } from './compare-bands.ts';
import { type StoredRecommendation, selectNewest, selectService } from './queries.ts';
import { readBacktest, readReasoning, type ShownBacktest } from './shown-result.ts';

export type ReadRefusal = 'no_role' | 'no_such_service';

export interface ShownRecommendation {
  serviceId: ServiceId;
  serviceName: string;
  canAdminister: boolean;
  /** null: nothing was ever requested. */
  newest: StoredRecommendation | null;
  /** Of a completed or applied one. */
  advice: Advice | null;
}

export interface Advice {
  /** What it comes to; or why it cannot be applied. */
  proposal: (ResolvedProposal & { bands: ComparedBand[] }) | 'missing' | 'unusable';
  reasoning: string[];
  backtest: ShownBacktest | null;
}

/** The newest request of a service counts, whatever became of those before it. */
export async function readRecommendation(
  db: ReadDatabase,
  requester: Requester,
  serviceId: ServiceId,
): Promise<Result<ShownRecommendation, ReadRefusal>> {
  if (requester.memberships.length === 0) return refuse('no_role');
  const service = await selectService(db, serviceId);
  const role = service && roleIn(requester, service.organizationId);
  if (!service || !role) return refuse('no_such_service');
  const newest = await selectNewest(db, serviceId);
  return ok({
    serviceId,
    serviceName: service.name,
    canAdminister: canAdminister(role),
    newest,
    advice: newest?.result ? await readAdvice(db, serviceId, newest.result) : null,
  });
}

async function readAdvice(db: ReadDatabase, serviceId: ServiceId, result: object): Promise<Advice> {
  const said = { reasoning: readReasoning(result), backtest: readBacktest(result) };
  const proposal = readProposal(result);
  if (typeof proposal === 'string') return { ...said, proposal };
  const inForce = await selectLimitsInForce(db, serviceId);
  const resolved = resolveProposal(proposal, await selectKnownChannels(db, serviceId), inForce);
  return { ...said, proposal: { ...resolved, bands: compareBands(resolved.current, resolved.limits) } };
}
