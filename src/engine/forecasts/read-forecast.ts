// A service as the decision on it would see it, for whoever wants to know what would be told of it.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { findShortestDelay } from '../../domain/judging/limits.ts';
import { AHEAD_MS, type Forecast, foretellInSteps } from '../../domain/notifications/foretell.ts';
import type { Situation, Window } from '../../domain/notifications/situation.ts';
import type { Beginning } from '../../domain/notifications/subject.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { selectCurrentStates, selectGroups, toToldServices } from '../outbox/current-states.ts';
import { selectWarningsTold } from '../outbox/told-before.ts';
import { askSeriesOf, listPlanned, type StoredSeries } from '../quiet-times/series.ts';
import { askLimitsInForce } from '../services/limits-in-force.ts';

/** null: there is no such service. Its organization is for the caller to look at. */
export async function readForecast(
  db: ReadDatabase,
  serviceId: ServiceId,
  subject: Beginning,
  from: Date,
  now: Date,
): Promise<Forecast | null> {
  const span = { from, until: new Date(from.getTime() + AHEAD_MS) };
  const situation = await readSituation(db, serviceId, subject, {
    since: from < now ? from : now,
    until: span.until,
  });
  return situation && inSlices(foretellInSteps(situation, subject, span));
}

async function readSituation(
  db: ReadDatabase,
  serviceId: ServiceId,
  subject: Beginning,
  { since, until }: { since: Date; until: Date },
): Promise<Situation | null> {
  const ids = sql`${[serviceId]}::int[]`;
  const { states, groups, warningsTold, limits, channels, mutes, series } = await db.queryAll({
    states: selectCurrentStates(ids, since),
    groups: selectGroups(ids, since),
    warningsTold: selectWarningsTold(ids, since),
    limits: askLimitsInForce(serviceId),
    channels: selectChannels(serviceId),
    mutes: selectMute(serviceId),
    series: askSeriesOf(serviceId),
  });
  const [service] = await inSlices(toToldServices(states, groups));
  const situation = service?.situation;
  if (!situation) return null;
  return {
    ...situation,
    ...placeMute(situation, first(mutes)?.until ?? null, [
      ...situation.downtimes,
      ...series.flatMap((one) => listWindows(one, since, until)),
    ]),
    delayMinutes: subject === 'stale' ? 0 : findShortestDelay(limits, channels, subject),
    warningsTold,
  };
}

/** Also those that are no downtimes yet; the others are there twice, which makes no difference. */
const listWindows = (series: StoredSeries, from: Date, until: Date): Window[] =>
  listPlanned(series, from, until).map(({ startAt, endAt }) => ({
    startAt,
    endAt,
    by: series.createdByName,
  }));

const selectChannels = (serviceId: ServiceId): Statement<{ name: string; kind: string }> => sql`
  select name, kind from channel where service_id = ${serviceId}`;

/** Of all mutes that stand; null: somebody has to end it. */
const selectMute = (serviceId: ServiceId): Statement<{ until: Date | null }> => sql`
  select case when bool_and(ends_at is not null) then max(ends_at) end as "until"
  from mute where service_id = ${serviceId} and ended_at is null`;

/** One that ends by itself is as good as a downtime: what is told afterwards can be foretold. */
const placeMute = (
  { mutedBy }: Situation,
  until: Date | null,
  downtimes: readonly Window[],
): Pick<Situation, 'mutedBy' | 'downtimes'> =>
  mutedBy === null || until === null
    ? { mutedBy, downtimes }
    : { mutedBy: null, downtimes: [...downtimes, { startAt: new Date(0), endAt: until, by: mutedBy }] };
