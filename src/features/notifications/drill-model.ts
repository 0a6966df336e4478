// Drills as their page shows them: what is foretold of one that would start now, and of those so far what was foretold beside
// what became of it.
import type { ServiceId } from '../../domain/ids.ts';
import {
  type ComparedStep,
  compareForetold,
  type Difference,
  sayComparison,
} from '../../domain/notifications/compare-foretold.ts';
import type { Forecast } from '../../domain/notifications/foretell.ts';
import { findOutcome, isTrouble, type Outcome } from '../../domain/notifications/outcome.ts';
import { judgeOutcomes, type Verdict } from '../../domain/notifications/verdict.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { describeSpan } from '../../domain/span.ts';
import { type ForecastModel, nameStep, showForecast, showWhy } from '../../engine/pages/forecast.tsx';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownText, type ShownTime, showTime } from '../../platform/html/time.tsx';
import { type Drill, selectDrills } from './drill-queries.ts';
import {
  type DeliveryRecord,
  selectDeliveries,
  selectNotificationsOfDrills,
  selectWebhooks,
} from './queries.ts';
import { readStepsOfDrills, type StepTaken } from './steps-taken.ts';
import { type DeliveryModel, describeDelivery, nameWay, type ToldReader } from './told-model.ts';

export interface ExpectedModel {
  atOnce: ForecastModel;
  /** null: nothing comes later. */
  later: ForecastModel | null;
}

export interface DrillModel {
  id: number;
  startedBy: string;
  startedAt: ShownTime;
  /** Who acknowledged, how long after the start. */
  acknowledged: { by: string; at: ShownTime; after: string } | null;
  /** Left out where what it said is forgotten, and before anything was to be said. */
  verdict: Verdict | undefined;
  /** null: what was foretold was not noted. */
  compared: ComparedModel | null;
  /** Of those alone. */
  steps: StepTaken[];
  deliveries: DeliveryModel[];
}

export interface ComparedModel {
  words: string;
  isOtherwise: boolean;
  /** Not all that was foretold has come to pass. */
  isUnderWay: boolean;
  steps: { step: number; label: string; at: ShownTime; reason: ShownText | null; ways: WayModel[] }[];
}

interface WayModel {
  name: string;
  /** How it differs; null: it does not, or the words say it. */
  difference: string | null;
  words: string;
  at: ShownTime | null;
  /** `muted`: nothing came of it, and nothing should. */
  tone: 'plain' | 'trouble' | 'muted';
}

/** What comes at once, and what later while nobody acknowledges. */
export async function showExpected(
  db: ReadDatabase,
  { told, reason }: Forecast,
  reader: ToldReader & { now: Date },
): Promise<ExpectedModel> {
  const nameOf = await readNames(
    db,
    told.flatMap(({ recipients }) => recipients),
  );
  const isLater = ({ at }: { at: Date }) => at > reader.now;
  const later = told.filter(isLater);
  const show = (part: Forecast['told']) => showForecast({ told: part, reason }, reader, nameOf);
  return {
    atOnce: show(told.filter((one) => !isLater(one))),
    later: later.length === 0 ? null : show(later),
  };
}

/** The newest first. */
export async function readDrills(
  db: ReadDatabase,
  serviceId: ServiceId,
  limit: number,
  reader: ToldReader & { now: Date },
): Promise<{ drills: DrillModel[]; isWatched: boolean }> {
  const drills = await selectDrills(db, serviceId, limit);
  const episodeIds = drills.map(({ episodeId }) => episodeId);
  const said = await selectNotificationsOfDrills(db, serviceId, episodeIds);
  const deliveries = await selectDeliveries(
    db,
    said.map(({ id }) => id),
  );
  const steps = await readStepsOfDrills(db, serviceId, episodeIds, reader);
  const nameOf = await readNames(
    db,
    drills.flatMap(({ foretold }) => (foretold ?? []).flatMap(({ recipients }) => recipients)),
  );
  const models = drills.map((drill) => {
    const own = said.filter(({ episodeId }) => episodeId === drill.episodeId).map(({ id }) => id);
    return showDrill(
      drill,
      {
        told: deliveries.filter(({ notificationId }) => own.includes(notificationId)),
        isForgotten: own.length === 0,
        steps: steps.filter(({ episodeId }) => episodeId === drill.episodeId),
      },
      nameOf,
      reader,
    );
  });
  const isWatched = drills.some(
    ({ startedAt, acknowledgedAt }, index) =>
      reader.now.getTime() - startedAt.getTime() < WATCHED_MS &&
      (!acknowledgedAt || models[index]?.verdict?.kind === 'under_way'),
  );
  return { drills: models, isWatched };
}

/** A drill that nobody answers is looked at no longer than that by itself. */
const WATCHED_MS = 30 * 60_000;

interface BecameOfIt {
  told: DeliveryRecord[];
  /** What was told is not kept for ever. */
  isForgotten: boolean;
  steps: StepTaken[];
}

function showDrill(
  drill: Drill,
  { told, isForgotten, steps }: BecameOfIt,
  nameOf: NameOf,
  reader: ToldReader & { now: Date },
): DrillModel {
  const { id, startedBy, startedAt, acknowledgedBy, acknowledgedAt, foretold } = drill;
  const ways = told.map((record) => ({ ...toWay(record), record, outcome: findOutcome(record) }));
  const compared =
    foretold && !isForgotten ? compareForetold(foretold, ways, { acknowledgedAt, now: reader.now }) : null;
  return {
    id,
    startedBy,
    startedAt: showTime(startedAt, reader),
    acknowledged:
      acknowledgedBy !== null && acknowledgedAt
        ? {
            by: acknowledgedBy,
            at: showTime(acknowledgedAt, reader),
            after: describeSpan(acknowledgedAt.getTime() - startedAt.getTime()),
          }
        : null,
    verdict:
      isForgotten || (told.length === 0 && compared && isUnderWay(compared))
        ? undefined
        : judgeOutcomes(ways.map(({ outcome }) => outcome)),
    compared: compared && showCompared(compared, nameOf, reader),
    steps: compared ? [] : steps,
    deliveries: compared ? [] : told.map((record) => describeDelivery(record, reader)),
  };
}

type ToldWay = Recipient & { step: number; at: Date; outcome: Outcome; record: DeliveryRecord };

const toWay = ({ transport, recipient, step, toldAt }: DeliveryRecord) => ({
  transport,
  recipient,
  step,
  at: toldAt,
});

function showCompared(
  steps: readonly ComparedStep<ToldWay>[],
  nameOf: NameOf,
  reader: ToldReader,
): ComparedModel {
  return {
    words: sayComparison(steps),
    isUnderWay: isUnderWay(steps),
    isOtherwise: steps.some(({ ways }) => ways.some(({ difference }) => difference !== null)),
    steps: steps.map(({ step, at, reason, ways }) => ({
      step,
      label: nameStep(step),
      at: showTime(at, reader),
      reason: reason && showWhy(reason, reader),
      ways: ways.map((one) => showWay(one, nameOf, reader)),
    })),
  };
}

const isUnderWay = (steps: readonly ComparedStep<ToldWay>[]): boolean =>
  steps.some(({ ways }) => ways.some(({ standing, difference }) => standing === 'due' && !difference));

/** Where the words of its outcome do not say it. */
const DIFFERENCES: Record<Difference, string | null> = {
  not_told: 'Was not told',
  not_foretold: 'Was not foretold',
  other_time: 'At another time',
  left_out: null,
  not_handed_over: null,
};

function showWay(
  { way, told, standing, difference }: ComparedStep<ToldWay>['ways'][number],
  nameOf: NameOf,
  reader: ToldReader,
): WayModel {
  const words = difference && DIFFERENCES[difference];
  const tone = difference ? 'trouble' : 'plain';
  if (!told) {
    const standingWords = { told: '', due: 'To come', spared: 'Not needed: acknowledged before' }[standing];
    return {
      name: nameOf(way),
      difference: words,
      words: difference ? '' : standingWords,
      at: null,
      tone: difference ? tone : 'muted',
    };
  }
  const { recipient: name, ...delivery } = describeDelivery(told.record, reader);
  return {
    name,
    difference: words,
    words: delivery.words,
    at: delivery.at,
    tone: isTrouble(told.outcome) ? 'trouble' : tone,
  };
}

type NameOf = (way: Recipient) => string;

/** As those who were told are named. */
async function readNames(db: ReadDatabase, ways: readonly Recipient[]): Promise<NameOf> {
  const hooks = await selectWebhooks(
    db,
    ways.filter(({ transport }) => transport === 'webhook').map(({ recipient }) => recipient),
  );
  return ({ transport, recipient, accountName = null, via }) => {
    const { webhookKind = null, webhookUrl = null } = hooks.find(({ id }) => id === recipient) ?? {};
    const named = { transport, recipient, accountName, via: (via ?? null) as MethodKind | null };
    return nameWay({ ...named, webhookKind, webhookUrl }, true);
  };
}
