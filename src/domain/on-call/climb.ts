// How far an alarm has climbed its group's ladder, and what opens now. There are no timers but the time to look again.
import { isFor } from './contact-method.ts';
import { LAST_RESORT, type LadderStep, type StandingLadder, type StepKind } from './ladder.ts';
import { nameRecipient, type Recipient } from './recipient.ts';

export interface OpenedStep {
  step: number;
  at: Date;
  reason: string;
}

export interface Climb {
  /** Whom the open steps reach now. */
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
  reason: string;
}

interface Heard {
  step: number;
  at: Date;
  /** For sure, or perhaps: somebody holds the letter at this moment. */
  hasArrived: boolean;
  isUnderWay: boolean;
  /** It is still tried, but its receiver said that it takes none. */
  isRefused?: boolean;
}

/** A message that will not arrive any more. */
interface Failed {
  step: number;
  at: Date;
}

interface Situation {
  ladder: StandingLadder;
  kind: StepKind;
  /** From when on steps count. */
  anchor: Date;
  /** Of this alarm at this severity. */
  opened: readonly OpenedStep[];
  /** What people know of it at this severity. */
  heard: readonly Heard[];
  failed?: readonly Failed[];
}

/** What was sent and has not arrived by then counts as lost: administrators are told. */
const PATIENCE_MINUTES = 5;

export function climb(situation: Situation, now: Date): Climb {
  const { ladder: whole, kind, anchor, opened, heard, failed = [] } = situation;
  const ladder = narrowTo(whole, kind);
  const rows = opened.filter(({ at }) => at >= anchor);
  const steps = ladder.steps.filter(({ kinds }) => kinds.includes(kind));
  const opens: OpenedStep[] = [];
  let last =
    rows.filter(({ step }) => step < LAST_RESORT).sort((one, other) => other.step - one.step)[0] ?? null;
  let lookAgainAt: Date | null = null;
  let waitsUntil: Date | null = null;
  let isAtEnd = false;
  for (;;) {
    const next = steps.find(({ step }) => step > (last?.step ?? -1));
    if (!next) {
      isAtEnd = true;
      break;
    }
    const loss = last && findLoss(ladder, last, heard, failed);
    const pause = last === null || loss ? 0 : next.afterMinutes - afterOf(ladder.steps, last.step);
    const dueAt = addMinutes(last?.at ?? anchor, Math.max(0, pause));
    if (dueAt > now) {
      lookAgainAt = dueAt;
      break;
    }
    const isEmpty = next.recipients.length === 0;
    if (isEmpty && kind !== 'critical' && ladder.nextChangeAt) {
      waitsUntil = ladder.nextChangeAt;
      break;
    }
    last = {
      step: next.step,
      at: now,
      reason: isEmpty ? PASSED : nameReason(next, last, loss, pause, kind),
    };
    opens.push(last);
  }

  const all = [...rows, ...opens];
  const { due, nextDueAt } = findDue(
    steps.filter(({ step }) => step <= (last?.step ?? -1)),
    all,
    now,
  );
  lookAgainAt = earlier(lookAgainAt, nextDueAt);
  const resort =
    all.find(({ step }) => step === LAST_RESORT) ??
    (isAtEnd && kind !== 'system' && last && !ladder.isFlat && !nextDueAt
      ? findLastResort(last, due, heard, findLoss(ladder, last, heard, failed) !== null, now)
      : null);
  if (resort instanceof Date)
    return { due, opens, waitsUntil, lookAgainAt: earlier(resort, ladder.nextChangeAt) };
  if (resort && !all.includes(resort)) opens.push(resort);
  const administrators = resort
    ? ladder.administrators.map((one) => ({
        ...one,
        step: LAST_RESORT,
        since: resort.at,
        reason: resort.reason,
      }))
    : [];
  return {
    due: lastOfEach([...due, ...administrators]),
    opens,
    waitsUntil,
    lookAgainAt: earlier(lookAgainAt, ladder.nextChangeAt),
  };
}

/** Without the ways that are not for this. */
const narrowTo = (ladder: StandingLadder, kind: StepKind): StandingLadder => ({
  ...ladder,
  steps: ladder.steps.map((step) => ({
    ...step,
    recipients: step.recipients.filter((one) => isFor(one, kind)),
  })),
});

const PASSED = 'Nobody is on duty: passed at once';

/** Why nobody is to be waited for at this step; null: somebody was told, or may be yet. */
function findLoss(
  ladder: StandingLadder,
  { step, at }: OpenedStep,
  heard: readonly Heard[],
  failed: readonly Failed[],
): string | null {
  const isOwn = (one: { step: number; at: Date }) => one.step === step && one.at >= at;
  const words = heard.filter(isOwn);
  const isEmpty = (ladder.steps.find((one) => one.step === step)?.recipients.length ?? 0) === 0;
  if (isEmpty && words.length === 0) return `Step ${step} reached nobody`;
  const hasFailed = words.length > 0 || failed.some(isOwn);
  return hasFailed && words.every(({ isRefused }) => isRefused)
    ? `Every message of step ${step} failed`
    : null;
}

/** A step may be gone from the ladder since it opened. */
const afterOf = (steps: readonly LadderStep[], step: number): number =>
  steps.filter((one) => one.step <= step).at(-1)?.afterMinutes ?? 0;

function nameReason(
  { step }: LadderStep,
  last: OpenedStep | null,
  loss: string | null,
  pause: number,
  kind: StepKind,
): string {
  if (step === 0 || last === null) return kind === 'system' ? 'No data comes in' : 'In alarm';
  if (loss) return loss;
  return `Nobody acknowledged within ${pause === 1 ? '1 minute' : `${pause} minutes`}`;
}

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
      if (dueAt > now) nextDueAt = earlier(nextDueAt, dueAt);
      return dueAt > now ? [] : [{ ...one, step, since, reason: row?.reason ?? 'In alarm' }];
    });
  });
  return { due: lastOfEach(due), nextDueAt };
}

const lastOfEach = (due: readonly DueRecipient[]): DueRecipient[] => [
  ...new Map(due.map((one) => [nameRecipient(one), one])).values(),
];

/** A time: to look again by then. null: somebody knows. */
function findLastResort(
  last: OpenedStep,
  due: readonly DueRecipient[],
  heard: readonly Heard[],
  isLost: boolean,
  now: Date,
): OpenedStep | Date | null {
  const own = heard.filter(({ step }) => step !== LAST_RESORT);
  if (own.some(({ hasArrived, isUnderWay }) => hasArrived && !isUnderWay)) return null;
  if (due.length === 0) return { step: LAST_RESORT, at: now, reason: 'No step reached anybody' };
  if (isLost && own.every(({ isRefused }) => isRefused))
    return { step: LAST_RESORT, at: now, reason: 'Every message failed' };
  const patientUntil = addMinutes(last.at, PATIENCE_MINUTES);
  if (patientUntil > now) return patientUntil;
  // Somebody may hold a letter just now: it arrives, or it comes back.
  if (own.some(({ hasArrived }) => hasArrived)) return addMinutes(now, 1);
  return {
    step: LAST_RESORT,
    at: now,
    reason: `Nothing arrived within ${PATIENCE_MINUTES} minutes of the last step`,
  };
}

const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000);

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other);
