// What was told long ago is forgotten with the readings of that time, a piece at a time.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { IS_ABOUT_STALE } from '../sql-parts/subjects.ts';

/** So few that nobody waits for it. */
const MOST_AT_ONCE = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Forgotten {
  id: string;
  serviceId: ServiceId | null;
  episodeId: string | null;
}

/** Answers how many notifications are gone, with their deliveries, letters and links. */
export const forgetTold = (db: Database, now: Date, retentionDays: number): Promise<number> =>
  db.transaction(async (tx) => {
    const before = new Date(now.getTime() - retentionDays * DAY_MS);
    await deleteSteps(tx, before);
    await deletePassing(tx, before);
    const told = await lockForgettable(tx, before);
    if (told.length === 0) return 0;
    const ids = told.map(({ id }) => id);
    const letterIds = (await deleteDeliveries(tx, ids)).flatMap(({ letterId }) => letterId ?? []);
    await tx.query(sql`
      delete from letter where id = any(${letterIds}::bigint[]) and state <> 'queued'
        and not exists (select from delivery where letter_id = letter.id)`);
    await tx.query(sql`delete from notification where id = any(${ids}::bigint[])`);
    await deleteLinks(
      tx,
      told.filter(({ episodeId }) => episodeId !== null),
    );
    return told.length;
  }, 'by_index');

/** Not what still waits or is on its way, nor what says who knows of the alarm or stale period that was last told of. */
const lockForgettable = (tx: Tx, before: Date) =>
  tx.query<Forgotten>(sql`
    select id, service_id as "serviceId", episode_id as "episodeId" from notification
    where created_at < ${before} and state <> 'waiting'
      and not exists (select from delivery where notification_id = notification.id and state = 'queued')
      and not exists (
        select from alarm_state join notification_schedule using (service_id)
        where service_id = notification.service_id
          and (notification.episode_id in (alarm_state.episode_id, told_episode_id)
            or stale_event_id = told_stale_event_id or (${IS_ABOUT_STALE} and stale_since is not null)))
    order by created_at limit ${MOST_AT_ONCE} for update skip locked`);

/** Not those of an alarm or stale period that still holds. */
const deleteSteps = (tx: Tx, before: Date) =>
  tx.query(sql`
    delete from step_opened using (
      select service_id, id from step_opened old
      where opened_at < ${before} and not exists (
        select from alarm_state where alarm_state.service_id = old.service_id
          and (alarm_state.episode_id = old.episode_id or (old.stale_event_id is not null and stale_since is not null)))
      order by opened_at limit ${MOST_AT_ONCE}) as old
    where step_opened.service_id = old.service_id and step_opened.id = old.id`);

/** Of alarms that are over: who gave them back, and to whom they were handed. */
async function deletePassing(tx: Tx, before: Date): Promise<void> {
  await tx.query(sql`
    delete from pass_on using (
      select service_id, id from pass_on old where passed_at < ${before} and not exists (
        select from alarm_state where alarm_state.service_id = old.service_id and alarm_state.episode_id = old.episode_id)
      order by passed_at limit ${MOST_AT_ONCE}) as old
    where pass_on.service_id = old.service_id and pass_on.id = old.id`);
  await tx.query(sql`
    delete from hand_over using (
      select service_id, id from hand_over old where offered_at < ${before} and not exists (
        select from alarm_state where alarm_state.service_id = old.service_id and alarm_state.episode_id = old.episode_id)
      order by offered_at limit ${MOST_AT_ONCE}) as old
    where hand_over.service_id = old.service_id and hand_over.id = old.id`);
}

const deleteDeliveries = (tx: Tx, notificationIds: string[]) =>
  tx.query<{ letterId: string | null }>(sql`
    delete from delivery where notification_id = any(${notificationIds}::bigint[]) returning letter_id as "letterId"`);

const deleteLinks = (tx: Tx, told: Forgotten[]) =>
  tx.query(sql`
    delete from acknowledge_link link
    using unnest(${told.map(({ serviceId }) => serviceId)}::int[], ${told.map(({ episodeId }) => episodeId)}::bigint[])
      as told (service_id, episode_id)
    where link.service_id = told.service_id and link.episode_id = told.episode_id and not exists (
      select from notification
      where notification.service_id = link.service_id and notification.episode_id = link.episode_id)`);
