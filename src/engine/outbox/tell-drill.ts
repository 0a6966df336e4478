// The drill of a service: a marked critical alarm to its group, by all the ways that a real one takes. It has an episode of its
// own, so that its link acknowledges nothing else.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { foretellDrill } from '../../domain/notifications/drill.ts';
import type { Forecast, Foretold } from '../../domain/notifications/foretell.ts';
import type { Group } from '../../domain/notifications/situation.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { lookAtDrill, writeDrill } from './climb-drills.ts';
import { takeEpisodeIds } from './episode-ids.ts';
import { readLadder, toLadder } from './ladders.ts';
import { spendOnGroup } from './unproved-mail.ts';
import { insertLinks } from './write-decisions.ts';

/** `nobody_in_group`: nobody at all. `nobody_at_once`: but somebody later, should it go on. */
export type DrillRefusal = 'no_group' | 'nobody_in_group' | 'nobody_at_once' | 'too_many_unproved';

interface NewDrill {
  serviceId: ServiceId;
  authorName: string;
  /** While nobody acknowledges it: further steps, ways that wait, whoever comes on duty. */
  climbs?: boolean;
}

export interface BegunDrill {
  notificationId: string;
  episodeId: string;
  foretold: readonly Foretold[];
}

/** null: the service tells no group. */
export async function readDrillForecast(
  db: ReadDatabase,
  serviceId: ServiceId,
  now: Date,
): Promise<Forecast | null> {
  const group = await readGroupOf(db, serviceId, now);
  return group && inSlices(foretellDrill(group, now, true));
}

export async function tellDrill(
  tx: Tx,
  { serviceId, authorName, climbs = false }: NewDrill,
  now: Date,
): Promise<Result<BegunDrill, DrillRefusal>> {
  const group = await readGroupOf(tx, serviceId, now);
  if (!group) return refuse('no_group');
  const { id: groupId, organizationId } = group;
  const { told: foretold } = await inSlices(foretellDrill(group, now, climbs));
  if (!reachesAnybody(foretold))
    return refuse(
      reachesAnybody((await inSlices(foretellDrill(group, now, true))).told)
        ? 'nobody_at_once'
        : 'nobody_in_group',
    );
  if (!(await spendOnGroup(tx, { groupId, organizationId }, now))) return refuse('too_many_unproved');
  const [episodeId] = await takeEpisodeIds(tx, 1);
  if (episodeId === undefined) throw new Error('There is no number for the drill');
  const drill = { serviceId, organizationId, groupId, episodeId, authorName };
  const soFar = { episodeId, startedAt: now, opened: [], told: [] };
  const { notificationIds, lookAgainAt } = await lookAtDrill(tx, drill, group, soFar, now);
  const notificationId =
    notificationIds[0] ?? (await writeDrill(tx, drill, { step: 0, recipients: [] }, now));
  if (climbs && lookAgainAt)
    tx.later(sql`
      insert into drill_climb (episode_id, service_id, group_id, author_name, started_at, look_again_at)
      values (${episodeId}, ${serviceId}, ${groupId}, ${authorName}, ${now}, ${lookAgainAt})`);
  insertLinks(tx, [{ serviceId, content: { subject: 'critical', episodeId } }], now);
  return ok({ notificationId, episodeId, foretold });
}

const reachesAnybody = (told: readonly Foretold[]): boolean =>
  told.some(({ recipients }) => recipients.length > 0);

async function readGroupOf(
  db: ReadDatabase,
  serviceId: ServiceId,
  now: Date,
): Promise<(Group & { organizationId: OrganizationId }) | null> {
  const settings = first(
    await db.query<{ groupId: number | null }>(sql`
      select notification_group_id as "groupId" from service_settings where service_id = ${serviceId}`),
  );
  const row = settings?.groupId ? await readLadder(db, settings.groupId, now) : null;
  return row && { id: row.id, name: row.name, organizationId: row.organizationId, ladder: toLadder(row) };
}
