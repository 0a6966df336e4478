// Marked messages that are no alarm: the test of a group, and the drill of a service.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { takeEpisodeIds } from './episode-ids.ts';
import { selectRecipients } from './recipients.ts';
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
  const recipients = await selectRecipients(tx, groupId);
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

/**
 * A marked critical alarm by the service's real path: its group and all its transports. Flags, mutes and downtimes do not
 * hold it: whoever starts a drill wants to see it arrive. It has an episode of its own, so that its link acknowledges
 * nothing else.
 */
export async function tellDrill(
  tx: Tx,
  { serviceId, authorName }: { serviceId: ServiceId; authorName: string },
  now: Date,
): Promise<Result<{ notificationId: string; episodeId: string }, TellRefusal>> {
  const settings = first(
    await tx.query<{ groupId: number | null; organizationId: OrganizationId }>(sql`
      select notification_group_id as "groupId", organization_id as "organizationId"
      from service_settings where service_id = ${serviceId}`),
  );
  if (!settings?.groupId) return refuse('no_group');
  const { groupId, organizationId } = settings;
  const recipients = await selectRecipients(tx, groupId);
  if (recipients.length === 0) return refuse('nobody_in_group');
  if (!(await spendOnGroup(tx, { groupId, organizationId }, now))) return refuse('too_many_unproved');
  const [episodeId] = await takeEpisodeIds(tx, 1);
  const row = first(
    await tx.query<{ id: string }>(sql`
      insert into notification (service_id, organization_id, group_id, episode_id, kind, severity, mark, state, reason,
        message, author_name, due_at, decided_at, created_at, since, happened_at)
      select service_id, organization_id, ${groupId}::int, ${episodeId}::bigint, 'critical', 'critical', 'drill',
        'released', 'Drill', ${`Alarm drill, started by ${authorName}. Nothing is wrong`}, ${authorName}, ${now}, ${now},
        ${now}, ${now}, ${now}
      from service_settings where service_id = ${serviceId} returning id`),
  );
  if (!row || episodeId === undefined) throw new Error('The drill was not written');
  insertDeliveries(tx, [{ id: row.id, serviceId, recipients }], now);
  insertLinks(tx, [{ serviceId, content: { kind: 'critical', episodeId } }], now);
  return ok({ notificationId: row.id, episodeId });
}
