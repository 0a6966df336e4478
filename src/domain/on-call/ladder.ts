// Whom a group tells at which step. Step 0 is told at once; a later one opens while nobody acts.
import { type During, findHoursEdge, isDuring, type LabHours } from './lab-hours.ts';
import { nameRecipient, type Recipient } from './recipient.ts';
import { findDuty, findDutyEdge, type Rota } from './rota.ts';

export const STEP_KINDS = ['critical', 'warning', 'system'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const LAST_STEP = 8;
/** After all steps: administrators. */
export const LAST_RESORT = 9;
export const LONGEST_WAIT_MINUTES = 1_440;

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
}

/** A ladder as it stands at one moment. */
export interface StandingLadder {
  /** Step 0 first. */
  steps: readonly (LadderStep & { recipients: readonly Recipient[] })[];
  administrators: readonly Recipient[];
  /** A handover, a stand-in's beginning or end, or an edge of the lab hours. */
  nextChangeAt: Date | null;
}

/** Everybody at once, always: it tells as a group without steps does. */
export const isPlain = ({ steps, targets }: Pick<Ladder, 'steps' | 'targets'>): boolean =>
  steps.length === 0 &&
  targets.every(({ step, during, rotaId }) => step === 0 && during === 'always' && rotaId === null);

export const FIRST_STEP: LadderStep = { step: 0, afterMinutes: 0, kinds: STEP_KINDS };

export function standAt(ladder: Ladder, at: Date): StandingLadder {
  const { steps, targets, rotas, people, hours, administrators } = ladder;
  const onDuty = new Map(rotas.map((rota) => [rota.id, findDuty(rota, at)?.accountId ?? null]));
  const find = ({ recipient, rotaId }: Target): Recipient[] => {
    if (recipient) return [recipient];
    const accountId = rotaId === null ? null : onDuty.get(rotaId);
    const person = accountId == null ? undefined : people.get(accountId);
    return person ? [person] : [];
  };
  const reached = (step: number) =>
    onlyOnce(targets.filter((one) => one.step === step && isDuring(one.during, hours, at)).flatMap(find));
  const hasHours = targets.some(({ during }) => during !== 'always');
  const edges = [
    hours && hasHours ? findHoursEdge(hours, at) : null,
    ...rotas.map((rota) => findDutyEdge(rota, at)),
  ].flatMap((edge) => edge ?? []);
  return {
    steps: [FIRST_STEP, ...steps].map((one) => ({ ...one, recipients: reached(one.step) })),
    administrators,
    nextChangeAt: edges.length === 0 ? null : new Date(Math.min(...edges.map((edge) => edge.getTime()))),
  };
}

export function onlyOnce(recipients: readonly Recipient[]): Recipient[] {
  const seen = new Map<string, Recipient>();
  for (const one of recipients) if (!seen.has(nameRecipient(one))) seen.set(nameRecipient(one), one);
  return [...seen.values()];
}
