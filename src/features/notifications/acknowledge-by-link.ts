// The link in a message: the same acknowledge verb, for the one episode that the message was about.

import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { lockAlarmStates } from '../../engine/alarm-state/lock-alarm-states.ts';
import { type Actor, writeAudit } from '../../engine/audit/write-audit.ts';
import { type Asker, roleIn } from '../../engine/requests/caller.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type CurrentAlarm,
  type Link,
  selectCurrentAlarm,
  selectEarlier,
  selectLink,
  selectOwnComment,
  updateComment,
} from './acknowledge-queries.ts';
import { acknowledgeDrill, selectDrill } from './drill-queries.ts';

/** Of the alarms room; app.ts hands it in. */
export type Acknowledge = (
  tx: Tx,
  asker: Asker,
  wanted: { serviceId: ServiceId; comment: string | undefined },
  now: Date,
) => Promise<
  Result<
    unknown,
    'no_such_service' | 'outside_organization' | 'viewer_only' | 'no_active_alarm' | 'already_acknowledged'
  >
>;

/** What the page tells. `by` and `at`: who acknowledged, if anybody did. */
export interface LinkOutcome {
  outcome: 'acknowledged' | 'already_acknowledged' | 'over' | 'newer_alarm' | 'viewer_only';
  link: Link;
  alarm: CurrentAlarm | null;
  acknowledged: { by: string; at: Date; isVisitor: boolean; comment: string | null } | null;
  /** How long the drill took, from its start to the acknowledgement. */
  drillMs: number | null;
}

const REFUSED: Record<'no_active_alarm' | 'already_acknowledged' | 'viewer_only', LinkOutcome['outcome']> = {
  no_active_alarm: 'over',
  already_acknowledged: 'already_acknowledged',
  viewer_only: 'viewer_only',
};

/** Whoever is no member of the organization learns no more than from a link that never was. */
export async function acknowledgeByLink(
  tx: Tx,
  { acknowledge, asker }: { acknowledge: Acknowledge; asker: Asker },
  token: string,
  now: Date,
): Promise<Result<LinkOutcome, 'no_such_link'>> {
  const found = await findLink(tx, asker, token);
  if (!found) return refuse('no_such_link');
  const { link, actor } = found;
  const nothing = { link, alarm: null, acknowledged: null, drillMs: null };
  if (!canOperate(roleIn(asker.caller, link.organizationId)))
    return ok({ ...nothing, outcome: 'viewer_only' });
  if (link.drillId !== null) return ok(await acknowledgeOwnDrill(tx, link, link.drillId, actor, now));

  await lockAlarmStates(tx, [link.serviceId]);
  const alarm = await selectCurrentAlarm(tx, link.serviceId);
  if (!alarm || alarm.severity === 'normal') return ok({ ...nothing, outcome: 'over' });
  if (alarm.episodeId !== link.episodeId) return ok({ ...nothing, alarm, outcome: 'newer_alarm' });

  const done = await acknowledge(tx, asker, { serviceId: link.serviceId, comment: undefined }, now);
  if (!done.ok && (done.refusal === 'no_such_service' || done.refusal === 'outside_organization'))
    return refuse('no_such_link');
  const earlier = await selectEarlier(tx, link.serviceId, alarm.severity);
  const acknowledged = earlier && { ...earlier, isVisitor: earlier.accountId === actor.accountId };
  const outcome = done.ok ? 'acknowledged' : REFUSED[done.refusal as keyof typeof REFUSED];
  return ok({ ...nothing, outcome, alarm, acknowledged });
}

async function findLink(
  tx: Tx,
  { caller, address, requestId }: Asker,
  token: string,
): Promise<{ link: Link; actor: Actor & { accountId: AccountId } } | null> {
  const link = /^[\w-]{20,200}$/.test(token) ? await selectLink(tx, token) : null;
  if (!caller || !link || !roleIn(caller, link.organizationId)) return null;
  return { link, actor: { accountId: caller.id, name: caller.name, address, requestId } };
}

async function acknowledgeOwnDrill(
  tx: Tx,
  link: Link,
  drillId: number,
  actor: Actor & { accountId: AccountId },
  now: Date,
): Promise<LinkOutcome> {
  const { organizationId, serviceId } = link;
  const done = await acknowledgeDrill(tx, drillId, actor, now);
  if (done) {
    const detail = { drill: drillId, seconds: Math.round((now.getTime() - done.startedAt.getTime()) / 1000) };
    await writeAudit(tx, actor, { action: 'drill.acknowledge', organizationId, serviceId, detail }, now);
  }
  const drill = await selectDrill(tx, drillId);
  const { acknowledgedBy: by = null, acknowledgedAt: at = null } = drill ?? {};
  return {
    outcome: done ? 'acknowledged' : 'already_acknowledged',
    link,
    alarm: null,
    acknowledged:
      by !== null && at
        ? { by, at, isVisitor: drill?.acknowledgedById === actor.accountId, comment: null }
        : null,
    drillMs: drill && at ? at.getTime() - drill.startedAt.getTime() : null,
  };
}

/** What somebody found out after acknowledging. An acknowledgement that says something already keeps its words. */
export async function commentByLink(
  tx: Tx,
  asker: Asker,
  { token, comment }: { token: string; comment: string },
  now: Date,
): Promise<Result<Link, 'no_such_link' | 'viewer_only'>> {
  const found = await findLink(tx, asker, token);
  if (!found) return refuse('no_such_link');
  const { link, actor } = found;
  // The role may have been taken away since the acknowledgement.
  if (!canOperate(roleIn(asker.caller, link.organizationId))) return refuse('viewer_only');
  await lockAlarmStates(tx, [link.serviceId]);
  const said = await updateComment(tx, link, actor.accountId, comment);
  if (said) {
    const { organizationId, serviceId } = link;
    const detail = { severity: said.severity, comment };
    await writeAudit(tx, actor, { action: 'alarm.comment', organizationId, serviceId, detail }, now);
  }
  return ok(link);
}

/** What the visitor said last about the episode of the link. */
export async function readCommentByLink(
  tx: Tx,
  asker: Asker,
  token: string,
): Promise<{ link: Link; comment: string } | null> {
  const found = await findLink(tx, asker, token);
  const comment = found && (await selectOwnComment(tx, found.link, found.actor.accountId));
  return found && comment ? { link: found.link, comment } : null;
}
