// The figures of past alarms that were read.
import {
  type AlarmFigures,
  addUpFigures,
  findNoisiest,
  type NoisyFigures,
  shareOut,
} from '../../domain/history/episode-figures.ts';
import { choosePlaces, type PastEpisodes } from '../../domain/history/past-episodes.ts';
import type { Stretch } from '../../domain/history/reader-days.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { type AskedFigures, type NamedUnit, selectNamedUnits } from './insight-queries.ts';

const MOST_NOISY = 10;

export interface CountedAlarms {
  all: AlarmFigures;
  weeks: AlarmFigures[];
  noisy: (NoisyFigures & NamedUnit)[];
}

export async function countAlarms(
  db: ReadDatabase,
  episodes: PastEpisodes,
  asked: { own: readonly OrganizationId[]; figures: AskedFigures; weeks: readonly Stretch[]; now: Date },
): Promise<CountedAlarms> {
  const { own, figures, weeks, now } = asked;
  const { all, each, noisiest } = await inSlices(countInSlices(episodes, figures, weeks, now));
  const named = await selectNamedUnits(
    db,
    own,
    noisiest.map(({ serviceId }) => serviceId),
  );
  return {
    all,
    weeks: each,
    noisy: noisiest.flatMap((figure) => {
      const unit = named.find(({ id }) => id === figure.serviceId);
      return unit ? [{ ...unit, ...figure }] : [];
    }),
  };
}

function* countInSlices(
  episodes: PastEpisodes,
  { search, named }: AskedFigures,
  weeks: readonly Stretch[],
  now: Date,
) {
  const { severity, state } = search;
  const [from, to] = [search.from as Date, search.to as Date];
  const units = named.byWords === null && named.units ? new Set<number>(named.units) : null;
  const places = choosePlaces(episodes, { units, severity, state, from, to });
  yield;
  const all = addUpFigures(episodes, places);
  yield;
  const noisiest = findNoisiest(episodes, places, { now, most: MOST_NOISY });
  yield;
  const begins = weeks.map(({ from: begin }) => begin);
  const each: AlarmFigures[] = [];
  for (const ofWeek of shareOut(episodes, places, begins)) {
    each.push(addUpFigures(episodes, ofWeek));
    yield;
  }
  return { all, each, noisiest };
}
