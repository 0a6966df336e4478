// The policy's decisions as rows: what is released with a delivery for each recipient, what is held or dropped and why.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import type { Recipient, Subject } from '../domain/telling/situation.ts';
import type { Tx } from '../platform/db/database.ts';
import { type Decision, type Facts, gatherFacts } from './outbox-facts.ts';

/** A fixed number of statements, however many decisions; they travel with the commit. */
export async function writeDecisions(tx: Tx, decisions: readonly Decision[], now: Date): Promise<void> {
  settleWaiting(tx, decisions.flatMap(listStandings), now);
  const tellings = decisions.flatMap((decision) =>
    decision.verdict.tellings.map((telling) => {
      const happened = decision.waiting.find(({ id }) => id === telling.waitingId) ?? null;
      return { ...namePlace(decision), ...telling, facts: gatherFacts(decision, telling.subject, happened) };
    }),
  );
  const closings = decisions.flatMap((decision) =>
    decision.verdict.closings.map(({ subject, reason }) => ({
      ...namePlace(decision),
      reason,
      facts: gatherFacts(decision, subject, null),
    })),
  );
  const missing = tellings.filter(({ waitingId }) => waitingId === null).length + closings.length;
  const newIds = missing > 0 ? await takeNotificationIds(tx, missing) : [];
  const released = tellings.map((telling) => ({ ...telling, id: telling.waitingId ?? newIds.shift() ?? '' }));
  releaseWaiting(
    tx,
    released.filter(({ waitingId }) => waitingId !== null),
    now,
  );
  const added = released.filter(({ waitingId }) => waitingId === null);
  insertNotifications(
    tx,
    [
      ...added.map((one) => ({ ...one, state: 'released' as const })),
      ...closings.map((one) => ({
        ...one,
        id: newIds.shift() ?? '',
        state: 'dropped' as const,
        isRepeat: false,
      })),
    ],
    now,
  );
  insertDeliveries(tx, released, now);
  insertLinks(tx, released, now);
  writeLooks(tx, decisions);
}

const namePlace = ({ service: { serviceId, organizationId, situation } }: Decision) => ({
  serviceId,
  organizationId,
  groupId: situation.group?.id ?? null,
});

interface SettledRow {
  id: string;
  groupId: number | null;
  state: string;
  reason: string;
  /** Of what goes on waiting. */
  dueAt: number | null;
  silenceId: string | null;
  message: string | null;
}

function listStandings(decision: Decision): SettledRow[] {
  return decision.verdict.standings.flatMap(({ id, state, reason, until }) => {
    const happened = decision.waiting.find((one) => one.id === id);
    if (!happened) return [];
    const { silenceId, message } = gatherFacts(decision, happened.subject, happened);
    const { groupId } = namePlace(decision);
    const isOwn = happened.subject === 'recovery' || happened.kind === 'system';
    const dueAt = state === 'waiting' ? (until?.getTime() ?? null) : null;
    return [{ id, groupId, state, reason, dueAt, silenceId, message: isOwn ? message : null }];
  });
}

function settleWaiting(tx: Tx, rows: readonly SettledRow[], now: Date): void {
  if (rows.length === 0) return;
  tx.later(sql`
    update notification set state = given.state, reason = given.reason, group_id = "groupId",
      due_at = coalesce(to_timestamp("dueAt" / 1000.0), due_at), silence_id = "silenceId", message = coalesce(given.message, notification.message),
      decided_at = case when given.state = 'waiting' then null else ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}) as given (id bigint, "groupId" int, state text, reason text,
      "dueAt" float8, "silenceId" bigint, message text)
    where notification.id = given.id`);
}

interface ReleasedRow {
  id: string;
  serviceId: ServiceId;
  organizationId: number;
  groupId: number | null;
  reason: string;
  isRepeat: boolean;
  facts: Facts;
}

const FACTS = sql`id bigint, "serviceId" int, "organizationId" int, "groupId" int, state text, reason text,
  "isRepeat" bool, kind text, severity text, "episodeId" bigint, "silenceId" bigint, since timestamptz,
  "happenedAt" timestamptz, message text, channel text, value float8, "limit" float8`;

const asJson = (rows: readonly ReleasedRow[]) =>
  JSON.stringify(rows.map(({ facts, ...row }) => ({ ...row, ...facts })));

function releaseWaiting(tx: Tx, rows: readonly ReleasedRow[], now: Date): void {
  if (rows.length === 0) return;
  tx.later(sql`
    update notification set state = 'released', decided_at = ${now}::timestamptz, reason = given.reason,
      group_id = "groupId", silence_id = "silenceId", since = given.since, is_repeat = "isRepeat",
      happened_at = coalesce("happenedAt", happened_at), message = coalesce(given.message, notification.message),
      channel = given.channel, value = given.value, limit_value = "limit"
    from json_to_recordset(${asJson(rows)}) as given (${FACTS})
    where notification.id = given.id`);
}

/** What nothing new happened for: a repeat, or what could not be told before. An end that was held lends its facts. */
function insertNotifications(
  tx: Tx,
  rows: readonly (ReleasedRow & { state: 'released' | 'dropped' })[],
  now: Date,
): void {
  if (rows.length === 0) return;
  tx.later(sql`
    insert into notification (id, service_id, organization_id, group_id, episode_id, silence_id, kind, severity, state, reason,
      message, is_repeat, since, happened_at, channel, value, limit_value, due_at, decided_at, created_at)
    overriding system value
    select given.id, "serviceId", "organizationId", "groupId", "episodeId", "silenceId", given.kind, given.severity,
      given.state, given.reason, coalesce(given.message, held.message, ''), "isRepeat", given.since,
      coalesce("happenedAt", held.happened_at, ${now}), coalesce(given.channel, held.channel),
      coalesce(given.value, held.value), "limit", ${now}, ${now}, ${now}
    from json_to_recordset(${asJson(rows)}) as given (${FACTS})
    left join lateral (
      select message, happened_at, channel, value from notification earlier
      where earlier.service_id = "serviceId" and earlier.episode_id = "episodeId" and earlier.kind = 'recovery'
      order by id desc limit 1) held on given.kind = 'recovery'`);
}

/** Taken first, so that many notifications and their deliveries can be written at once. */
async function takeNotificationIds(tx: Tx, count: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select nextval(pg_get_serial_sequence('notification', 'id')) as "id" from generate_series(1, ${count}::int)`);
  return rows.map(({ id }) => id);
}

export function insertDeliveries(
  tx: Tx,
  released: readonly { id: string; serviceId: ServiceId | null; recipients: readonly Recipient[] }[],
  now: Date,
): void {
  const rows = released.flatMap(({ id, serviceId, recipients }) =>
    recipients.map(({ transport, recipient }) => ({ id, serviceId, transport, recipient })),
  );
  if (rows.length === 0) return;
  tx.later(sql`
    insert into delivery (notification_id, service_id, transport, recipient, state, next_attempt_at, created_at)
    select id, "serviceId", transport, recipient, 'queued', ${now}, ${now}
    from json_to_recordset(${JSON.stringify(rows)}) as given (id bigint, "serviceId" int, transport text, recipient text)`);
}

/** One for each episode; later messages of the same alarm carry the same. */
export function insertLinks(
  tx: Tx,
  released: readonly { serviceId: ServiceId; facts: Pick<Facts, 'kind' | 'episodeId'> }[],
  now: Date,
): void {
  const links = released.flatMap(({ serviceId, facts: { kind, episodeId } }) =>
    kind === 'critical' || kind === 'warning'
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
    ({ service: { serviceId, situation }, verdict: { lookAt, reason, tellings } }) => {
      const isTold = (...subjects: Subject[]) => tellings.some(({ subject }) => subjects.includes(subject));
      return {
        serviceId,
        lookAt: lookAt?.getTime(),
        reason,
        episodeId: isTold('critical', 'warning') ? situation.episodeId : null,
        silenceId: isTold('silence') ? situation.silence?.id : null,
      };
    },
  );
  tx.later(sql`
    update telling set look_at = to_timestamp("lookAt" / 1000.0), reason = given.reason,
      told_episode_id = coalesce("episodeId", told_episode_id), told_silence_id = coalesce("silenceId", told_silence_id)
    from json_to_recordset(${JSON.stringify(rows)}) as given ("serviceId" int, "lookAt" float8, reason text,
      "episodeId" bigint, "silenceId" bigint)
    where service_id = "serviceId"`);
}
