import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import { type Proposal, readProposal } from '../../domain/advisor/proposed-bands.ts';
import { resolveProposal } from '../../domain/advisor/resolve-proposal.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { findLimitsChanges, nameChannel } from '../../domain/judging/limits.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { markApplied } from '../advice/recommendations.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { selectKnownChannels } from '../equipment/channels.ts';
import {
  type AdministeredService,
  type AdministerRefusal,
  administerService,
} from '../services/administer-service.ts';
import { adoptLimits } from '../services/adopt-limits.ts';
import { selectLimitsInForce } from '../services/limits-in-force.ts';

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
  const found = await findProposal(tx, service, resultId);
  if (!found.ok) return found;

  const channels = await selectKnownChannels(tx, serviceId);
  const inForce = await selectLimitsInForce(tx, serviceId);
  const { limits, replaced } = resolveProposal(found.value, channels, inForce);
  const { organizationId } = service;
  const author = { id: accountId, name: requester.name };
  const adoption = { serviceId, organizationId, limits, origin: 'recommendation' as const, author, now };
  const version = await adoptLimits(tx, adoption);
  await markApplied(tx, service, resultId, now);

  const changes = findLimitsChanges(replaced, limits);
  const detail = { result_id: resultId, metric_channel: nameChannel(limits.channel), version, changes };
  const action = 'policy.apply_recommendation';
  await writeAudit(tx, requester, { action, organizationId, serviceId, detail }, now);
  return ok(limits.bands.length);
}

async function findProposal(
  tx: Tx,
  service: AdministeredService,
  resultId: string,
): Promise<Result<Proposal, ResultRefusal>> {
  const stored = await selectRecommendation(tx, resultId);
  if (!stored) return refuse('no_such_result');
  if (stored.serviceId !== service.id) return refuse('of_another_service');
  if (stored.state !== 'completed' || !stored.result) return refuse('not_unapplied');
  const proposal = readProposal(stored.result);
  if (proposal === 'missing') return refuse('no_bands');
  if (proposal === 'unusable') return refuse('unusable_bands');
  return ok(proposal);
}

const selectRecommendation = async (tx: Tx, id: string) =>
  first(
    await tx.query<{ serviceId: ServiceId; state: string; result: object | null }>(sql`
      select service_id as "serviceId", state, result from recommendation where id = ${id}`),
  );
