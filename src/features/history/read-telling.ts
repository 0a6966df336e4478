// What was notified of alarms, counted over their recipients: as it is stored, and no longer than that is kept.

import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { countOutcomes, type OutcomeCounts } from '../../domain/notifications/count-outcomes.ts';
import { findOutcome } from '../../domain/notifications/outcome.ts';
import { IS_ALARM } from '../../engine/sql-parts/subjects.ts';
import { selectDeliveries } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

/** `forgotten`: what was notified is no longer kept. `undecided`: it is looked at this very second. */
export type Telling = OutcomeCounts | 'forgotten' | 'undecided';

export async function readTelling(
  db: ReadDatabase,
  episodes: readonly { id: string; serviceId: ServiceId }[],
): Promise<(episodeId: string) => Telling> {
  if (episodes.length === 0) return () => 'forgotten';
  const beginnings = await selectBeginnings(db, episodes);
  const deliveries = groupBy(
    await selectDeliveries(
      db,
      beginnings.map(({ id }) => id),
    ),
    ({ notificationId }) => notificationId,
  );
  const byEpisode = groupBy(beginnings, ({ episodeId }) => episodeId);
  return (episodeId) => {
    const own = byEpisode.get(episodeId);
    if (!own) return 'forgotten';
    const told = own.flatMap(({ id }) => deliveries.get(id) ?? []);
    if (told.length === 0 && own.every(({ state }) => state === 'waiting')) return 'undecided';
    return countOutcomes(told.map(findOutcome));
  };
}

/** Of an alarm in its severities; repeats say nothing new. */
const selectBeginnings = (
  db: ReadDatabase,
  episodes: readonly { id: string; serviceId: ServiceId }[],
): Promise<{ id: string; episodeId: string; state: string }[]> =>
  db.query(sql`
    select notification.id, notification.episode_id as "episodeId", state
    from unnest(${episodes.map(({ serviceId }) => serviceId)}::int[], ${episodes.map(({ id }) => id)}::bigint[])
      as asked (service_id, episode_id)
    join notification using (service_id, episode_id)
    where ${IS_ALARM} and mark is null and not is_repeat`);
