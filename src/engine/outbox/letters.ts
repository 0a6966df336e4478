// Letters and the deliveries in them: made, leased, dropped and finished by the deliverer, which holds no row of its own.
import sql, { type Sql } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { IS_ALARM, IS_BEGINNING } from '../sql-parts/subjects.ts';
import { IS_MAIL_LANE, LANE, LANE_OWNER } from './lane.ts';
import { lookAgain } from './look-again.ts';

/** The group was removed at the same moment as it was decided to tell it: nobody would ever come for it. */
export const dropWithoutGroup = (now: Date) => sql`
  with dropped as (
    update delivery set state = 'dropped', dropped_why = '{"code": "group_gone"}'
    from notification
    where notification.id = notification_id and delivery.state = 'queued' and letter_id is null
      and not exists (select from notification_group where id = group_id)
    returning delivery.service_id)
  insert into look_again (service_id, noted_at)
  select distinct service_id, ${now}::timestamptz from dropped where service_id is not null`;

/** Of a notification: it may join others in a digest. */
export const WAITS = sql`coalesce(mark not in ('test', 'hand_over'), true)`;

/** Groups whose post leaves as digests, deliveries that leave alone, and kinds of webhook whose letters always do. */
interface Leaving {
  digestGroups: number[];
  singles: string[];
  withoutDigests: string[];
}

export const insertLetters = (tx: Tx, { digestGroups, singles, withoutDigests }: Leaving, now: Date): void =>
  tx.later(sql`
    with leaving as (
      -- 0: it joins a digest. Not null, which is compared row by row.
      select delivery.id, notification.group_id, transport, recipient,
        case when delivery.id = any(${singles}::bigint[]) or webhook.kind = any(${withoutDigests}::text[]) then notification_id else 0 end as alone
      from delivery join notification on notification.id = notification_id
      left join notification_group_webhook webhook on transport = 'webhook' and webhook.id::text = recipient
      where delivery.state = 'queued' and letter_id is null
        and (delivery.id = any(${singles}::bigint[])
          or (notification.group_id = any(${digestGroups}::int[]) and ${WAITS}))),
    numbered as materialized (
      select nextval('letter_id_seq') as letter_id, parts.*
      from (select group_id, transport, recipient, alone from leaving
        group by group_id, transport, recipient, alone order by min(leaving.id)) as parts),
    made as (
      insert into letter (id, group_id, transport, recipient, lane, next_attempt_at, created_at)
      select letter_id, numbered.group_id, transport, recipient,
        ${LANE}, ${now}, ${now}
      from numbered
      join notification_group on notification_group.id = numbered.group_id
      left join notification_group_webhook webhook on transport = 'webhook' and webhook.id::text = recipient
      left join contact_method method on transport = 'method' and method.id::text = recipient)
    update delivery set letter_id = numbered.letter_id
    from leaving join numbered
      on numbered.group_id = leaving.group_id and numbered.transport = leaving.transport
        and numbered.recipient = leaving.recipient and numbered.alone = leaving.alone
    where delivery.id = leaving.id`);

const isDue = (now: Date) =>
  sql`state = 'queued' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})`;

export interface Room {
  /** Letters this program may hold, of the mail of an organization and of what it sends to one host. */
  most: { email: number; web: number };
  /** Where there is room for less. */
  lanes: ReadonlyMap<string, number>;
  /** What an organization may have in hand on its way to all hosts, and where there is room for less. */
  mostOfOwner: number;
  owners: ReadonlyMap<string, number>;
  heldIds: readonly string[];
}

/** Locks the oldest of each lane that nobody else is taking at this moment. Of lanes of one organization each has its turn. */
export const leaseLetters = (room: Room, leasedUntil: Date, now: Date): Sql => sql`
    with due as (
      select lane, ${IS_MAIL_LANE} as is_mail, ${LANE_OWNER} as owner, min(next_attempt_at) as since
      from letter where ${isDue(now)} group by lane),
    lanes as (
      select due.lane, is_mail, due.owner,
        coalesce(known.room, case when is_mail then ${room.most.email}::int else ${room.most.web}::int end) as room,
        case when is_mail then ${room.most.email}::int else coalesce(owners.room, ${room.mostOfOwner}::int) end as room_of_owner,
        row_number() over (partition by is_mail, due.owner order by since, due.lane) as place
      from due
      left join unnest(${[...room.lanes.keys()]}::text[], ${[...room.lanes.values()]}::int[]) as known (lane, room)
        on known.lane = due.lane
      left join unnest(${[...room.owners.keys()]}::text[], ${[...room.owners.values()]}::int[]) as owners (owner, room)
        on owners.owner = due.owner
      where coalesce(known.room, 1) > 0),
    found as materialized (
      select oldest.*, is_mail, owner, room_of_owner from lanes cross join lateral (
        select id, lane, next_attempt_at from letter
        where letter.lane = lanes.lane and ${isDue(now)} and id <> all(${room.heldIds}::bigint[])
        order by next_attempt_at, id limit lanes.room for update skip locked) as oldest
      where place <= room_of_owner),
    taken as (
      select id from (
        select id, room_of_owner,
          row_number() over (partition by is_mail, owner order by place_in_lane, next_attempt_at, id) as place
        from (select *, row_number() over (partition by lane order by next_attempt_at, id) as place_in_lane from found) as placed) as chosen
      where place <= room_of_owner)
    update letter set leased_until = ${leasedUntil}, held_at = ${now}
    from taken where letter.id = taken.id
    returning letter.id`;

export interface LeasedLetter {
  id: string;
  /** Tells this claim from a later one by another program. */
  leasedUntil: Date;
}

const given = (letters: readonly LeasedLetter[]): Sql => sql`
  unnest(${letters.map(({ id }) => id)}::bigint[], ${letters.map((letter) => letter.leasedUntil)}::timestamptz[])`;

export const renewLeases = (letters: readonly LeasedLetter[], leasedUntil: Date): Sql => sql`
    update letter set leased_until = ${leasedUntil}
    from ${given(letters)} as held (id, leased_until)
    where letter.id = held.id and letter.leased_until = held.leased_until and state = 'queued'
    returning letter.id`;

/** Answers with those that are still this program's. */
export const sayHeld = (letters: readonly LeasedLetter[], now: Date): Statement<{ id: string }> => sql`
  update letter set held_at = ${now}
  from ${given(letters)} as held (id, leased_until)
  where letter.id = held.id and letter.leased_until = held.leased_until and state = 'queued'
  returning letter.id`;

export interface HeldLetter extends LeasedLetter {
  heldAt: Date;
}

/** Of programs that say so. */
export const selectHeldByOthers = (own: readonly LeasedLetter[]): Statement<HeldLetter> => sql`
  select id, leased_until as "leasedUntil", held_at as "heldAt" from letter
  where state = 'queued' and leased_until is not null and held_at is not null
    and id <> all(${own.map(({ id }) => id)}::bigint[])`;

/** What was said of again meanwhile stays with its program. */
export const freeLetters = (db: Database, letters: readonly HeldLetter[]) =>
  db.query(sql`
    update letter set leased_until = null, held_at = null
    from unnest(${letters.map(({ id }) => id)}::bigint[], ${letters.map(({ heldAt }) => heldAt)}::timestamptz[])
      as abandoned (id, held_at)
    where letter.id = abandoned.id and letter.held_at = abandoned.held_at and state = 'queued'`);

interface DroppedDelivery {
  id: string;
  serviceId: ServiceId | null;
  reason: Reason;
}

export function dropDeliveries(tx: Tx, dropped: readonly DroppedDelivery[], now: Date): void {
  tx.later(sql`
    update delivery set state = 'dropped', dropped_why = dropped.reason
    from json_to_recordset(${JSON.stringify(dropped)}) as dropped (id bigint, reason jsonb)
    where delivery.id = dropped.id`);
  lookAgain(tx, [...new Set(dropped.flatMap(({ serviceId }) => serviceId ?? []))], now);
}

export const dropLetters = (tx: Tx, letterIds: string[], now: Date): void =>
  tx.later(sql`
    update letter set state = 'dropped', leased_until = null, held_at = null, finished_at = ${now}
    where id = any(${letterIds}::bigint[])`);

/** Free again at once: nothing of them was sent. */
export const returnLetters = (db: Database, letterIds: string[]) =>
  db.query(sql`
    update letter set leased_until = null, held_at = null
    where id = any(${letterIds}::bigint[]) and state = 'queued'`);

export interface LetterFate {
  letterId: string;
  state: 'sent' | 'failed' | 'queued';
  nextAttemptAt: Date | null;
  /** Deliveries that are given up in a letter that is tried again. */
  givenUpIds?: readonly string[];
  at: Date;
  error: string | null;
  /** Its receiver said that it takes none. */
  isRefused?: boolean;
  /** Of what was handed over: by which its receiver names it, and the host that took it. */
  providerId?: string | null;
  handedTo?: string | null;
  /** Of what is done with: it was kept, for want of a mail server. */
  isKept?: boolean;
}

/** A letter whose lease ended may have been finished by somebody else: what stands, stands. All travels with the commit. */
export function writeFates(tx: Tx, fates: readonly LetterFate[]): void {
  // In one order, so that programs that finish the same letters do not wait for each other in a circle.
  const sorted = [...fates].sort((one, other) => Number(BigInt(one.letterId) - BigInt(other.letterId)));
  const ids = `{${sorted.map(({ letterId }) => letterId).join(',')}}`;
  tx.later(sql`select id from letter where id = any(${ids}::bigint[]) order by id for no key update`);
  tx.later(sql`
    with attempt as (
      select "letterId" as letter_id, state, "nextAttemptAt" as next_attempt_at, "givenUpIds" as given_up_ids, at, error,
        "providerId" as provider_id, "isRefused" as is_refused, "handedTo" as handed_to, "isKept" as is_kept
      from json_to_recordset(${JSON.stringify(sorted)}) as given ("letterId" bigint, state text, "nextAttemptAt" timestamptz,
        "givenUpIds" bigint[], at timestamptz, error text, "providerId" text, "isRefused" bool,
        "handedTo" text, "isKept" bool)),
    finished as (
      update letter set state = attempt.state, attempts = attempts + 1, leased_until = null, held_at = null,
        next_attempt_at = coalesce(attempt.next_attempt_at, letter.next_attempt_at),
        finished_at = case when attempt.state = 'queued' then null else attempt.at end,
        handed_to = attempt.handed_to, is_kept = attempt.is_kept
      from attempt where letter.id = attempt.letter_id and letter.state = 'queued')
    update delivery set
      state = case when delivery.id = any(given_up_ids) then 'failed' else attempt.state end, attempts = attempts + 1, last_error = attempt.error,
      next_attempt_at = coalesce(attempt.next_attempt_at, delivery.next_attempt_at),
      sent_at = case when attempt.state = 'sent' then attempt.at end, provider_id = attempt.provider_id,
      refused_at = case when is_refused then coalesce(refused_at, attempt.at) else refused_at end
    from attempt where delivery.letter_id = attempt.letter_id and delivery.state = 'queued'`);
  const now = fates[0]?.at as Date;
  lookAgainAtEnds(
    tx,
    sorted.filter(({ state }) => state === 'sent').map(({ letterId }) => letterId),
    now,
  );
  lookAgainAtLadders(
    tx,
    sorted.filter(({ state, isRefused }) => state === 'failed' || isRefused),
    now,
  );
}

/** Nobody waits for what failed: the next step may open. A refusal counts when it is said first. */
function lookAgainAtLadders(tx: Tx, failed: readonly LetterFate[], now: Date): void {
  if (failed.length === 0) return;
  tx.announce();
  tx.later(sql`
    insert into look_again (service_id, noted_at)
    select distinct delivery.service_id, ${now}::timestamptz
    from delivery join notification on notification.id = notification_id
    where letter_id = any(${failed.map(({ letterId }) => letterId)}::bigint[]) and mark is null
      and (delivery.state = 'failed' or refused_at = any(${failed.map(({ at }) => at)}::timestamptz[]))
      and ${IS_BEGINNING}`);
}

/** Somebody has heard now of what was over before it arrived, and was not owed its end until then. */
function lookAgainAtEnds(tx: Tx, sentIds: string[], now: Date): void {
  if (sentIds.length === 0) return;
  tx.later(sql`
    insert into look_again (service_id, noted_at)
    select distinct delivery.service_id, ${now}::timestamptz
    from delivery join notification on notification.id = notification_id
    join alarm_state on alarm_state.service_id = delivery.service_id
    where letter_id = any(${sentIds}::bigint[]) and delivery.state = 'sent' and mark is null
      and ((${IS_ALARM} and alarm_state.episode_id is distinct from notification.episode_id)
        or (subject = 'stale' and stale_since is null))`);
}

/** What it refused so far does not wait out its pause. Letters that somebody marks at this moment are under way anyway. */
export const tryAgainNow = (tx: Tx, webhooks: readonly { id: number }[], now: Date): void =>
  tx.later(sql`
    update letter set next_attempt_at = ${now}
    where id in (
      select id from letter
      where state = 'queued' and transport = 'webhook' and recipient = any(${webhooks.map(({ id }) => String(id))}::text[])
        and next_attempt_at > ${now}
      for no key update skip locked)`);

/** Of a past that is made up: what was told has arrived. */
export const settleDeliveries = (db: Database, now: Date) =>
  db.query(sql`
    update delivery set state = 'sent', attempts = 1, sent_at = ${now} where state = 'queued'`);
