// Drills as their page shows them: what is foretold of one that would start now, and of those so far what was foretold beside
// what became of it.

import type { ServiceId } from '../../domain/ids.ts';
import { compareForetold } from '../../domain/notifications/compare-foretold.ts';
import type { Forecast } from '../../domain/notifications/foretell.ts';
import { judgeOutcomes, type OutcomeVerdict } from '../../domain/notifications/verdict.ts';
import { describeSpan } from '../../domain/span.ts';
import { type ForecastModel, showForecast } from '../../engine/pages/forecast.tsx';
import { type DeliveryModel, describeDelivery, type ToldReader } from '../../engine/told/told-model.ts';
import { type DeliveryRecord, selectDeliveries } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import {
  type ComparedModel,
  isUnderWay,
  type NameOf,
  readNames,
  showCompared,
  toWay,
} from './compared-drill.ts';
import { type Drill, selectDrills } from './drill-queries.ts';
import { selectNotificationsOfDrills } from './queries.ts';
import { readStepsOfDrills, type StepTaken } from './steps-taken.ts';

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
  verdict: OutcomeVerdict | undefined;
  /** null: what was foretold was not noted. */
  compared: ComparedModel | null;
  /** Of those alone. */
  steps: StepTaken[];
  deliveries: DeliveryModel[];
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
    reader.language,
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
    reader.language,
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
  const ways = told.map(toWay);
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
            after: describeSpan(acknowledgedAt.getTime() - startedAt.getTime(), reader.language),
          }
        : null,
    verdict:
      isForgotten || (told.length === 0 && compared && isUnderWay(compared))
        ? undefined
        : judgeOutcomes(
            ways.map(({ outcome }) => outcome),
            reader.language,
          ),
    compared: compared && showCompared(compared, nameOf, reader),
    steps: compared ? [] : steps,
    deliveries: compared ? [] : told.map((record) => describeDelivery(record, reader)),
  };
}
