// Marked messages that are no alarm: the test of a group, and the drill of a service.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ToldRecipient } from '../../domain/notifications/answer.ts';
import { foretell, serviceOf } from '../../domain/notifications/foretell.ts';
import { onlyOnce, standAt } from '../../domain/notifications/ladder.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { beginClimb } from './climb-drills.ts';
import { takeEpisodeIds } from './episode-ids.ts';
import { type ReadLadder, readLadder, toLadder } from './ladders.ts';
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
      insert into notification (organization_id, group_id, subject, severity, mark, state, why, message, author_name,
        due_at, decided_at, created_at, happened_at)
      values (${organizationId}, ${groupId}, 'back', 'normal', 'test', 'released', '{"code": "test"}',
        ${`This is a test, sent by ${authorName}`}, ${authorName}, ${now}, ${now}, ${now}, ${now})
      returning id`),
  );
  if (!row) throw new Error('The test was not written');
  insertDeliveries(tx, [{ id: row.id, serviceId: null, recipients }], now);
  return ok({ notificationId: row.id });
}

/** At whatever step and hours, and who is on call now. */
async function findEverybody(tx: Tx, groupId: number, now: Date): Promise<ToldRecipient[]> {
  const row = await readLadder(tx, groupId, now);
  if (!row) return [];
  const { steps } = standAt({ ...toLadder(row), hours: null }, now);
  return onlyOnce(steps.flatMap(({ recipients }) => recipients)).map((one) => ({ ...one, step: 0 }));
}

/** Whom a critical alarm that begins now is told first: as the decision on a real one would. */
const findFirst = (row: ReadLadder, now: Date): readonly ToldRecipient[] =>
  foretell(serviceOf({ id: row.id, name: row.name, ladder: toLadder(row) }), 'critical', {
    from: now,
    until: now,
  }).told.find(({ step }) => step === 0)?.recipients ?? [];

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
  if (!row) return refuse('no_group');
  const recipients = findFirst(row, now);
  const isClimb = climbs && row.steps.length > 0;
  if (recipients.length === 0 && !isClimb) return refuse('nobody_in_group');
  if (!(await spendOnGroup(tx, { groupId, organizationId }, now))) return refuse('too_many_unproved');
  const [episodeId] = await takeEpisodeIds(tx, 1);
  const written = first(
    await tx.query<{ id: string }>(sql`
      insert into notification (service_id, organization_id, group_id, episode_id, subject, severity, mark, state, why,
        message, author_name, due_at, decided_at, created_at, since, happened_at)
      select service_id, organization_id, ${groupId}::int, ${episodeId}::bigint, 'critical', 'critical', 'drill',
        'released', '{"code": "drill"}'::jsonb, ${`Alarm drill, started by ${authorName}. Nothing is wrong`}, ${authorName}, ${now}, ${now},
        ${now}, ${now}, ${now}
      from service_settings where service_id = ${serviceId} returning id`),
  );
  if (!written || episodeId === undefined) throw new Error('The drill was not written');
  insertDeliveries(tx, [{ id: written.id, serviceId, recipients }], now);
  if (isClimb)
    beginClimb(tx, { serviceId, groupId, episodeId, authorName, isEmpty: recipients.length === 0 }, now);
  insertLinks(tx, [{ serviceId, content: { subject: 'critical', episodeId } }], now);
  return ok({ notificationId: written.id, episodeId });
}
