// The link in a message: the same acknowledge verb, for the one episode that the message was about.

import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AlarmFacts } from '../../domain/words/alarm-facts.ts';
import { acknowledgeEpisode, type EpisodeRefusal } from '../../engine/acts/acknowledge.ts';
import { commentAcknowledgement } from '../../engine/alarm-state/acknowledgements.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { noteLinkFollowed } from '../../engine/first-steps/first-steps.ts';
import { lockAlarmState } from '../../engine/journal/lock-alarm-states.ts';
import { readTaken, type TakenModel } from '../../engine/pages/taken-alarm.tsx';
import type { Tx } from '../../platform/db/database.ts';
import { acknowledgeOwnDrill } from './acknowledge-drill.ts';
import {
  type CurrentAlarm,
  type Link,
  selectCurrentAlarm,
  selectEarlier,
  selectLink,
  selectOwnComment,
} from './acknowledge-queries.ts';
import { selectDrill } from './drill-queries.ts';

/** What the page tells. `by` and `at`: who acknowledged, if anybody did. */
export interface LinkOutcome {
  outcome: 'acknowledged' | 'already_acknowledged' | 'over' | 'newer_alarm' | 'viewer_only';
  link: Link;
  alarm: CurrentAlarm | null;
  /** Of the alarm, as it stands now. */
  facts: AlarmFacts | null;
  /** What the visitor can do now; null: nothing. */
  taken: TakenModel | null;
  acknowledged: { by: string; at: Date; isVisitor: boolean; comment: string | null } | null;
  /** How long the drill took, from its start to the acknowledgement. */
  drillMs: number | null;
}

const REFUSED: Record<EpisodeRefusal, LinkOutcome['outcome'] | 'no_such_link'> = {
  no_such_service: 'no_such_link',
  outside_organization: 'no_such_link',
  viewer_only: 'viewer_only',
  no_active_alarm: 'over',
  newer_alarm: 'newer_alarm',
  already_acknowledged: 'already_acknowledged',
};

/** Whoever is no member of the organization learns no more than from a link that never was. */
export async function acknowledgeByLink(
  tx: Tx,
  requester: Requester,
  { token, language }: { token: string; language: Language },
  now: Date,
): Promise<Result<LinkOutcome, 'no_such_link'>> {
  const found = await findLink(tx, requester, token);
  if (!found) return refuse('no_such_link');
  const { link, accountId } = found;
  noteLinkFollowed(tx, link, now);
  const nothing = { link, alarm: null, facts: null, taken: null, acknowledged: null, drillMs: null };
  if (!canOperate(roleIn(requester, link.organizationId))) return ok({ ...nothing, outcome: 'viewer_only' });
  if (link.drillId !== null) return ok(await acknowledgeDrillOf(tx, found, link.drillId, requester, now));

  const { serviceId, organizationId } = link;
  const done = await acknowledgeEpisode(tx, requester, link, now);
  const outcome = done.ok ? 'acknowledged' : REFUSED[done.refusal];
  if (outcome === 'no_such_link') return refuse(outcome);
  const alarm = outcome === 'over' ? null : await selectCurrentAlarm(tx, serviceId);
  if (!alarm) return ok({ ...nothing, outcome });
  const facts = (await readAlarmFacts(tx, [serviceId], language)).get(serviceId) ?? null;
  if (outcome === 'newer_alarm') return ok({ ...nothing, alarm, facts, outcome });

  const earlier = await selectEarlier(tx, serviceId, alarm.severity);
  const acknowledged = earlier && { ...earlier, isVisitor: earlier.accountId === accountId };
  const taken = await readTaken(
    tx,
    { serviceId, organizationId, accountId, language, timezone: requester.timezone },
    now,
  );
  return ok({ ...nothing, outcome, alarm, facts, taken, acknowledged });
}

interface OpenedLink {
  link: Link;
  /** Of whoever opened it. */
  accountId: AccountId;
}

async function findLink(tx: Tx, requester: Requester, token: string): Promise<OpenedLink | null> {
  const link = /^[\w-]{20,200}$/.test(token) ? await selectLink(tx, token) : null;
  const { accountId } = requester;
  if (accountId === null || !link || !roleIn(requester, link.organizationId)) return null;
  return { link, accountId };
}

async function acknowledgeDrillOf(
  tx: Tx,
  { link, accountId }: OpenedLink,
  drillId: number,
  requester: Requester,
  now: Date,
): Promise<LinkOutcome> {
  const isDone = await acknowledgeOwnDrill(tx, requester, { ...link, drillId }, now);
  const drill = await selectDrill(tx, drillId);
  const { acknowledgedBy: by = null, acknowledgedAt: at = null } = drill ?? {};
  return {
    outcome: isDone ? 'acknowledged' : 'already_acknowledged',
    link,
    alarm: null,
    facts: null,
    taken: null,
    acknowledged:
      by !== null && at ? { by, at, isVisitor: drill?.acknowledgedById === accountId, comment: null } : null,
    drillMs: drill && at ? at.getTime() - drill.startedAt.getTime() : null,
  };
}

/** What somebody found out after acknowledging. An acknowledgement that says something already keeps its words. */
export async function commentByLink(
  tx: Tx,
  requester: Requester,
  { token, comment }: { token: string; comment: string },
  now: Date,
): Promise<Result<Link, 'no_such_link' | 'viewer_only'>> {
  const found = await findLink(tx, requester, token);
  if (!found) return refuse('no_such_link');
  const { link, accountId } = found;
  // The role may have been taken away since the acknowledgement.
  if (!canOperate(roleIn(requester, link.organizationId))) return refuse('viewer_only');
  const lockedId = await lockAlarmState(tx, link.serviceId);
  const own = { serviceId: lockedId, episodeId: link.episodeId, accountId };
  const said = await commentAcknowledgement(tx, own, comment);
  if (said) {
    const { organizationId, serviceId } = link;
    const detail = { severity: said.severity, comment };
    await writeAudit(tx, requester, { action: 'alarm.comment', organizationId, serviceId, detail }, now);
  }
  return ok(link);
}

/** What the visitor said last about the episode of the link. */
export async function readCommentByLink(
  tx: Tx,
  requester: Requester,
  token: string,
): Promise<{ link: Link; comment: string } | null> {
  const found = await findLink(tx, requester, token);
  const comment = found && (await selectOwnComment(tx, found.link, found.accountId));
  return found && comment ? { link: found.link, comment } : null;
}
