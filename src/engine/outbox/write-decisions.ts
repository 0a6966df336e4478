// The policy's decisions as rows: what is released with a delivery for each recipient, what is held or dropped and why.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import type { ToldRecipient } from '../../domain/notifications/answer.ts';
import { type Reason, sayReason } from '../../domain/notifications/reason.ts';
import { canBeAcknowledged, isAbout, type Subject } from '../../domain/notifications/subject.ts';
import type { Tx } from '../../platform/db/database.ts';
import { insertOpenedSteps } from './climbs.ts';
import { type Decision, describeNotification, type NotificationContent } from './notification-content.ts';

/** A fixed number of statements, however many decisions; they travel with the commit. */
export function writeDecisions(tx: Tx, decisions: readonly Decision[], now: Date): void {
  settleWaiting(tx, decisions.flatMap(listStandings), now);
  const notifications = decisions.flatMap((decision) =>
    decision.verdict.notifications.map(({ waitingId, note, ...notification }) => {
      const happened = decision.waiting.find(({ id }) => id === waitingId) ?? null;
      const described = describeNotification(decision, notification.subject, happened);
      const content = note
        ? { ...described, message: `${sayReason(note, english)} ${described.message ?? ''}`.trim() }
        : described;
      return { ...namePlace(decision), ...notification, id: waitingId, state: 'released' as const, content };
    }),
  );
  const closings = decisions.flatMap((decision) =>
    decision.verdict.closings.map(({ subject, reason }) => ({
      ...namePlace(decision),
      id: null,
      state: 'dropped' as const,
      reason,
      isRepeat: false,
      recipients: [],
      content: describeNotification(decision, subject, null),
    })),
  );
  const happened = notifications.flatMap(({ id, ...notification }) =>
    id === null ? [] : [{ ...notification, id }],
  );
  releaseWaiting(tx, happened, now);
  insertDeliveries(tx, happened, now);
  insertNotifications(tx, [...notifications.filter(({ id }) => id === null), ...closings], now);
  insertLinks(tx, notifications, now);
  insertOpenedSteps(tx, decisions.flatMap(listOpens));
  writeLooks(tx, decisions);
}

const listOpens = ({ service: { serviceId, situation }, verdict: { opens } }: Decision) =>
  opens.map((step) => ({
    ...step,
    serviceId,
    episodeId: isAbout(step.subject, 'alarm') ? situation.episodeId : null,
    staleEventId: isAbout(step.subject, 'stale') ? (situation.stale?.id ?? null) : null,
  }));

const namePlace = ({ service: { serviceId, organizationId, situation } }: Decision) => ({
  serviceId,
  organizationId,
  groupId: situation.group?.id ?? null,
});

interface SettledRow {
  id: string;
  groupId: number | null;
  state: string;
  reason: Reason;
  /** Of what goes on waiting. */
  dueAt: number | null;
  staleEventId: string | null;
  message: string | null;
}

function listStandings(decision: Decision): SettledRow[] {
  return decision.verdict.standings.flatMap(({ id, state, reason, until }) => {
    const happened = decision.waiting.find((one) => one.id === id);
    if (!happened) return [];
    const { staleEventId, message } = describeNotification(decision, happened.subject, happened);
    const { groupId } = namePlace(decision);
    const isOwn = happened.subject === 'recovery' || isAbout(happened.subject, 'stale');
    const dueAt = state === 'waiting' ? (until?.getTime() ?? null) : null;
    return [{ id, groupId, state, reason, dueAt, staleEventId, message: isOwn ? message : null }];
  });
}

function settleWaiting(tx: Tx, rows: readonly SettledRow[], now: Date): void {
  if (rows.length === 0) return;
  tx.later(sql`
    update notification set state = given.state, why = given.reason, group_id = "groupId",
      due_at = coalesce(to_timestamp("dueAt" / 1000.0), due_at), stale_event_id = "staleEventId", message = coalesce(given.message, notification.message),
      decided_at = case when given.state = 'waiting' then null else ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}) as given (id bigint, "groupId" int, state text, reason jsonb,
      "dueAt" float8, "staleEventId" bigint, message text)
    where notification.id = given.id`);
}

interface ReleasedRow {
  /** Of what happened; null: nothing did, it gets an id as it is written. */
  id: string | null;
  serviceId: ServiceId;
  organizationId: number;
  groupId: number | null;
  state: 'released' | 'dropped';
  reason: Reason;
  isRepeat: boolean;
  recipients: readonly ToldRecipient[];
  content: NotificationContent;
}

const CONTENT = sql`id bigint, "serviceId" int, "organizationId" int, "groupId" int, state text, reason jsonb,
  "isRepeat" bool, subject text, severity text, "episodeId" bigint, "staleEventId" bigint, since timestamptz,
  "happenedAt" timestamptz, message text, channel text, value float8, "limit" float8, recipients json`;

const asJson = (rows: readonly ReleasedRow[]) =>
  JSON.stringify(rows.map(({ content, ...row }) => ({ ...row, ...content })));

function releaseWaiting(tx: Tx, rows: readonly ReleasedRow[], now: Date): void {
  if (rows.length === 0) return;
  tx.later(sql`
    update notification set state = 'released', decided_at = ${now}::timestamptz, why = given.reason,
      group_id = "groupId", stale_event_id = "staleEventId", since = given.since, is_repeat = "isRepeat",
      happened_at = coalesce("happenedAt", happened_at), message = coalesce(given.message, notification.message),
      channel = given.channel, value = given.value, limit_value = "limit"
    from json_to_recordset(${asJson(rows)}) as given (${CONTENT})
    where notification.id = given.id`);
}

/**
 * What nothing new happened for: a repeat, or what could not be told before. An end that was held lends its content. The
 * deliveries come with it, for only here the ids are known.
 */
function insertNotifications(tx: Tx, rows: readonly ReleasedRow[], now: Date): void {
  if (rows.length === 0) return;
  tx.later(sql`
    with numbered as materialized (
      select nextval(pg_get_serial_sequence('notification', 'id')) as new_id, given.*
      from json_to_recordset(${asJson(rows)}) as given (${CONTENT})),
    made as (
      insert into notification (id, service_id, organization_id, group_id, episode_id, stale_event_id, subject, severity, state,
        why, message, is_repeat, since, happened_at, channel, value, limit_value, due_at, decided_at, created_at)
      overriding system value
      select new_id, "serviceId", "organizationId", "groupId", "episodeId", "staleEventId", numbered.subject, numbered.severity,
        numbered.state, numbered.reason, coalesce(numbered.message, held.message, ''), "isRepeat", numbered.since,
        coalesce("happenedAt", held.happened_at, ${now}), coalesce(numbered.channel, held.channel),
        coalesce(numbered.value, held.value), "limit", ${now}, ${now}, ${now}
      from numbered
      left join lateral (
        select message, happened_at, channel, value from notification earlier
        where earlier.service_id = "serviceId" and earlier.episode_id = "episodeId" and earlier.subject = 'recovery'
        order by id desc limit 1) held on numbered.subject = 'recovery')
    insert into delivery (notification_id, service_id, transport, recipient, state, next_attempt_at, created_at, step,
      account_id, account_name, via)
    select new_id, "serviceId", transport, recipient, 'queued', ${now}, ${now}, step, "accountId", "accountName", via
    from numbered cross join json_to_recordset(recipients)
      as told (transport text, recipient text, step int, "accountId" int, "accountName" text, via text)`);
}

export function insertDeliveries(
  tx: Tx,
  released: readonly { id: string; serviceId: ServiceId | null; recipients: readonly ToldRecipient[] }[],
  now: Date,
): void {
  const rows = released.flatMap(({ id, serviceId, recipients }) =>
    recipients.map((recipient) => ({ id, serviceId, ...recipient })),
  );
  if (rows.length === 0) return;
  tx.later(sql`
    insert into delivery (notification_id, service_id, transport, recipient, state, next_attempt_at, created_at, step,
      account_id, account_name, via)
    select id, "serviceId", transport, recipient, 'queued', ${now}, ${now}, step, "accountId", "accountName", via
    from json_to_recordset(${JSON.stringify(rows)}) as given (id bigint, "serviceId" int, transport text, recipient text,
      step int, "accountId" int, "accountName" text, via text)`);
}

/** One for each episode; later messages of the same alarm carry the same. */
export function insertLinks(
  tx: Tx,
  released: readonly { serviceId: ServiceId; content: Pick<NotificationContent, 'subject' | 'episodeId'> }[],
  now: Date,
): void {
  const links = released.flatMap(({ serviceId, content: { subject, episodeId } }) =>
    canBeAcknowledged(subject)
      ? [{ serviceId, episodeId, token: randomBytes(24).toString('base64url') }]
      : [],
  );
  if (links.length === 0) return;
  tx.later(sql`
    insert into acknowledge_link (token, service_id, episode_id, created_at)
    select token, "serviceId", "episodeId", ${now}
    from json_to_recordset(${JSON.stringify(links)}) as given (token text, "serviceId" int, "episodeId" bigint)
    on conflict (service_id, episode_id) do nothing`);
}

function writeLooks(tx: Tx, decisions: readonly Decision[]): void {
  const rows = decisions.map(
    ({ service: { serviceId, situation }, verdict: { lookAgainAt, reason, notifications } }) => {
      const isTold = (is: (subject: Subject) => boolean) => notifications.some(({ subject }) => is(subject));
      return {
        serviceId,
        lookAgainAt: lookAgainAt?.getTime(),
        reason,
        episodeId: isTold(canBeAcknowledged) ? situation.episodeId : null,
        staleEventId: isTold((one) => one === 'stale') ? situation.stale?.id : null,
      };
    },
  );
  tx.later(sql`
    update notification_schedule set look_again_at = to_timestamp("lookAgainAt" / 1000.0), why = given.reason,
      told_episode_id = coalesce("episodeId", told_episode_id), told_stale_event_id = coalesce("staleEventId", told_stale_event_id)
    from json_to_recordset(${JSON.stringify(rows)}) as given ("serviceId" int, "lookAgainAt" float8, reason jsonb,
      "episodeId" bigint, "staleEventId" bigint)
    where service_id = "serviceId"`);
}
