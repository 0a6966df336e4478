// The alarm row of each service, which holds what is known of its channels too: locked, read and written in bulk. Arrays
// travel as text that PostgreSQL casts, and instants as milliseconds, because both are on the path of every reading.
import sql, { raw, type Sql } from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import { type ChannelState, type Instant, isQuiet, type Moment } from '../domain/judge.ts';
import { arrayText } from '../platform/db/array-text.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Assessment } from './assessment.ts';
import type { ServiceConfig } from './service-config.ts';
import type { StoredAlarm, WatchedService } from './watched-service.ts';

export interface AlarmRow extends StoredAlarm {
  channelIds: number[];
  channelAt: Instant[];
  channelValues: number[];
  channelAlarms: Record<string, Pick<ChannelState, 'breaches' | 'severity' | 'since' | 'band'>> | null;
}

/** An instant as milliseconds: a date would be parsed from text for every row. */
const ms = (column: string) => raw(`round(date_part('epoch', ${column}) * 1000)`);

const selectRows = sql`
  select service_id as "serviceId", config_version as "configVersion", xmin::text::float8 as "rowVersion",
    severity, ${ms('severity_since')} as "severitySince", channel, episode_id as "episodeId",
    ${ms('stale_since')} as "staleSince", ${ms('next_due_at')} as "nextDueAt",
    channel_ids as "channelIds", channel_at_ms::float8[] as "channelAt", channel_values as "channelValues",
    channel_alarms as "channelAlarms"
  from alarm_state`;

export const selectAlarmRows = (serviceIds: readonly ServiceId[]) => sql`
  ${selectRows} where service_id = any(${arrayText(serviceIds)}::int[])`;

/** Locks in ascending order, so that batches never deadlock; foreign-key checks are not blocked. */
export const lockAlarmRows = (serviceIds: readonly ServiceId[]) => sql`
  ${selectAlarmRows(serviceIds)} order by service_id for no key update`;

/** Services for which time has come; those that somebody else holds are looked at again at the next tick. */
export const lockDueRows = (tx: Tx, now: Date, most: number) =>
  tx.query<AlarmRow>(sql`
    ${selectRows}
    where service_id in (select service_id from alarm_state where next_due_at <= ${now} order by next_due_at limit ${most})
      and next_due_at <= ${now}
    order by service_id for no key update skip locked`);

/** The row in the words of the domain: channels by name. */
export function watch(config: ServiceConfig, row: AlarmRow): WatchedService {
  const { channelIds, channelAt, channelValues, channelAlarms, ...alarm } = row;
  const channels = new Map<string, ChannelState>();
  for (const [index, id] of channelIds.entries()) {
    const channel = config.channelsById.get(id);
    if (!channel) continue;
    const { breaches = {}, severity = 'normal', since = null, band = null } = channelAlarms?.[id] ?? {};
    const at = channelAt[index] ?? null;
    const value = channelValues[index] ?? null;
    channels.set(channel.name, { at, value, breaches, severity, since, band });
  }
  return { config, alarm, channels };
}

/**
 * Writes rows in ascending order, in one statement, and answers with how many there were: a row that somebody has written
 * since it was judged is left alone, unless it `isLocked`.
 */
export function updateStates(writes: readonly Assessment[], isLocked: boolean): Sql {
  const ats: (number | null)[] = [];
  const values: (number | null)[] = [];
  const ends: number[] = [];
  const changes: unknown[] = [];
  const changeAt: (number | null)[] = [];
  for (const { moved, alarm, watched } of writes) {
    if ('channels' in moved) pushStates(moved.channels, ats, values);
    else pushMoved(watched.channels, moved.moments, ats, values);
    ends.push(ats.length);
    changeAt.push('channels' in moved || alarm ? changes.length : null);
    if ('channels' in moved) changes.push({ ...describeChannels(watched.config, moved.channels), alarm });
  }
  const begins = writes.map((_, index) => (index === 0 ? 1 : (ends[index - 1] ?? 0) + 1));
  const versions = isLocked ? writes.map(() => null) : writes.map(({ rowVersion }) => rowVersion);
  const due = writes.map((write) => findDue(write, isLocked));
  return sql`
    with written as (
      update alarm_state set
        channel_at_ms = (${arrayText(ats)}::bigint[])[begins:ends],
        channel_values = (${arrayText(values)}::float8[])[begins:ends],
        channel_ids = case when change is null then channel_ids else (change ->> 'ids')::int[] end,
        channel_alarms = case when change is null then channel_alarms else nullif(change -> 'alarms', 'null') end,
        severity = case when alarm is null then severity else alarm ->> 'severity' end,
        severity_since = case when alarm is null then severity_since else ${readMs('severitySince')} end,
        channel = case when alarm is null then channel else alarm ->> 'channel' end,
        band = case when alarm is null then band else alarm ->> 'band' end,
        value = case when alarm is null then value else (alarm ->> 'value')::float8 end,
        limit_value = case when alarm is null then limit_value else (alarm ->> 'limit')::float8 end,
        message = case when alarm is null then message else alarm ->> 'message' end,
        episode_id = case when alarm is null then episode_id else (alarm ->> 'episodeId')::bigint end,
        stale_since = case when alarm is null then stale_since else ${readMs('staleSince')} end,
        next_due_at = coalesce(to_timestamp(due / 1000.0), next_due_at)
      from (
        select *, nullif(change -> 'alarm', 'null') as alarm
        from (select *, ${JSON.stringify(changes)}::jsonb -> change_at as change
          from unnest(${arrayText(writes.map(({ watched }) => watched.alarm.serviceId))}::int[],
            ${arrayText(versions)}::xid[], ${arrayText(begins)}::int[], ${arrayText(ends)}::int[],
            ${arrayText(changeAt)}::int[], ${arrayText(due)}::float8[])
            as given (id, version, begins, ends, change_at, due)) as given) as given
      where service_id = id and (version is null or alarm_state.xmin = version)
      returning 1)
    select count(*)::int as "count" from written`;
}

/**
 * When the row is due from now on; null: as before. Who has not locked it may only make it earlier: it may be due before
 * it need be, never after, and most readings then leave the index alone.
 */
export function findDue({ nextDueAt, watched: { alarm } }: Assessment, isLocked: boolean): Instant | null {
  const isEarlier = nextDueAt < (alarm.nextDueAt ?? Number.POSITIVE_INFINITY);
  return isLocked || isEarlier ? nextDueAt : null;
}

type Column = (number | null)[];

function pushStates(channels: ReadonlyMap<string, ChannelState>, ats: Column, values: Column): void {
  for (const state of channels.values()) {
    ats.push(state.at);
    values.push(state.value);
  }
}

function pushMoved(
  channels: ReadonlyMap<string, ChannelState>,
  moments: readonly Moment[],
  ats: Column,
  values: Column,
): void {
  for (const [name, state] of channels) {
    let { at, value } = state;
    for (const moment of moments)
      for (const [moved, movedTo] of moment.values) {
        if (moved !== name) continue;
        at = moment.at;
        value = movedTo;
      }
    ats.push(at);
    values.push(value);
  }
}

const readMs = (name: string) => raw(`to_timestamp((alarm ->> '${name}')::float8 / 1000.0)`);

function describeChannels(config: ServiceConfig, channels: ReadonlyMap<string, ChannelState>) {
  const ids: number[] = [];
  const alarms: Record<number, Omit<ChannelState, 'at' | 'value'>> = {};
  let isAnyAlarmed = false;
  for (const [name, state] of channels) {
    const id = config.channels.get(name)?.id;
    if (id === undefined) throw new Error(`Service ${config.serviceId} has no channel ${name}`);
    ids.push(id);
    if (isQuiet(state)) continue;
    isAnyAlarmed = true;
    alarms[id] = { breaches: state.breaches, severity: state.severity, since: state.since, band: state.band };
  }
  return { ids: arrayText(ids), alarms: isAnyAlarmed ? alarms : null };
}

/** What the rows written by this transaction will be known by. */
export const selectRowVersion = sql`select pg_current_xact_id()::xid::text::float8 as "rowVersion"`;
