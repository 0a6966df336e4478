// How far an alarm has climbed its group's ladder, and what opens now. There are no timers but the time to look again.
import { isFor } from '../on-call/contact-method.ts';
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import { addMinutes, earliest } from './instants.ts';
import { LAST_RESORT, type LadderStep, type StandingLadder } from './ladder.ts';
import type { Reason } from './reason.ts';
import type { OpenedStep } from './situation.ts';
import type { Beginning } from './subject.ts';

export interface Climb {
  /** Whom the open steps reach now; before the first one opens, whom it will reach. */
  due: readonly DueRecipient[];
  /** To be recorded, also those that reach nobody. */
  opens: readonly OpenedStep[];
  /** The next step reaches nobody until then. */
  waitsUntil: Date | null;
  lookAgainAt: Date | null;
}

export interface DueRecipient extends Recipient {
  step: number;
  /** Who got no word since then is told; null: any word on this severity will do. */
  since: Date | null;
  reason: Reason;
}

interface Heard {
  step: number;
  at: Date;
  /** For sure, or perhaps: somebody holds the letter at this moment. */
  hasArrived: boolean;
  isUnderWay: boolean;
  /** It is still tried, but its receiver said that it takes none. */
  isRefused: boolean;
}

/** A message that will not arrive any more. */
interface Failed {
  step: number;
  at: Date;
}

interface Climber {
  ladder: StandingLadder;
  subject: Beginning;
  /** From when on steps count. */
  anchor: Date;
  /** Of this alarm at this severity. */
  opened: readonly OpenedStep[];
  /** What people know of it at this severity. */
  heard: readonly Heard[];
  failed: readonly Failed[];
}

/** What was sent and has not arrived by then counts as lost: administrators are told. */
const PATIENCE_MINUTES = 5;

export function climb(climber: Climber, now: Date): Climb {
  const { subject, heard, failed } = climber;
  const ladder = narrowTo(climber.ladder, subject);
  const steps = ladder.steps.filter(({ subjects }) => subjects.includes(subject));
  const rows = listOpened(climber, now);
  const { opens, last, lookAgainAt, waitsUntil, isAtEnd } = openSteps(climber, ladder, rows, now);
  const all = [...rows, ...opens];
  const { due, nextDueAt } = findDue(
    steps.filter(({ step }) => step <= (last?.step ?? 0)),
    all,
    now,
  );
  const wanted = earliest(lookAgainAt, last && nextDueAt);
  const resort =
    all.find(({ step }) => step === LAST_RESORT) ??
    (isAtEnd && last && !nextDueAt ? findLastResort(ladder, last, due, heard, failed, now) : null);
  if (resort instanceof Date)
    return { due, opens, waitsUntil, lookAgainAt: earliest(resort, ladder.nextChangeAt) };
  return {
    due: lastOfEach([...due, ...(resort ? toAdministrators(ladder, resort) : [])]),
    opens: resort && !all.includes(resort) ? [...opens, resort] : opens,
    waitsUntil,
    lookAgainAt: earliest(wanted, ladder.nextChangeAt),
  };
}

/** The only step of a flat ladder is open as soon as it is due: nothing counts from it, so nobody writes it down. */
function listOpened({ ladder, anchor, opened, subject }: Climber, now: Date): OpenedStep[] {
  const rows = opened.filter(({ at }) => at >= anchor);
  const isImplied = ladder.isFlat && anchor <= now && !rows.some(({ step }) => step === 0);
  return isImplied ? [{ step: 0, at: anchor, reason: nameBeginning(subject) }, ...rows] : rows;
}

interface Opening {
  opens: OpenedStep[];
  last: OpenedStep | null;
  lookAgainAt: Date | null;
  waitsUntil: Date | null;
  /** There is no further step. */
  isAtEnd: boolean;
}

function openSteps(
  { subject, anchor, heard, failed }: Climber,
  ladder: StandingLadder,
  rows: readonly OpenedStep[],
  now: Date,
): Opening {
  const steps = ladder.steps.filter(({ subjects }) => subjects.includes(subject));
  const opens: OpenedStep[] = [];
  let last =
    rows.filter(({ step }) => step < LAST_RESORT).sort((one, other) => other.step - one.step)[0] ?? null;
  for (;;) {
    const next = steps.find(({ step }) => step > (last?.step ?? -1));
    if (!next) return { opens, last, lookAgainAt: null, waitsUntil: null, isAtEnd: true };
    const loss = last && findLoss(ladder, last, heard, failed);
    const pause = last === null || loss ? 0 : next.afterMinutes - afterOf(ladder.steps, last.step);
    const dueAt = addMinutes(last?.at ?? anchor, Math.max(0, pause));
    if (dueAt > now) return { opens, last, lookAgainAt: dueAt, waitsUntil: null, isAtEnd: false };
    const isEmpty = next.recipients.length === 0;
    if (isEmpty && subject !== 'critical' && ladder.nextChangeAt)
      return { opens, last, lookAgainAt: null, waitsUntil: ladder.nextChangeAt, isAtEnd: false };
    last = {
      step: next.step,
      at: now,
      reason: isEmpty ? { code: 'passed' } : nameReason(next, last, loss, pause, subject),
    };
    opens.push(last);
  }
}

const toAdministrators = ({ administrators }: StandingLadder, { at, reason }: OpenedStep): DueRecipient[] =>
  administrators.map((one) => ({ ...one, step: LAST_RESORT, since: at, reason }));

/** Without the ways that are not for this. */
const narrowTo = (ladder: StandingLadder, subject: Beginning): StandingLadder =>
  ladder.steps.every(({ recipients }) => recipients.every((one) => isFor(one, subject)))
    ? ladder
    : {
        ...ladder,
        steps: ladder.steps.map((step) => ({
          ...step,
          recipients: step.recipients.filter((one) => isFor(one, subject)),
        })),
      };

/** Why nobody is to be waited for at this step; null: somebody was told, or may be yet. */
function findLoss(
  ladder: StandingLadder,
  { step, at }: OpenedStep,
  heard: readonly Heard[],
  failed: readonly Failed[],
): Reason | null {
  const isOwn = (one: { step: number; at: Date }) => one.step === step && one.at >= at;
  const words = heard.filter(isOwn);
  const isEmpty = (ladder.steps.find((one) => one.step === step)?.recipients.length ?? 0) === 0;
  if (isEmpty && words.length === 0) return { code: 'step_reached_nobody', step };
  const hasFailed = words.length > 0 || failed.some(isOwn);
  return hasFailed && words.every(({ isRefused }) => isRefused) ? { code: 'step_failed', step } : null;
}

/** A step may be gone from the ladder since it opened. */
const afterOf = (steps: readonly LadderStep[], step: number): number =>
  steps.filter((one) => one.step <= step).at(-1)?.afterMinutes ?? 0;

function nameReason(
  { step }: LadderStep,
  last: OpenedStep | null,
  loss: Reason | null,
  pause: number,
  subject: Beginning,
): Reason {
  if (step === 0 || last === null) return nameBeginning(subject);
  return loss ?? { code: 'nobody_acknowledged', minutes: pause };
}

const nameBeginning = (subject: Beginning): Reason =>
  subject === 'stale' ? { code: 'no_data' } : { code: 'in_alarm', severity: subject };

/** Who is at several open steps is told by the last of them. A method that waits is due later. */
function findDue(
  steps: StandingLadder['steps'],
  opened: readonly OpenedStep[],
  now: Date,
): { due: DueRecipient[]; nextDueAt: Date | null } {
  let nextDueAt: Date | null = null;
  const due = steps.flatMap(({ step, recipients }) => {
    // A step that was put in below an open one counts from that.
    const row = opened.filter((one) => one.step >= step).sort((one, other) => one.step - other.step)[0];
    const since = step === 0 ? null : (row?.at ?? null);
    return recipients.flatMap((one) => {
      const dueAt = addMinutes(row?.at ?? now, one.afterMinutes ?? 0);
      if (dueAt > now) nextDueAt = earliest(nextDueAt, dueAt);
      return dueAt > now ? [] : [{ ...one, step, since, reason: row?.reason ?? { code: 'not_decided' } }];
    });
  });
  return { due: lastOfEach(due), nextDueAt };
}

const lastOfEach = (due: readonly DueRecipient[]): DueRecipient[] => [
  ...new Map(due.map((one) => [nameRecipient(one), one])).values(),
];

/** A time: to look again by then. null: somebody knows, or may yet. */
function findLastResort(
  ladder: StandingLadder,
  last: OpenedStep,
  due: readonly DueRecipient[],
  heard: readonly Heard[],
  failed: readonly Failed[],
  now: Date,
): OpenedStep | Date | null {
  const open = (reason: Reason): OpenedStep => ({ step: LAST_RESORT, at: now, reason });
  const own = heard.filter(({ step }) => step !== LAST_RESORT);
  if (own.some(({ hasArrived, isUnderWay }) => hasArrived && !isUnderWay)) return null;
  if (due.length === 0) return open({ code: 'no_step_reached_anybody' });
  const isLost = findLoss(ladder, last, heard, failed) !== null;
  if (isLost && own.every(({ isRefused }) => isRefused)) return open({ code: 'every_message_failed' });
  if (ladder.isFlat) return null;
  const patientUntil = addMinutes(last.at, PATIENCE_MINUTES);
  if (patientUntil > now) return patientUntil;
  // Somebody may hold a letter just now: it arrives, or it comes back.
  if (own.some(({ hasArrived }) => hasArrived)) return addMinutes(now, 1);
  return open({ code: 'nothing_arrived', minutes: PATIENCE_MINUTES });
}
