// Whom a group tells at which step. Step 0 is told at once; a later one opens while nobody acts.
import { MOSTS } from '../mosts.ts';
import { findWays, type MethodsOf, toRecipient } from '../on-call/contact-method.ts';
import { type During, findHoursEdge, isDuring, isLabHours, type LabHours } from '../on-call/lab-hours.ts';
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import { findDuty, findDutyEdge, type Rota } from '../on-call/rota.ts';
import { BEGINNINGS, type Beginning } from './subject.ts';

export const LAST_STEP = MOSTS.steps.most;
/** After all steps: administrators. */
export const LAST_RESORT = 9;
export const LONGEST_WAIT_MINUTES = 1_440;
/** Where a group says how long an acknowledgement stands. */
export const SHORTEST_ACKNOWLEDGED_MINUTES = 5;
export const LONGEST_ACKNOWLEDGED_MINUTES = 10_080;

export interface LadderStep {
  step: number;
  /** From the first step on. */
  afterMinutes: number;
  /** What it opens for. */
  subjects: readonly Beginning[];
}

/** Somebody at a step: a recipient, or whoever is on call. */
export interface StepTarget {
  step: number;
  during: During;
  recipient: Recipient | null;
  rotaId: number | null;
}

export interface Ladder {
  /** Without step 0, ascending. */
  steps: readonly LadderStep[];
  targets: readonly StepTarget[];
  rotas: readonly Rota[];
  /** How those on a rota are reached. */
  people: ReadonlyMap<number, Recipient>;
  hours: LabHours | null;
  administrators: readonly Recipient[];
  /** By account. */
  methods: MethodsOf;
}

/** A ladder as it stands at one moment. */
export interface StandingLadder {
  /** Step 0 first. */
  steps: readonly StandingStep[];
  administrators: readonly Recipient[];
  /** Everybody stands on the first step, at any hour: there is nothing to climb, and nothing to be patient for. */
  isFlat: boolean;
  /** A handover, a stand-in's beginning or end, or an edge of the lab hours. */
  nextChangeAt: Date | null;
}

type StandingStep = LadderStep & { recipients: readonly Recipient[] };

export const FIRST_STEP: LadderStep = { step: 0, afterMinutes: 0, subjects: BEGINNINGS };

export function standAt(ladder: Ladder, at: Date): StandingLadder {
  const known = recall(ladder);
  if (known.last?.at === at.getTime()) return known.last.standing;
  const { rotas, hours } = ladder;
  // First, so that what is asked of the hours of this moment is known.
  const hoursEdge = hours && known.hasHours ? findHoursEdge(hours, at) : null;
  const edges = [hoursEdge, ...rotas.map((rota) => findDutyEdge(rota, at))].flatMap((edge) => edge ?? []);
  const standing = {
    steps: recallSteps(ladder, known, at),
    administrators: known.administrators,
    isFlat: known.isFlat,
    nextChangeAt: edges.length === 0 ? null : new Date(Math.min(...edges.map((edge) => edge.getTime()))),
  };
  known.last = { at: at.getTime(), standing };
  return standing;
}

/** Many services tell one group, and whoever looks ahead comes to the same people again and again. */
interface Remembered {
  isFlat: boolean;
  hasHours: boolean;
  administrators: readonly Recipient[];
  /** By who is on duty and whether it is lab hours. */
  steps: Map<string, readonly StandingStep[]>;
  last: { at: number; standing: StandingLadder } | null;
}

const remembered = new WeakMap<Ladder, Remembered>();

function recall(ladder: Ladder): Remembered {
  const found = remembered.get(ladder);
  if (found) return found;
  const { steps, targets, methods, administrators } = ladder;
  const made: Remembered = {
    isFlat:
      steps.length === 0 &&
      targets.every(({ step, during, rotaId }) => step === 0 && during === 'always' && rotaId === null),
    hasHours:
      targets.some(({ during }) => during !== 'always') ||
      [...methods.values()].some((own) => own.some(({ during }) => during !== 'always')),
    administrators: administrators.flatMap((one) => everyWay(one, methods)),
    steps: new Map(),
    last: null,
  };
  remembered.set(ladder, made);
  return made;
}

function recallSteps(ladder: Ladder, known: Remembered, at: Date): readonly StandingStep[] {
  const moment = nameMoment(ladder, at);
  const steps = known.steps.get(moment) ?? resolveSteps(ladder, at);
  known.steps.set(moment, steps);
  return steps;
}

/** Who is on duty and whether it is lab hours: at moments of the same name the same people are reached. */
export const nameMoment = (
  { rotas, hours }: Ladder,
  at: Date,
  nameDuty: (accountId: number) => string = String,
): string => {
  const onDuty = rotas.map((rota) => findDuty(rota, at));
  return `${hours && isLabHours(hours, at)} ${onDuty.map((duty) => (duty ? nameDuty(duty.accountId) : '-')).join()}`;
};

function resolveSteps({ steps, targets, rotas, people, hours, methods }: Ladder, at: Date): StandingStep[] {
  const onDuty = new Map(rotas.map((rota) => [rota.id, findDuty(rota, at)?.accountId ?? null]));
  const find = ({ recipient, rotaId }: StepTarget): Recipient[] => {
    if (recipient) return [recipient];
    const accountId = rotaId === null ? null : onDuty.get(rotaId);
    const person = accountId == null ? undefined : people.get(accountId);
    return person ? [person] : [];
  };
  const reach = (step: number) =>
    onlyOnce(
      targets
        .filter((one) => one.step === step && isDuring(one.during, hours, at))
        .flatMap(find)
        .flatMap((one) => findWays(one, methods, hours, at)),
    );
  return [FIRST_STEP, ...steps].map((one) => ({ ...one, recipients: reach(one.step) }));
}

/** By every method, at once: nobody else is left. */
const everyWay = (person: Recipient, methods: MethodsOf): Recipient[] =>
  onlyOnce([
    person,
    ...(methods.get(person.accountId ?? -1) ?? []).map((method) =>
      toRecipient({ ...method, afterMinutes: 0, onlyCritical: false }, person),
    ),
  ]);

export function onlyOnce(recipients: readonly Recipient[]): Recipient[] {
  const seen = new Map<string, Recipient>();
  for (const one of recipients) if (!seen.has(nameRecipient(one))) seen.set(nameRecipient(one), one);
  return [...seen.values()];
}
