// The ladder of a group as its page draws it: each step with who stands on it, and whom it reaches now.
import { findGaps, type Gap, listStandings } from '../../domain/on-call/ahead.ts';
import type { During } from '../../domain/on-call/lab-hours.ts';
import { FIRST_STEP, type StepKind, standAt } from '../../domain/on-call/ladder.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { sayMinutes } from '../../domain/words/say-minutes.ts';
import { readRotas } from '../../engine/on-call/rotas.ts';
import { readLadder, toFullLadder } from '../../engine/outbox/ladders.ts';
import { type Bar, drawBars, drawDays, SHOWN_MS, type Week } from '../../engine/pages/duty-bars.tsx';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import type { Group } from './queries.ts';

export interface LadderModel {
  rungs: RungModel[];
  /** Without one everybody is told at once, as ever. */
  hasSteps: boolean;
  hasHours: boolean;
  rotas: { id: number; name: string }[];
  /** The next seven days of each step. */
  lines: { name: string; bars: Bar[] }[];
  days: Week['days'];
  gaps: GapModel[];
}

export interface GapModel {
  kind: Gap['kind'];
  from: ShownTime;
  until: ShownTime;
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
  reader: Reader,
): Promise<LadderModel | null> {
  const { now } = reader;
  const [row, rotas] = await Promise.all([
    readLadder(db, group.id, now),
    readRotas(db, [group.organizationId], now),
  ]);
  if (!row) return null;
  const ladder = toFullLadder(row);
  const standing = standAt(ladder, now);
  const nameOf = ({ transport, recipient, accountName }: Recipient) =>
    transport === 'webhook' ? nameWebhook(recipient) : (accountName ?? recipient);
  const nameAll = (recipients: readonly Recipient[]) =>
    recipients.length === 0
      ? null
      : [...recipients]
          // Whoever changes comes first: a narrow bar shows no more.
          .sort((one, other) => Number(one.accountId == null) - Number(other.accountId == null))
          .map(nameOf)
          // However many ways a person has.
          .filter((name, index, names) => names.indexOf(name) === index)
          .join(', ');
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
    now: [...new Set((standing.steps.find((one) => one.step === step)?.recipients ?? []).map(nameOf))],
  }));
  const week = listStandings(ladder, now, new Date(now.getTime() + SHOWN_MS));
  const lines = rungs.map(({ step, afterMinutes }) => ({
    name: nameWhen(step, afterMinutes),
    bars: drawBars(
      week.map(({ standing: { steps }, ...span }) => ({
        ...span,
        label: nameAll(steps.find((one) => one.step === step)?.recipients ?? []),
      })),
      reader,
    ),
  }));
  return {
    rungs,
    hasSteps: row.steps.length > 0,
    hasHours: row.hours !== null,
    rotas,
    lines,
    days: drawDays(reader),
    gaps: findGaps(ladder, now).map(({ kind, startAt, endAt }) => ({
      kind,
      from: showTime(startAt, reader),
      until: showTime(endAt, reader),
    })),
  };
}

export const nameWhen = (step: number, afterMinutes: number): string =>
  step === 0 ? 'At once' : `After ${sayMinutes(afterMinutes)}`;
