// A drill is an alarm that somebody makes up: decided like any other, but for what keeps real ones from being told (flags,
// mutes, downtimes, delays), and for the last resort. Whether it arrives is what it shows: it goes on as if it had.

import { nameRecipient } from '../on-call/recipient.ts';
import { decide } from './decide.ts';
import { type Forecast, type Foretold, makeUp, serviceOf, walk } from './foretell.ts';
import { addMinutes } from './instants.ts';
import { LAST_RESORT, standAt } from './ladder.ts';
import type { Reason } from './reason.ts';
import type { Group, OpenedStep, Situation, Told } from './situation.ts';

/** What became of it so far. */
export interface DrillSoFar {
  episodeId: string;
  startedAt: Date;
  opened: readonly OpenedStep[];
  /** Oldest first. */
  told: readonly Pick<Told, 'transport' | 'recipient' | 'step' | 'at'>[];
}

const drillOf = (group: Group): Situation =>
  serviceOf({ ...group, ladder: { ...group.ladder, administrators: [] } });

/** `goesOn`: while nobody acknowledges it, as a real one does; else only what is told at once. Stops after each look. */
export function* foretellDrill(group: Group, from: Date, goesOn: boolean): Generator<void, Forecast> {
  const until = goesOn ? findEnd : () => from;
  const { told, reason } = yield* walk(makeUp(drillOf(group), 'critical', from), from, until);
  return { told: told.filter(isOfDrill).map(nameAsDrill), reason };
}

/** What it tells now, which steps that opens, and when to look at it again; null: it is over. */
export function decideDrill(
  group: Group,
  soFar: DrillSoFar,
  now: Date,
): { told: Foretold[]; opens: OpenedStep[]; lookAgainAt: Date | null } {
  const situation = resume(group, soFar);
  const { notifications, opens, lookAgainAt } = decide(situation, now);
  const opened = opens.filter(isOfDrill).map(nameAsDrill);
  const climbed = { ...situation.climbed, opened: [...situation.climbed.opened, ...opened] };
  const goesOn = lookAgainAt && lookAgainAt > now && lookAgainAt <= findEnd({ ...situation, climbed });
  return {
    told: notifications
      .map(({ recipients, reason }) => ({ at: now, step: recipients[0]?.step ?? 0, recipients, reason }))
      .map(nameAsDrill),
    opens: opened,
    lookAgainAt: goesOn ? lookAgainAt : null,
  };
}

function resume(group: Group, { episodeId, startedAt, opened, told }: DrillSoFar): Situation {
  const known = new Map(
    told.map((one): [string, Told] => [
      nameRecipient(one),
      { ...one, subject: 'critical', groupId: group.id, isUnderWay: false, hasHeard: true, isRefused: false },
    ]),
  );
  const begun = makeUp(drillOf(group), 'critical', startedAt);
  return {
    ...begun,
    episodeId,
    climbed: { ...begun.climbed, opened: opened.map((step) => ({ ...step, subject: 'critical' })) },
    toldBefore: {
      ...begun.toldBefore,
      alarm: { id: episodeId, isClosed: false, told: [...known.values()] },
    },
  };
}

/** When its last step has opened, and the slowest of all ways was waited for. Whoever comes on duty later is spared. */
function findEnd({ group, climbed, since }: Situation): Date {
  const from = since ?? new Date(0);
  const ladder = group?.ladder;
  if (!ladder) return from;
  const steps = ladder.steps.filter(({ subjects }) => subjects.includes('critical'));
  const last = climbed.opened.reduce<Pick<OpenedStep, 'step' | 'at'>>(
    (highest, one) => (one.step > highest.step ? one : highest),
    { step: 0, at: from },
  );
  const minutesOf = (step: number) => steps.filter((one) => one.step <= step).at(-1)?.afterMinutes ?? 0;
  const waits = standAt(ladder, last.at).steps.flatMap(({ recipients }) =>
    recipients.map(({ afterMinutes = 0 }) => afterMinutes),
  );
  const toCome = (steps.at(-1)?.afterMinutes ?? 0) - minutesOf(last.step);
  return addMinutes(last.at, Math.max(0, toCome) + Math.max(0, ...waits));
}

/** It does not page everybody who administers. */
const isOfDrill = ({ step }: { step: number }): boolean => step !== LAST_RESORT;

/** There is no alarm: that it began is the drill itself. */
const nameAsDrill = <One extends { reason: Reason }>(one: One): One =>
  one.reason.code === 'in_alarm' ? { ...one, reason: { code: 'drill' } } : one;
