// Who would be told of something that begins at a moment and that nobody acknowledges: the decision itself, asked about a
// made-up alarm, from one look to the next. It assumes that what is sent arrives.
import { atOnce } from '../at-once.ts';
import { nameRecipient } from '../on-call/recipient.ts';
import type { ToldRecipient } from './answer.ts';
import { decide, type Verdict } from './decide.ts';
import { latest } from './instants.ts';
import { LAST_RESORT } from './ladder.ts';
import type { Reason } from './reason.ts';
import type { Group, Situation, Told } from './situation.ts';
import { type Beginning, SUBJECTS } from './subject.ts';
import { findSuppressionEnd } from './suppression.ts';

export interface Forecast {
  /** In their order; also steps that reach nobody. */
  told: readonly Foretold[];
  /** How things stand at the first look: why nobody is told at once, where nobody is. */
  reason: Reason;
}

export interface Foretold {
  at: Date;
  step: number;
  recipients: readonly ToldRecipient[];
  reason: Reason;
}

/** Nobody plans further ahead, and no ladder has as many steps, handovers and hours in it. */
const MOST_LOOKS = 200;
const TOPIC = 'foretold';

interface ForetoldSpan {
  from: Date;
  until: Date;
}

/** Stops at each look, so that other work goes on. */
export const foretellInSteps = (stored: Situation, subject: Beginning, { from, until }: ForetoldSpan) =>
  walk(makeUp(stored, subject, from), from, () => until);

/** For a span that is short. */
export const foretell = (stored: Situation, subject: Beginning, span: ForetoldSpan): Forecast =>
  atOnce(foretellInSteps(stored, subject, span));

/** From one look to the next. `untilOf`: how far to look, by what was decided so far. */
export function* walk(
  begun: Situation,
  from: Date,
  untilOf: (situation: Situation) => Date,
): Generator<void, Forecast> {
  const told: Foretold[] = [];
  let reason: Reason | null = null;
  let situation = begun;
  let now: Date | null = from;
  for (let looks = 0; now && now <= untilOf(situation) && looks < MOST_LOOKS; looks += 1) {
    const verdict = decide(withoutReminders(situation), now);
    yield;
    reason ??= verdict.reason;
    told.push(...listTold(verdict, now));
    situation = remember(situation, verdict, now);
    const next: Date | null = verdict.lookAgainAt;
    now = next && next > now ? next : null;
    yield;
    if (now) situation = remind(situation, now);
  }
  return { told, reason: reason ?? { code: 'nothing_to_tell' } };
}

/** It has just begun, and nobody knows. */
export function makeUp(stored: Situation, subject: Beginning, at: Date): Situation {
  const isAlarm = SUBJECTS[subject].topic === 'alarm' && subject !== 'stale';
  return {
    ...stored,
    severity: isAlarm ? subject : 'normal',
    since: isAlarm ? at : null,
    episodeId: isAlarm ? TOPIC : null,
    stale: isAlarm ? null : { id: TOPIC, noticedAt: at },
    acknowledgements: [],
    climbed: NOTHING_CLIMBED,
    toldBefore: NOBODY_KNOWS,
    waiting: [],
  };
}

export const NOTHING_CLIMBED: Situation['climbed'] = { opened: [], acknowledgementEnds: [], passedOn: null };

export const NOBODY_KNOWS: Situation['toldBefore'] = {
  alarm: { id: null, isClosed: false, told: [] },
  stale: { id: null, isClosed: false, told: [] },
  failed: [],
};

function listTold({ notifications, opens }: Verdict, at: Date): Foretold[] {
  const told = notifications.map(({ recipients, reason }) => ({
    at,
    step: recipients[0]?.step ?? 0,
    recipients,
    reason,
  }));
  const passed = opens
    .filter(({ step }) => !told.some((one) => one.step === step))
    .map(({ step, reason }) => ({ at, step, recipients: [], reason }));
  return [...told, ...passed].sort((one, other) => one.step - other.step);
}

/** What was decided has arrived. */
function remember(situation: Situation, { notifications, opens }: Verdict, at: Date): Situation {
  const { climbed, toldBefore } = situation;
  const words = notifications.flatMap(({ subject, groupId, recipients }) =>
    recipients.map(
      (one): Told => ({ ...one, subject, groupId, at, isUnderWay: false, hasHeard: true, isRefused: false }),
    ),
  );
  const topic = situation.stale ? 'stale' : 'alarm';
  const known = new Map([...toldBefore[topic].told, ...words].map((one) => [nameRecipient(one), one]));
  return {
    ...situation,
    climbed: { ...climbed, opened: [...climbed.opened, ...opens] },
    toldBefore:
      words.length === 0
        ? toldBefore
        : { ...toldBefore, [topic]: { id: TOPIC, isClosed: false, told: [...known.values()] } },
  };
}

/** They say nothing new, so nobody looks for them one by one. */
const withoutReminders = (situation: Situation): Situation => ({
  ...situation,
  settings: { ...situation.settings, repeatIntervalMinutes: 0 },
});

/**
 * The last reminder before the next look counts as a word as well: whoever had one is not told anew as somebody who comes
 * on duty. Until then nothing else happens, so they come at even distances.
 */
function remind(situation: Situation, next: Date): Situation {
  const { settings, toldBefore } = situation;
  if (settings.repeatIntervalMinutes === 0 || toldBefore.alarm.told.length === 0) return situation;
  const before = new Date(next.getTime() - 1);
  const reminded = new Map(
    decide(situation, before)
      .notifications.filter(({ isRepeat }) => isRepeat)
      .flatMap(({ recipients }) => recipients.map((one) => [nameRecipient(one), one])),
  );
  const everyMs = settings.repeatIntervalMinutes * 60_000;
  const endedAt = findSuppressionEnd(situation, before);
  const told = toldBefore.alarm.told.map((last) => {
    const reminder = reminded.get(nameRecipient(last));
    if (!reminder) return last;
    const from = latest(last.at, endedAt).getTime();
    const passed = Math.floor((before.getTime() - from) / everyMs);
    return { ...last, ...reminder, at: new Date(from + passed * everyMs) };
  });
  return { ...situation, toldBefore: { ...toldBefore, alarm: { ...toldBefore.alarm, told } } };
}

/** A service that tells this group of everything, at once: what the group alone decides. */
export const serviceOf = (group: Group): Situation => ({
  isArchived: false,
  severity: 'normal',
  since: null,
  episodeId: null,
  delayMinutes: 0,
  stale: null,
  settings: {
    sendCritical: true,
    sendWarning: true,
    sendAcknowledgements: true,
    sendRecoveries: true,
    repeatIntervalMinutes: 0,
    enableSystemNotifications: true,
    systemNotificationDelayMinutes: 0,
  },
  group,
  mutedBy: null,
  downtimes: [],
  suppressionEndedAt: null,
  acknowledgements: [],
  staleGateway: null,
  warningsTold: [],
  climbed: NOTHING_CLIMBED,
  toldBefore: NOBODY_KNOWS,
  waiting: [],
});

/** No group waits longer for somebody to come on duty. */
export const AHEAD_MS = 8 * 24 * 60 * 60_000;

/** Whether anybody of the group itself is told of a critical alarm that begins now. Looks no further than that. */
export function* isReaching(group: Group, now: Date): Generator<void, boolean> {
  const until = new Date(now.getTime() + AHEAD_MS);
  const isTold = ({ toldBefore }: Situation) =>
    toldBefore.alarm.told.some(({ step }) => step !== LAST_RESORT);
  const begun = makeUp(serviceOf(group), 'critical', now);
  const { told } = yield* walk(begun, now, (situation) => (isTold(situation) ? now : until));
  return told.some(({ step, recipients }) => step !== LAST_RESORT && recipients.length > 0);
}
