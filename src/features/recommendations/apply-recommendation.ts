import type { Requester } from '../../domain/accounts/requester.ts';
import { type Proposal, readProposal } from '../../domain/advisor/proposed-bands.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { findLimitsChanges, nameChannel } from '../../domain/judging/limits.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { markApplied } from '../../engine/advice/recommendations.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../../engine/services/administer-service.ts';
import { adoptLimits } from '../../engine/services/adopt-limits.ts';
import { selectLimitsInForce } from '../../engine/services/limits-in-force.ts';
import type { Tx } from '../../platform/db/database.ts';
import { selectChannels, selectRecommendation } from './queries.ts';
import { resolveProposal } from './resolve-proposal.ts';

type ResultRefusal =
  | 'no_such_result'
  | 'of_another_service'
  | 'not_unapplied'
  | 'no_bands'
  | 'unusable_bands';
export type ApplyRefusal = AdministerRefusal | ResultRefusal;

/** Replaces the limits of the recommended channel with exactly the proposed bands. Answers with how many they are. */
export async function applyRecommendation(
  tx: Tx,
  requester: Requester,
  { serviceId, resultId }: { serviceId: ServiceId; resultId: string },
  now: Date,
): Promise<Result<number, ApplyRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service, accountId } = permitted.value;
  const found = await findProposal(tx, serviceId, resultId);
  if (!found.ok) return found;

  const channels = await selectChannels(tx, serviceId);
  const inForce = await selectLimitsInForce(tx, serviceId);
  const { limits, replaced } = resolveProposal(found.value, channels, inForce);
  const { organizationId } = service;
  const author = { id: accountId, name: requester.name };
  const adoption = { serviceId, organizationId, limits, origin: 'recommendation' as const, author, now };
  const version = await adoptLimits(tx, adoption);
  await markApplied(tx, resultId, now);

  const changes = findLimitsChanges(replaced, limits);
  const detail = { result_id: resultId, metric_channel: nameChannel(limits.channel), version, changes };
  const action = 'policy.apply_recommendation';
  await writeAudit(tx, requester, { action, organizationId, serviceId, detail }, now);
  return ok(limits.bands.length);
}

async function findProposal(
  tx: Tx,
  serviceId: ServiceId,
  resultId: string,
): Promise<Result<Proposal, ResultRefusal>> {
  const stored = await selectRecommendation(tx, resultId);
  if (!stored) return refuse('no_such_result');
  if (stored.serviceId !== serviceId) return refuse('of_another_service');
  if (stored.state !== 'completed' || !stored.result) return refuse('not_unapplied');
  const proposal = readProposal(stored.result);
  if (proposal === 'missing') return refuse('no_bands');
  if (proposal === 'unusable') return refuse('unusable_bands');
  return ok(proposal);
}
