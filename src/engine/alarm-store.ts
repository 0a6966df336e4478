// Alarm and channel states as rows: locked, read and written in bulk. Arrays travel as text that PostgreSQL casts, and
// instants as milliseconds, because both are on the path of every reading.
import sql, { raw } from 'sql-template-tag';
import type { BandName } from '../domain/band.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant } from '../domain/judge.ts';
import type { Severity } from '../domain/severity.ts';
import { arrayText } from '../platform/db/array-text.ts';
import type { ReadDatabase, Tx } from '../platform/db/database.ts';

export interface StoredAlarm {
  serviceId: ServiceId;
  configVersion: number;
  severity: Severity;
  severitySince: Instant | null;
  channel: string | null;
  episodeId: string | null;
  staleSince: Instant | null;
  /** -Infinity: due at once. */
  nextDueAt: Instant | null;
}

export interface AlarmWrite {
  serviceId: ServiceId;
  severity: Severity;
  severitySince: Instant | null;
  channel: string | null;
  band: BandName | null;
  value: number | null;
  limit: number | null;
  message: string | null;
  episodeId: string | null;
  staleSince: Instant | null;
  nextDueAt: Instant | null;
}

export interface ChannelWrite {
  serviceId: ServiceId;
  channelId: number;
  state: ChannelState;
  /** Nothing changes but time and value of a row that is there. */
  isPlain: boolean;
}

/** An instant as milliseconds: a date would be parsed from text for every row. */
const ms = (column: string) => raw(`round(date_part('epoch', ${column}) * 1000)`);

const selectAlarms = sql`
  select service_id as "serviceId", config_version as "configVersion", severity, ${ms('severity_since')} as "severitySince",
    channel, episode_id as "episodeId", ${ms('stale_since')} as "staleSince", ${ms('next_due_at')} as "nextDueAt"
  from alarm_state`;

/** Locks in ascending order, so that batches never deadlock; foreign-key checks are not blocked. */
export const lockAlarms = (serviceIds: readonly ServiceId[]) => sql`
    ${selectAlarms} where service_id = any(${arrayText(serviceIds)}::int[])
    order by service_id for no key update`;

/** Services for which time has come; those that somebody else holds are looked at again at the next tick. */
export const lockDueAlarms = (tx: Tx, now: Date, most: number) =>
  tx.query<StoredAlarm>(sql`
    ${selectAlarms}
    where service_id in (select service_id from alarm_state where next_due_at <= ${now} order by next_due_at limit ${most})
      and next_due_at <= ${now}
    order by service_id for no key update skip locked`);

export interface ChannelRow {
  serviceId: ServiceId;
  channelId: number;
  at: Instant;
  value: number;
  criticalHigh: Instant | null;
  criticalLow: Instant | null;
  warningHigh: Instant | null;
  warningLow: Instant | null;
  severity: Severity;
  since: Instant | null;
  band: BandName | null;
}

export interface StoredChannel {
  serviceId: ServiceId;
  channelId: number;
  state: ChannelState;
}

/** To be read after the lock, in a statement of its own: it sees what others committed while we waited. */
export const selectChannelStates = (serviceIds: readonly ServiceId[]) => sql`
  select service_id as "serviceId", channel_id as "channelId", ${ms('last_at')} as "at", last_value as "value",
    ${ms('critical_high_since')} as "criticalHigh", ${ms('critical_low_since')} as "criticalLow",
    ${ms('warning_high_since')} as "warningHigh", ${ms('warning_low_since')} as "warningLow", severity, ${ms('severity_since')} as "since", band
  from channel_state where service_id = any(${arrayText(serviceIds)}::int[])`;

export const readChannelRows = (rows: readonly ChannelRow[]): StoredChannel[] =>
  rows.map((row) => ({ serviceId: row.serviceId, channelId: row.channelId, state: readChannelState(row) }));

export const readChannels = async (db: ReadDatabase, serviceIds: readonly ServiceId[]) =>
  readChannelRows(await db.query<ChannelRow>(selectChannelStates(serviceIds)));

/** The alarms, locked, and all that is known of their channels, in one round trip. */
export async function lockServices(tx: Tx, serviceIds: readonly ServiceId[]) {
  const [alarms, channels] = await tx.queryAll([lockAlarms(serviceIds), selectChannelStates(serviceIds)]);
  return { alarms: alarms as StoredAlarm[], channels: readChannelRows(channels as ChannelRow[]) };
}

function readChannelState(row: ChannelRow): ChannelState {
  const breaches: ChannelState['breaches'] = {};
  if (row.criticalHigh !== null) breaches.CRITICAL_HIGH = row.criticalHigh;
  if (row.criticalLow !== null) breaches.CRITICAL_LOW = row.criticalLow;
  if (row.warningHigh !== null) breaches.WARNING_HIGH = row.warningHigh;
  if (row.warningLow !== null) breaches.WARNING_LOW = row.warningLow;
  const { value, severity, band } = row;
  return { at: row.at, value, breaches, severity, since: row.since, band };
}

/** Most readings only move a channel on: known, normal and without a breach before and after. They take the short way. */
export function writeChannelStates(tx: Tx, writes: readonly ChannelWrite[]): void {
  const plain = writes.filter(({ isPlain }) => isPlain);
  const others = writes.filter(({ isPlain }) => !isPlain);
  if (plain.length > 0) moveChannelsOn(tx, plain);
  if (others.length > 0) upsertChannelStates(tx, others);
}

const moveChannelsOn = (tx: Tx, writes: readonly ChannelWrite[]) =>
  tx.later(sql`
    update channel_state set last_at = to_timestamp(ms / 1000.0), last_value = v
    from unnest(${arrayText(writes.map(({ serviceId }) => serviceId))}::int[],
      ${arrayText(writes.map(({ channelId }) => channelId))}::int[],
      ${arrayText(writes.map(({ state }) => state.at))}::float8[],
      ${arrayText(writes.map(({ state }) => state.value))}::float8[]) as given (s, c, ms, v)
    where service_id = s and channel_id = c`);

function upsertChannelStates(tx: Tx, writes: readonly ChannelWrite[]) {
  const breach = (band: BandName) => arrayText(writes.map(({ state }) => state.breaches[band] ?? null));
  tx.later(sql`
    insert into channel_state (service_id, channel_id, last_at, last_value, critical_high_since, critical_low_since,
      warning_high_since, warning_low_since, severity, severity_since, band)
    select s, c, to_timestamp(a / 1000.0), v, to_timestamp(ch / 1000.0), to_timestamp(cl / 1000.0),
      to_timestamp(wh / 1000.0), to_timestamp(wl / 1000.0), severity, to_timestamp(since / 1000.0), band
    from unnest(${arrayText(writes.map(({ serviceId }) => serviceId))}::int[],
      ${arrayText(writes.map(({ channelId }) => channelId))}::int[],
      ${arrayText(writes.map(({ state }) => state.at))}::float8[],
      ${arrayText(writes.map(({ state }) => state.value))}::float8[],
      ${breach('CRITICAL_HIGH')}::float8[], ${breach('CRITICAL_LOW')}::float8[],
      ${breach('WARNING_HIGH')}::float8[], ${breach('WARNING_LOW')}::float8[],
      ${arrayText(writes.map(({ state }) => state.severity))}::text[],
      ${arrayText(writes.map(({ state }) => state.since))}::float8[],
      ${arrayText(writes.map(({ state }) => state.band))}::text[])
      as given (s, c, a, v, ch, cl, wh, wl, severity, since, band)
    on conflict (service_id, channel_id) do update
    set last_at = excluded.last_at, last_value = excluded.last_value,
      critical_high_since = excluded.critical_high_since, critical_low_since = excluded.critical_low_since,
      warning_high_since = excluded.warning_high_since, warning_low_since = excluded.warning_low_since,
      severity = excluded.severity, severity_since = excluded.severity_since, band = excluded.band`);
}

/** The few whose alarm changed; texts travel as JSON. */
export const updateAlarms = (tx: Tx, writes: readonly AlarmWrite[]) =>
  tx.later(sql`
    update alarm_state
    set severity = given.severity, severity_since = to_timestamp("severitySince" / 1000.0), channel = given.channel,
      band = given.band, value = given.value, limit_value = given."limit", message = given.message,
      episode_id = "episodeId", stale_since = to_timestamp("staleSince" / 1000.0),
      next_due_at = to_timestamp("nextDueAt" / 1000.0)
    from json_to_recordset(${JSON.stringify(writes)}) as given ("serviceId" int, severity text, "severitySince" float8,
      channel text, band text, value float8, "limit" float8, message text, "episodeId" bigint, "staleSince" float8,
      "nextDueAt" float8)
    where alarm_state.service_id = given."serviceId"`);

export const updateDue = (tx: Tx, due: readonly { serviceId: ServiceId; nextDueAt: Instant | null }[]) =>
  tx.later(sql`
    update alarm_state set next_due_at = to_timestamp(due_ms / 1000.0)
    from unnest(${arrayText(due.map(({ serviceId }) => serviceId))}::int[],
      ${arrayText(due.map(({ nextDueAt }) => nextDueAt))}::float8[]) as given (id, due_ms)
    where service_id = given.id`);

export interface AlarmEvent {
  serviceId: ServiceId;
  episodeId: string | null;
  kind: 'raised' | 'changed' | 'recovered' | 'went_stale' | 'came_back';
  from: Severity;
  to: Severity;
  channel: string | null;
  band: BandName | null;
  value: number | null;
  limit: number | null;
  versionId: number | null;
  message: string | null;
  at: Instant;
}

export const insertEvents = (tx: Tx, events: readonly AlarmEvent[], now: Date) =>
  tx.later(sql`
    insert into alarm_event (service_id, episode_id, kind, from_severity, to_severity, channel, band, value, limit_value,
      limits_version_id, message, happened_at, recorded_at)
    select "serviceId", "episodeId", kind, "from", "to", channel, band, value, "limit", "versionId", message,
      to_timestamp("at" / 1000.0), ${now}
    from json_to_recordset(${JSON.stringify(events)}) as given ("serviceId" int, "episodeId" bigint, kind text, "from" text,
      "to" text, channel text, band text, value float8, "limit" float8, "versionId" int, message text, "at" float8)`);

export type TakeEpisodes = (tx: Tx, count: number) => Promise<string[]>;

export const takeEpisodeIds: TakeEpisodes = async (tx, count) => {
  const rows = await tx.query<{ id: string }>(sql`
    select nextval('episode_id') as "id" from generate_series(1, ${count}::int)`);
  return rows.map(({ id }) => id);
};

const STOCK = 1_000;

/** Takes many at a time, so that raising an alarm costs no round trip of its own. */
export function stockEpisodeIds(): TakeEpisodes {
  const stock: string[] = [];
  return async (tx, count) => {
    if (stock.length < count) stock.push(...(await takeEpisodeIds(tx, count + STOCK)));
    return stock.splice(0, count);
  };
}
