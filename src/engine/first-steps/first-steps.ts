// What is noted of the first steps of an organization, where no other row says it.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';

/** There is no colleague to invite. */
export const noteAlone = (tx: Tx, organizationId: OrganizationId, now: Date): void =>
  tx.later(sql`
    insert into first_steps (organization_id, alone_at) values (${organizationId}, ${now})
    on conflict (organization_id) do update set alone_at = ${now}`);

export const noteTest = (tx: Tx, organizationId: OrganizationId, notificationId: string): void =>
  tx.later(sql`
    insert into first_steps (organization_id, test_id) values (${organizationId}, ${notificationId})
    on conflict (organization_id) do update set test_id = excluded.test_id`);

/** Somebody says to have a message. Said again it changes nothing. */
const insertArrived = (organizations: Sql, now: Date): Sql => sql`
  insert into first_steps as known (organization_id, arrived_at)
  select distinct organization_id, ${now}::timestamptz from (${organizations}) as given (organization_id)
  on conflict (organization_id) do update set arrived_at = excluded.arrived_at where known.arrived_at is null`;

export const noteArrived = (tx: Tx, organizationId: OrganizationId, now: Date): void =>
  tx.later(insertArrived(sql`select ${organizationId}::int`, now));

/** A reader says to have this letter. One that was kept can be read here, and has not arrived. */
export const noteLetterArrived = (tx: Tx, letterId: string, now: Date): void =>
  tx.later(
    insertArrived(
      sql`
      select organization_id from letter join delivery on letter_id = letter.id
      join notification on notification.id = notification_id
      where letter.id = ${letterId} and is_kept is distinct from true`,
      now,
    ),
  );

/** Somebody followed the link in a message about this alarm. */
export const noteLinkFollowed = (
  tx: Tx,
  { serviceId, episodeId }: { serviceId: ServiceId; episodeId: string },
  now: Date,
): void =>
  tx.later(
    insertArrived(
      sql`
      select organization_id from notification join delivery on notification_id = notification.id
      join letter on letter.id = letter_id
      where notification.service_id = ${serviceId} and notification.episode_id = ${episodeId}
        and letter.state = 'sent' and is_kept is distinct from true`,
      now,
    ),
  );

/** Nobody is led anywhere in a made-up lab. */
export const noteMadeUp = (tx: Tx, organizationIds: readonly OrganizationId[]): void =>
  tx.later(sql`
    insert into first_steps (organization_id, is_made_up) select unnest(${organizationIds}::int[]), true
    on conflict (organization_id) do update set is_made_up = true`);
