// What is asked of providers that do not call back: which messages are open, and whose turn it is to ask.
import sql from 'sql-template-tag';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

/** One program at a time; null: another one asks, or the provider wants a pause. */
export const leasePoll = async (
  db: Database,
  kind: string,
  leasedUntil: Date,
  now: Date,
): Promise<{ position: string | null } | null> =>
  first(
    await db.query<{ position: string | null }>(sql`
      insert into provider_poll (kind, leased_until) values (${kind}, ${leasedUntil})
      on conflict (kind) do update set leased_until = excluded.leased_until
      where provider_poll.leased_until <= ${now} and coalesce(provider_poll.not_before, '-infinity') <= ${now}
      returning position`),
  );

export const returnPoll = (db: Database, kind: string, notBefore: Date | null, now: Date) =>
  db.query(sql`
    update provider_poll set leased_until = ${now}, not_before = ${notBefore} where kind = ${kind}`);

export const movePoll = (tx: Tx, kind: string, position: string): void =>
  tx.later(sql`
    update provider_poll set position = greatest(position, ${position}::bigint) where kind = ${kind}`);

export interface OpenReceipt {
  letterId: string;
  providerId: string;
  sentAt: Date;
  /** Nobody needs to act on it any more. */
  isOver: boolean;
}

const MOST_AT_ONCE = 50;

/** Messages that left by this way since then, of which more may become known. */
export const selectOpenReceipts = (db: ReadDatabase, via: MethodKind, since: Date, now: Date) =>
  db.query<OpenReceipt>(sql`
    select letter.id as "letterId", min(provider_id) as "providerId", min(sent_at) as "sentAt",
      not bool_or(case when mark = 'drill'
        then exists (select from drill where drill.episode_id = notification.episode_id and acknowledged_at is null)
        else alarm_state.episode_id = notification.episode_id and alarm_state.severity <> 'normal' and not exists (
          select from acknowledgement where acknowledgement.service_id = notification.service_id and ended_at is null
            and (acknowledgement.severity = 'CRITICAL' or alarm_state.severity = 'warning')) end) as "isOver"
    from letter join delivery on letter_id = letter.id
    join notification on notification.id = notification_id
    left join alarm_state on alarm_state.service_id = notification.service_id
    where letter.transport = 'method' and letter.state = 'sent' and finished_at > ${since}
      and via = ${via} and delivery.state = 'sent' and provider_id is not null and confirmed_at is null
      and coalesce(receipt_ask_at, '-infinity') <= ${now}
    group by letter.id order by letter.id limit ${MOST_AT_ONCE}`);

/** null: there is nothing more to learn. */
export const askAgainAt = (db: Database | Tx, letterId: string, at: Date | null) =>
  db.query(sql`
    update delivery set receipt_ask_at = coalesce(${at}::timestamptz, 'infinity') where letter_id = ${letterId}`);

/** By which a provider names a message, in letters of a method. */
export const selectLetterOf = async (tx: Tx, providerId: string): Promise<string | null> =>
  first(
    await tx.query<{ letterId: string }>(sql`
      select letter_id as "letterId" from delivery where provider_id = ${providerId} and letter_id is not null
      order by id desc limit 1`),
  )?.letterId ?? null;
