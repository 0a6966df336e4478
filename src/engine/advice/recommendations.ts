// The life of a request for limits: asked for by an administrator, taken by an advisor, completed or failed. Endpoints,
// command line and advisors all come through here.

import sql from 'sql-template-tag';
import { type Requester, withoutAccount } from '../../domain/accounts/requester.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { toStorable } from '../../domain/storable-text.ts';
import { write } from '../../domain/words/written.ts';
import { type Database, first, type Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import type { AdministeredService } from '../services/administer-service.ts';
import { FAILURES } from './failure-words.ts';

export interface ClaimedRequest {
  id: string;
  organizationId: OrganizationId;
  serviceId: ServiceId;
  /** Counts from 1. */
  attempt: number;
}

const MOST_ATTEMPTS = 3;
const NEVER_CAME_BACK = write(FAILURES.neverCameBack, { count: MOST_ATTEMPTS });

const ADVISOR = withoutAccount('advisor');

/** Its id; null when one is pending already, also one that somebody else is making at this moment. */
export async function requestRecommendation(
  tx: Tx,
  { serviceId, requestedBy }: { serviceId: ServiceId; requestedBy: Requester },
  now: Date,
): Promise<string | null> {
  const made = first(
    await tx.query<{ id: string }>(sql`
      insert into recommendation (service_id, state, requested_by_id, requested_by_name, requested_at)
      values (${serviceId}, 'pending', ${requestedBy.accountId}, ${requestedBy.name}, ${now})
      on conflict (service_id) where state = 'pending' do nothing returning id`),
  );
  return made?.id ?? null;
}

/**
 * Takes the oldest request that nobody holds, or whose lease is over, of whoever had no turn for longest. One that was taken
 * often enough and never came back is failed instead. `turns`: whose the last ones were, the latest last.
 */
export async function claimRequest(
  db: Database,
  now: Date,
  leaseMs: number,
  turns: readonly OrganizationId[] = [],
): Promise<ClaimedRequest | null> {
  return db.transaction(async (tx) => {
    const givenUp = await lockGivenUp(tx, now);
    if (givenUp) await finishRequest(tx, ADVISOR, givenUp.id, { failed: NEVER_CAME_BACK }, now);
    return first(
      await tx.query<ClaimedRequest>(sql`
        update recommendation
        set attempts = attempts + 1, leased_until = ${new Date(now.getTime() + leaseMs)}
        from service
        where service.id = service_id and recommendation.id = (
          select recommendation.id from recommendation join service on service.id = service_id
          where state = 'pending' and attempts < ${MOST_ATTEMPTS} and (leased_until is null or leased_until <= ${now})
          order by array_position(${turns}::int[], organization_id) nulls first, recommendation.id
          limit 1 for update of recommendation skip locked)
        returning recommendation.id, service_id as "serviceId", organization_id as "organizationId", attempts as "attempt"`),
    );
  });
}

/** False when it is no longer pending. */
export const completeRequest = (db: Database, id: string, result: object, now: Date): Promise<boolean> =>
  db.transaction((tx) => finishRequest(tx, ADVISOR, id, { completed: JSON.stringify(result) }, now));

/** False when it is no longer pending. */
export const failRequest = (db: Database, id: string, reason: string, now: Date): Promise<boolean> =>
  db.transaction((tx) => finishRequest(tx, ADVISOR, id, { failed: reason }, now));

export type AdviceOutcome = { completed: string } | { failed: string };

/** `completed` is the JSON of the result, kept to the letter. False when it is no longer pending. */
export async function finishRequest(
  tx: Tx,
  requester: Requester,
  id: string,
  outcome: AdviceOutcome,
  now: Date,
): Promise<boolean> {
  const finished = first(await tx.query<FinishedRequest>(writeOutcome(id, outcome, now)));
  if (!finished) return false;
  const detail = { result_id: id, ...('failed' in outcome && { reason: toStorable(outcome.failed) }) };
  const action = 'failed' in outcome ? 'recommendation.fail' : 'recommendation.complete';
  await writeAudit(tx, requester, { action, ...finished, detail }, now);
  return true;
}

interface FinishedRequest {
  serviceId: ServiceId;
  organizationId: OrganizationId;
}

function writeOutcome(id: string, outcome: AdviceOutcome, now: Date) {
  const isFailed = 'failed' in outcome;
  return sql`
    update recommendation
    set state = ${isFailed ? 'failed' : 'completed'}, finished_at = ${now}, leased_until = null,
      failure_reason = ${isFailed ? toStorable(outcome.failed) : null},
      result = ${isFailed ? null : outcome.completed}
    from service
    where recommendation.id = ${id} and state = 'pending' and service.id = service_id
    returning service_id as "serviceId", organization_id as "organizationId"`;
}

/** Once, for those who apply one to a service queue up. */
export const markApplied = (tx: Tx, { id: serviceId }: AdministeredService, id: string, now: Date) =>
  tx.query(sql`
    update recommendation set state = 'applied', applied_at = ${now}
    where id = ${id} and service_id = ${serviceId}`);

/** At most one at a time: the next call takes the next one. */
const lockGivenUp = async (tx: Tx, now: Date) =>
  first(
    await tx.query<{ id: string }>(sql`
      select id from recommendation
      where state = 'pending' and attempts >= ${MOST_ATTEMPTS} and leased_until <= ${now}
      order by id limit 1 for update skip locked`),
  );
