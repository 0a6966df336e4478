// Marked messages that are no alarm: the test of a group, and the drill of a service.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { onlyOnce, standAt } from '../../domain/on-call/ladder.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { beginClimb } from './climb-drills.ts';
import { takeEpisodeIds } from './episode-ids.ts';
import { listPlainly, readLadder, toLadder } from './ladders.ts';
import { spendOnGroup } from './unproved-mail.ts';
import { insertDeliveries, insertLinks } from './write-decisions.ts';

export type TellRefusal = 'no_group' | 'nobody_in_group' | 'too_many_unproved';

/** A marked message to everybody in a group. */
export async function tellTest(
  tx: Tx,
  {
    groupId,
    organizationId,
    authorName,
  }: { groupId: number; organizationId: OrganizationId; authorName: string },
  now: Date,
): Promise<Result<{ notificationId: string }, TellRefusal>> {
  const recipients = await findEverybody(tx, groupId, now);
  if (recipients.length === 0) return refuse('nobody_in_group');
  if (!(await spendOnGroup(tx, { groupId, organizationId }, now))) return refuse('too_many_unproved');
  const row = first(
    await tx.query<{ id: string }>(sql`
      insert into notification (organization_id, group_id, kind, severity, mark, state, reason, message, author_name,
        due_at, decided_at, created_at, happened_at)
      values (${organizationId}, ${groupId}, 'system', 'normal', 'test', 'released', 'Test',
        ${`This is a test, sent by ${authorName}`}, ${authorName}, ${now}, ${now}, ${now}, ${now})
      returning id`),
  );
  if (!row) throw new Error('The test was not written');
  insertDeliveries(tx, [{ id: row.id, serviceId: null, recipients }], now);
  return ok({ notificationId: row.id });
}

/** At whatever step and hours, and who is on call now. */
async function findEverybody(tx: Tx, groupId: number, now: Date): Promise<Recipient[]> {
  const row = await readLadder(tx, groupId, now);
  if (!row) return [];
  const ladder = toLadder(row);
  if (!ladder) return listPlainly(row);
  const steps = standAt({ ...ladder, hours: null }, now).steps;
  return onlyOnce(steps.flatMap(({ recipients }) => recipients));
}

/**
 * A marked critical alarm by the service's real path: its group and all its transports. Flags, mutes and downtimes do not
 * hold it: whoever starts a drill wants to see it arrive. It has an episode of its own, so that its link acknowledges
 * nothing else.
 */
export async function tellDrill(
  tx: Tx,
  { serviceId, authorName, climbs = false }: { serviceId: ServiceId; authorName: string; climbs?: boolean },
  now: Date,
): Promise<Result<{ notificationId: string; episodeId: string }, TellRefusal>> {
  const settings = first(
    await tx.query<{ groupId: number | null; organizationId: OrganizationId }>(sql`
      select notification_group_id as "groupId", organization_id as "organizationId"
      from service_settings where service_id = ${serviceId}`),
  );
  if (!settings?.groupId) return refuse('no_group');
  const { groupId, organizationId } = settings;
  const row = await readLadder(tx, groupId, now);
  const ladder = row && toLadder(row);
  const recipients = ladder ? (standAt(ladder, now).steps[0]?.recipients ?? []) : row ? listPlainly(row) : [];
  if (recipients.length === 0 && !(ladder && climbs)) return refuse('nobody_in_group');
  if (!(await spendOnGroup(tx, { groupId, organizationId }, now))) return refuse('too_many_unproved');
  const [episodeId] = await takeEpisodeIds(tx, 1);
  const written = first(
    await tx.query<{ id: string }>(sql`
      insert into notification (service_id, organization_id, group_id, episode_id, kind, severity, mark, state, reason,
        message, author_name, due_at, decided_at, created_at, since, happened_at)
      select service_id, organization_id, ${groupId}::int, ${episodeId}::bigint, 'critical', 'critical', 'drill',
        'released', 'Drill', ${`Alarm drill, started by ${authorName}. Nothing is wrong`}, ${authorName}, ${now}, ${now},
        ${now}, ${now}, ${now}
      from service_settings where service_id = ${serviceId} returning id`),
  );
  if (!written || episodeId === undefined) throw new Error('The drill was not written');
  insertDeliveries(tx, [{ id: written.id, serviceId, recipients }], now);
  if (ladder && climbs)
    beginClimb(tx, { serviceId, groupId, episodeId, authorName, isEmpty: recipients.length === 0 }, now);
  insertLinks(tx, [{ serviceId, content: { kind: 'critical', episodeId } }], now);
  return ok({ notificationId: written.id, episodeId });
}
