// Something is wrong, a value, or data that stays away: whom to tell now, and when to look again.
import { isWorse } from '../judging/severity.ts';
import { nameRecipient } from '../on-call/recipient.ts';
import { type Answer, drop, type PlannedNotification, type Standing, toTold } from './answer.ts';
import { type Climb, climb, type DueRecipient } from './climb.ts';
import { findFailed, spareLost } from './failed.ts';
import { addMinutes, earliest, latest } from './instants.ts';
import { standAt } from './ladder.ts';
import { findObstacle } from './obstacles.ts';
import type { Reason } from './reason.ts';
import type { Failed, Group, PassedOn, Situation, Told } from './situation.ts';
import type { AlarmSeverity, Beginning } from './subject.ts';
import { findNextEnd, findSuppressionEnd } from './suppression.ts';
import { sortUnsteady, UNSTEADY_WITHIN_MINUTES } from './unsteady.ts';

/** What holds, and what its subject makes of it. */
interface Held {
  subject: Beginning;
  topicId: string | null;
  /** When the first word on it is due. */
  firstAt: Date;
  waits: Reason;
  /** 0: never again. */
  everyMinutes: number;
  told: readonly Told[];
}

export function answerAlarm(situation: Situation, severity: AlarmSeverity, now: Date): Answer {
  const { since, delayMinutes, settings, episodeId, toldBefore } = situation;
  return answerHeld(
    situation,
    {
      subject: severity,
      topicId: episodeId,
      firstAt: addMinutes(since ?? now, delayMinutes),
      waits: { code: 'waits_for_delay', minutes: delayMinutes, of: 'band' },
      everyMinutes: settings.repeatIntervalMinutes,
      told: toldBefore.alarm.id === episodeId ? toldBefore.alarm.told : [],
    },
    { code: 'overtaken', by: severity },
    now,
  );
}

export function answerStale(
  situation: Situation,
  { id, noticedAt }: NonNullable<Situation['stale']>,
  now: Date,
): Answer {
  const { settings, toldBefore } = situation;
  const minutes = settings.systemNotificationDelayMinutes;
  return answerHeld(
    situation,
    {
      subject: 'stale',
      topicId: id,
      firstAt: addMinutes(noticedAt, minutes),
      waits: { code: 'waits_for_delay', minutes, of: 'stale' },
      everyMinutes: 0,
      told: toldBefore.stale.id === id ? toldBefore.stale.told : [],
    },
    { code: 'stale_again' },
    now,
  );
}

function answerHeld(situation: Situation, held: Held, overtaken: Reason, now: Date): Answer {
  const { subject } = held;
  const { group } = situation;
  const answer = { subject, notifications: [], overtaken, isClosing: false, opens: [] };
  const obstacle = findObstacle(situation, subject, now);
  if (obstacle || !group) {
    const otherwise = obstacle ?? drop({ code: 'no_group' });
    return { ...answer, otherwise, lookAgainAt: otherwise.until };
  }
  return { ...answer, ...tell(situation, group, held, now) };
}

function tell(
  situation: Situation,
  group: Group,
  held: Held,
  now: Date,
): Pick<Answer, 'notifications' | 'otherwise' | 'lookAgainAt' | 'opens'> {
  const { subject, firstAt, everyMinutes } = held;
  const known = new Map(held.told.map((one) => [nameRecipient(one), one]));
  const failed = findFailed(situation.toldBefore, held.topicId, subject);
  const climbed = climbLadder(situation, group, held, failed, now);
  const { passedOn: passed } = situation.climbed;
  const passedOn = passed?.severity === subject ? passed : null;
  const findWord = (one: DueRecipient) => {
    const last = known.get(nameRecipient(one));
    const due = whenDueAgain(one, passedOn);
    return last?.subject === subject && (!due || last.isUnderWay || last.at >= due) ? last : null;
  };
  const unheard = climbed.due.filter((one) => !findWord(one));
  const { unaware, againAt } = spareLost(unheard, failed, now);
  const aware = climbed.due.flatMap((one) => {
    const last = findWord(one);
    return last ? [{ last, due: one }] : [];
  });

  const isFirstDue = firstAt <= now;
  const sorted = sortUnsteady(unaware, subject, known, situation.warningsTold, now);
  const firsts = isFirstDue
    ? planFirsts(sorted, nameChange(sorted.steady, subject, known, passedOn), group.id)
    : [];
  const suppressionEndedAt = findSuppressionEnd(situation, now);
  const repeatAt = ({ last }: { last: Told }) =>
    addMinutes(latest(last.at, suppressionEndedAt), everyMinutes);
  const isRepeatDue = (one: { last: Told }) => everyMinutes > 0 && repeatAt(one) <= now;
  // Nobody is reminded of what has not arrived: it is still being tried.
  const reminded = aware.filter((one) => isRepeatDue(one) && !one.last.isUnderWay);
  const repeat: PlannedNotification = {
    groupId: group.id,
    recipients: reminded.map(({ due }) => toTold(due)),
    isRepeat: true,
    reason: { code: 'repeats', everyMinutes },
  };
  const notifications = [...firsts, ...(reminded.length > 0 ? [repeat] : [])];

  const isWaiting = !isFirstDue && (unaware.length > 0 || climbed.due.length === 0);
  const nextRepeatAt =
    everyMinutes === 0
      ? null
      : earliest(
          notifications.length > 0 || aware.some(isRepeatDue) ? addMinutes(now, everyMinutes) : null,
          ...aware.filter((one) => !isRepeatDue(one)).map(repeatAt),
        );
  const isSpared = sorted.heldUntil && notifications.length === 0 && aware.length === 0;
  return {
    notifications,
    otherwise: findStanding(climbed, held, { isWaiting, heldUntil: sorted.heldUntil }),
    lookAgainAt: earliest(
      isWaiting ? firstAt : null,
      nextRepeatAt,
      climbed.lookAgainAt,
      sorted.heldUntil,
      againAt,
      findNextEnd(situation, now),
    ),
    // While everybody is spared an unsteady warning nothing advances, and nobody is a last resort.
    opens: isSpared ? [] : climbed.opens.map((step) => ({ ...step, subject })),
  };
}

function findStanding(
  { due, waitsUntil }: Climb,
  { waits, firstAt, everyMinutes }: Held,
  { isWaiting, heldUntil }: { isWaiting: boolean; heldUntil: Date | null },
): Standing {
  if (isWaiting) return { state: 'waiting', reason: waits, until: firstAt };
  if (waitsUntil && due.length === 0)
    return {
      state: 'waiting',
      reason: { code: 'waits_for_duty', until: waitsUntil.toISOString() },
      until: waitsUntil,
    };
  if (heldUntil) return { state: 'waiting', reason: { code: 'held_unsteady' }, until: heldUntil };
  return drop(due.length === 0 ? { code: 'nobody_on_duty' } : { code: 'told_already', everyMinutes });
}

/** From when on the steps of its ladder count, and whom they reach. */
function climbLadder(
  situation: Situation,
  { ladder }: Group,
  { subject, firstAt, told }: Held,
  failed: readonly Failed[],
  now: Date,
): Climb {
  const { opened, acknowledgementEnds } = situation.climbed;
  const ends = acknowledgementEnds
    .filter(({ severity }) => subject !== 'stale' && !isWorse(subject, severity))
    .map(({ at }) => at);
  return climb(
    {
      ladder: standAt(ladder, now),
      subject,
      anchor: latest(firstAt, findSuppressionEnd(situation, now), ...ends),
      opened: opened.filter((one) => one.subject === subject),
      heard: told
        .filter((one) => one.subject === subject)
        .map(({ hasHeard, ...one }) => ({ ...one, hasArrived: hasHeard })),
      failed,
    },
    now,
  );
}

/** Since when a word counts: whoever cannot go is not told again by that, all others may be. null: any will do. */
function whenDueAgain(one: DueRecipient, passedOn: PassedOn | null): Date | null {
  const { since } = one;
  if (!passedOn) return since;
  if (passedOn.ways.includes(nameRecipient(one))) return since && since > passedOn.at ? since : null;
  return passedOn.isToAll ? latest(passedOn.at, since) : since;
}

/** One for each step, with the step's own reason; the first one says what happened. */
function planFirsts(
  { steady, unsteady }: ReturnType<typeof sortUnsteady<DueRecipient>>,
  change: Reason,
  groupId: number,
): PlannedNotification[] {
  const plan = (due: readonly DueRecipient[], first: Reason): PlannedNotification[] =>
    [...new Set(due.map(({ step }) => step))]
      .sort((one, other) => one - other)
      .map((step) => {
        const own = due.filter((one) => one.step === step);
        const reason = step === 0 ? first : (own[0]?.reason ?? first);
        return { groupId, recipients: own.map(toTold), isRepeat: false, reason };
      });
  if (unsteady.length === 0) return plan(steady, change);
  const note: Reason = {
    code: 'unsteady',
    count: Math.max(...unsteady.map(({ count }) => count)),
    withinMinutes: UNSTEADY_WITHIN_MINUTES,
  };
  const others = plan(
    unsteady.map(({ one }) => one),
    note,
  );
  return [...plan(steady, change), ...others.map((planned) => ({ ...planned, reason: note, note }))];
}

/** What it was to the worst of those who are told now. */
function nameChange(
  told: readonly DueRecipient[],
  subject: Beginning,
  known: ReadonlyMap<string, Told>,
  passedOn: PassedOn | null,
): Reason {
  if (subject === 'stale') return { code: 'no_data' };
  const before = told.map((one) => known.get(nameRecipient(one))?.subject);
  const from = before.includes('critical') ? 'critical' : before.includes('warning') ? 'warning' : null;
  if (from === subject && passedOn) return { code: 'cannot_go', by: passedOn.by };
  if (from === null || from === subject) return { code: 'in_alarm', severity: subject };
  return { code: isWorse(subject, from) ? 'escalated' : 'eased', from, to: subject };
}
