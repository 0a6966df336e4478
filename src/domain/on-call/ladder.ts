// Whom a group tells at which step. Step 0 is told at once; a later one opens while nobody acts.
import { findWays, isFor, isUnconditional, type MethodsOf, toRecipient } from './contact-method.ts';
import { type During, findHoursEdge, isDuring, type LabHours } from './lab-hours.ts';
import { nameRecipient, type Recipient } from './recipient.ts';
import { findDuty, findDutyEdge, type Rota } from './rota.ts';

export const STEP_KINDS = ['critical', 'warning', 'system'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const LAST_STEP = 8;
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
  kinds: readonly StepKind[];
}

/** Somebody at a step: a recipient, or whoever is on call. */
export interface Target {
  step: number;
  during: During;
  recipient: Recipient | null;
  rotaId: number | null;
}

export interface Ladder {
  /** Without step 0, ascending. */
  steps: readonly LadderStep[];
  targets: readonly Target[];
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
  steps: readonly (LadderStep & { recipients: readonly Recipient[] })[];
  administrators: readonly Recipient[];
  /** Everybody stands on the first step: who is not reached by it is reached by nobody else. */
  isFlat?: boolean;
  /** A handover, a stand-in's beginning or end, or an edge of the lab hours. */
  nextChangeAt: Date | null;
}

/** Everybody at once, always: it tells as a group without steps does. */
export const isPlain = (ladder: Pick<Ladder, 'steps' | 'targets' | 'methods'>): boolean =>
  isFlat(ladder) &&
  ladder.targets.every(({ recipient }) =>
    (ladder.methods.get(recipient?.accountId ?? -1) ?? []).every(isUnconditional),
  );

const isFlat = ({ steps, targets }: Pick<Ladder, 'steps' | 'targets'>): boolean =>
  steps.length === 0 &&
  targets.every(({ step, during, rotaId }) => step === 0 && during === 'always' && rotaId === null);

export const FIRST_STEP: LadderStep = { step: 0, afterMinutes: 0, kinds: STEP_KINDS };

export function standAt(ladder: Ladder, at: Date): StandingLadder {
  const { steps, targets, rotas, people, hours, administrators, methods } = ladder;
  const hasHours =
    targets.some(({ during }) => during !== 'always') ||
    [...methods.values()].flat().some(({ during }) => during !== 'always');
  // First, so that what is asked of the hours of this moment is known.
  const hoursEdge = hours && hasHours ? findHoursEdge(hours, at) : null;
  const onDuty = new Map(rotas.map((rota) => [rota.id, findDuty(rota, at)?.accountId ?? null]));
  const find = ({ recipient, rotaId }: Target): Recipient[] => {
    if (recipient) return [recipient];
    const accountId = rotaId === null ? null : onDuty.get(rotaId);
    const person = accountId == null ? undefined : people.get(accountId);
    return person ? [person] : [];
  };
  const reached = (step: number) =>
    onlyOnce(
      targets
        .filter((one) => one.step === step && isDuring(one.during, hours, at))
        .flatMap(find)
        .flatMap((one) => findWays(one, methods, hours, at)),
    );
  const edges = [hasHours ? hoursEdge : null, ...rotas.map((rota) => findDutyEdge(rota, at))].flatMap(
    (edge) => edge ?? [],
  );
  return {
    steps: [FIRST_STEP, ...steps].map((one) => ({ ...one, recipients: reached(one.step) })),
    administrators: administrators.flatMap((one) => everyWay(one, methods)),
    ...(isFlat(ladder) && { isFlat: true }),
    nextChangeAt: edges.length === 0 ? null : new Date(Math.min(...edges.map((edge) => edge.getTime()))),
  };
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

export interface ForetoldStep {
  step: number;
  at: Date;
  recipients: readonly Recipient[];
  /** Why it opens when it does. */
  reason: string;
}

/** Who would be told, and when, of an alarm that is due at that moment and that nobody acknowledges. */
export function foretell(ladder: Ladder, kind: StepKind, begunAt: Date): ForetoldStep[] {
  const told: ForetoldStep[] = [];
  let at = begunAt;
  let before: LadderStep = FIRST_STEP;
  let isPassed = false;
  for (const { step } of [FIRST_STEP, ...ladder.steps.filter(({ kinds }) => kinds.includes(kind))]) {
    const own = [FIRST_STEP, ...ladder.steps].find((one) => one.step === step) as LadderStep;
    const pause = isPassed ? 0 : own.afterMinutes - before.afterMinutes;
    at = new Date(at.getTime() + pause * 60_000);
    const find = () =>
      (standAt(ladder, at).steps.find((one) => one.step === step)?.recipients ?? []).filter((one) =>
        isFor(one, kind),
      );
    let recipients = find();
    const edge = standAt(ladder, at).nextChangeAt;
    const isWaiting = recipients.length === 0 && kind !== 'critical' && edge !== null;
    if (isWaiting && edge) {
      at = findWhenReached(ladder, step, edge) ?? at;
      recipients = find();
    }
    isPassed = recipients.length === 0;
    const reason = isPassed
      ? 'Nobody is on duty: passed at once'
      : isWaiting
        ? 'Waits until somebody is on duty'
        : step === 0
          ? 'At once'
          : told.at(-1)?.recipients.length === 0
            ? 'At once, for nobody was on duty'
            : `${pause} minutes later, while nobody acknowledges`;
    told.push({ step, at, recipients, reason });
    before = own;
  }
  if (told.every(({ recipients }) => recipients.length === 0))
    told.push({
      step: LAST_RESORT,
      at,
      recipients: ladder.administrators,
      reason: 'Nobody else could be told',
    });
  return told;
}

const MOST_EDGES = 100;

function findWhenReached(ladder: Ladder, step: number, from: Date): Date | null {
  let at: Date | null = from;
  for (let edge = 0; at && edge < MOST_EDGES; edge += 1) {
    const { steps, nextChangeAt }: StandingLadder = standAt(ladder, at);
    if (steps.some((one) => one.step === step && one.recipients.length > 0)) return at;
    at = nextChangeAt;
  }
  return null;
}
