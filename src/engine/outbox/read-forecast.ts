// A service as the decision on it would see it, for whoever wants to know what would be told of it.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { AHEAD_MS, type Forecast, foretell } from '../../domain/notifications/foretell.ts';
import type { Situation } from '../../domain/notifications/situation.ts';
import type { Beginning } from '../../domain/notifications/subject.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { selectCurrentStates, selectGroups, toToldServices } from './current-states.ts';
import { selectWarningsTold } from './told-before.ts';

/** null: there is no such service. Its organization is for the caller to look at. */
export async function readForecast(
  db: ReadDatabase,
  serviceId: ServiceId,
  subject: Beginning,
  from: Date,
  now: Date,
): Promise<Forecast | null> {
  const situation = await readSituation(db, serviceId, subject, from < now ? from : now);
  const until = new Date(from.getTime() + AHEAD_MS);
  return situation && foretell(situation, subject, { from, until });
}

async function readSituation(
  db: ReadDatabase,
  serviceId: ServiceId,
  subject: Beginning,
  since: Date,
): Promise<Situation | null> {
  const ids = sql`${[serviceId]}::int[]`;
  const { states, groups, warningsTold, delays, mutes } = await db.queryAll({
    states: selectCurrentStates(ids, since),
    groups: selectGroups(ids, since),
    warningsTold: selectWarningsTold(ids, since),
    delays: selectDelays(serviceId),
    mutes: selectMute(serviceId),
  });
  const situation = toToldServices(states, groups)[0]?.situation;
  if (!situation) return null;
  const delayMinutes = (subject === 'stale' ? null : first(delays)?.[subject]) ?? 0;
  return { ...situation, delayMinutes, warningsTold, ...placeMute(situation, first(mutes)?.until ?? null) };
}

/** The shortest that a band of the service has. */
const selectDelays = (
  serviceId: ServiceId,
): Statement<{ critical: number | null; warning: number | null }> => sql`
  select min(delay_minutes) filter (where band in ('CRITICAL_HIGH', 'CRITICAL_LOW')) as "critical",
    min(delay_minutes) filter (where band in ('WARNING_HIGH', 'WARNING_LOW')) as "warning"
  from limits_version join limits_band on limits_version_id = limits_version.id
  where service_id = ${serviceId} and retired_at is null and limit_value is not null`;

/** Of all mutes that stand; null: somebody has to end it. */
const selectMute = (serviceId: ServiceId): Statement<{ until: Date | null }> => sql`
  select case when bool_and(ends_at is not null) then max(ends_at) end as "until"
  from mute where service_id = ${serviceId} and ended_at is null`;

/** One that ends by itself is as good as a downtime: what is told afterwards can be foretold. */
const placeMute = (
  { mutedBy, downtimes }: Situation,
  until: Date | null,
): Partial<Pick<Situation, 'mutedBy' | 'downtimes'>> =>
  mutedBy === null || until === null
    ? {}
    : { mutedBy: null, downtimes: [...downtimes, { startAt: new Date(0), endAt: until, by: mutedBy }] };
