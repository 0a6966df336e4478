// The ladder of a group as its page draws it: each step with who stands on it, and whom it reaches now.
import type { During } from '../../domain/on-call/lab-hours.ts';
import { FIRST_STEP, type StepKind, standAt } from '../../domain/on-call/ladder.ts';
import { readRotas } from '../../engine/on-call/rotas.ts';
import { readLadder, toFullLadder } from '../../engine/outbox/ladders.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Group } from './queries.ts';

export interface LadderModel {
  rungs: RungModel[];
  /** Without one everybody is told at once, as ever. */
  hasSteps: boolean;
  hasHours: boolean;
  rotas: { id: number; name: string }[];
}

export interface RungModel {
  step: number;
  afterMinutes: number;
  kinds: readonly StepKind[];
  stand: StandModel[];
  /** Whom it would reach now. */
  now: string[];
}

interface StandModel {
  /** `rota 3`, as the form says it. */
  who: string;
  name: string;
  during: During;
}

export async function readLadderModel(
  db: ReadDatabase,
  group: Group,
  nameWebhook: (id: string) => string,
  now: Date,
): Promise<LadderModel | null> {
  const [row, rotas] = await Promise.all([
    readLadder(db, group.id, now),
    readRotas(db, [group.organizationId], now),
  ]);
  if (!row) return null;
  const standing = standAt(toFullLadder(row), now);
  const nameOf = ({ transport, recipient, accountName }: (typeof row.targets)[number]) =>
    transport === 'webhook' ? nameWebhook(recipient) : (accountName ?? recipient);
  const stands = [
    ...row.targets.map((target) => ({
      step: target.step,
      during: target.during,
      name: nameOf(target),
      who:
        target.transport === 'webhook'
          ? `webhook ${target.recipient}`
          : target.accountId != null
            ? `account ${target.accountId}`
            : `email ${target.recipient}`,
    })),
    ...row.rotaTargets.map(({ rotaId, ...target }) => ({
      ...target,
      name: `Rota ${rotas.find(({ id }) => id === rotaId)?.name ?? ''}`,
      who: `rota ${rotaId}`,
    })),
  ];
  const rungs = [FIRST_STEP, ...row.steps].map(({ step, afterMinutes, kinds }) => ({
    step,
    afterMinutes,
    kinds,
    stand: stands.filter((one) => one.step === step),
    now: (standing.steps.find((one) => one.step === step)?.recipients ?? []).map((one) =>
      nameOf({ ...one, step, during: 'always' }),
    ),
  }));
  return { rungs, hasSteps: row.steps.length > 0, hasHours: row.hours !== null, rotas };
}
