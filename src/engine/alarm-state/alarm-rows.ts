// The alarm row of each service, which holds what is known of its channels too: locked, read and written in bulk. Lists
// of numbers travel packed, and instants as milliseconds, because both are on the path of every reading.
import sql, { raw, type Sql } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { type ChannelState, type Instant, isQuiet } from '../../domain/judging/judge.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Tx } from '../../platform/db/database.ts';
import { packBigints, packFloats, packInts, packXids } from '../../platform/db/pack-numbers.ts';
import { NOTHING, type OneRow, type Statement } from '../../platform/db/statement.ts';
import type { Assessment, Numbered } from './assessment.ts';
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
    ${ms('stale_since')} as "staleSince", ${ms('next_due_at')} as "nextDueAt", ${ms('ahead_until')} as "aheadUntil",
    channel_ids as "channelIds", channel_at_ms::float8[] as "channelAt", channel_values as "channelValues",
    channel_alarms as "channelAlarms"
  from alarm_state`;

export const selectAlarmRows = (serviceIds: Sql): Statement<AlarmRow> => sql`
  ${selectRows} where service_id = any(${serviceIds})`;

declare const held: unique symbol;

/** Nobody else writes it before this transaction ends: only those that lock make one. */
export type HeldRow = AlarmRow & { readonly [held]: true };

/** Locks in ascending order, so that batches never deadlock; foreign-key checks are not blocked. */
export const lockAlarmRows = (serviceIds: readonly ServiceId[]): Statement<HeldRow> => sql`
  ${selectAlarmRows(sql`${packInts(serviceIds)}::int[]`)} order by service_id for no key update`;

/** The same of those that nobody else holds. */
export const lockFreeRows = (serviceIds: readonly ServiceId[]): Statement<HeldRow> => sql`
  ${lockAlarmRows(serviceIds)} skip locked`;

/** Services for which time has come; those that somebody else holds are looked at again at the next tick. */
export const lockDueRows = (tx: Tx, now: Date, most: number) =>
  tx.query<HeldRow>(sql`
    ${selectRows}
    where service_id in (select service_id from alarm_state where next_due_at <= ${now} order by next_due_at limit ${most})
      and next_due_at <= ${now}
    order by service_id for no key update skip locked`);

/** Services with a number above `after` of which something is dated after `until`; those that somebody else holds are left out. */
export const lockRowsAhead = (tx: Tx, until: Date, after: ServiceId, most: number) =>
  tx.query<HeldRow>(sql`
    ${selectRows}
    where service_id > ${after} and (severity_since > ${until} or stale_since > ${until}
      or ${until.getTime()} < any(channel_at_ms))
    order by service_id limit ${most} for no key update skip locked`);

/** The row in the words of the domain: channels by name. */
export function watch(config: ServiceConfig, row: AlarmRow): WatchedService {
  const { channelIds, channelAt, channelValues, channelAlarms } = row;
  const channels = new Map<string, ChannelState>();
  for (const [index, id] of channelIds.entries()) {
    const channel = config.channelsById.get(id);
    if (!channel) continue;
    const { breaches = {}, severity = 'normal', since = null, band = null } = channelAlarms?.[id] ?? {};
    const at = channelAt[index] ?? null;
    const value = channelValues[index] ?? null;
    channels.set(channel.name, { at, value, breaches, severity, since, band });
  }
  return { config, alarm: pickAlarm(row), channels, calm: undefined };
}

/** Field by field, like `emptyConfig`. */
const pickAlarm = (row: AlarmRow): StoredAlarm => ({
  serviceId: row.serviceId,
  configVersion: row.configVersion,
  rowVersion: row.rowVersion,
  severity: row.severity,
  severitySince: row.severitySince,
  channel: row.channel,
  episodeId: row.episodeId,
  staleSince: row.staleSince,
  nextDueAt: row.nextDueAt,
  aheadUntil: row.aheadUntil,
});

declare const moved: unique symbol;

/** What came of moving rows on: only `moveRows` makes it, once it is sent. */
export interface MovedRows {
  /** Somebody has written them since they were judged. */
  left: ServiceId[];
  readonly [moved]: true;
}

/**
 * For those who have not locked the rows: two statements, to be sent in this order. Rows that somebody has written since
 * they were judged are left alone.
 */
export function moveRows(writes: readonly Numbered[]) {
  const changed = writes.filter(isChanged);
  return {
    moved: moveRowsOn(writes),
    changed:
      changed.length > 0
        ? sql`${writeRows(changed)} and alarm_state.xmin = pg_current_xact_id()::xid`
        : NOTHING,
  };
}

/** In ascending order. Where more than times and values changed the row is only held. */
function moveRowsOn(writes: readonly Numbered[]): OneRow<MovedRows> {
  const alone = { ats: [] as Column, values: [] as Column };
  const many = { ats: [] as Column, values: [] as Column, begins: [] as Column, ends: [] as Column };
  for (const write of writes) {
    const moved = 'calm' in write.moved && !isChanged(write) ? write.moved : null;
    const isAlone = moved?.ats.length === 1;
    const isMany = moved !== null && !isAlone;
    alone.ats.push(isAlone ? (moved.ats[0] ?? null) : null);
    alone.values.push(isAlone ? (moved.values[0] ?? null) : null);
    many.begins.push(isMany ? many.ats.length + 1 : null);
    if (isMany) {
      many.ats.push(...moved.ats);
      many.values.push(...moved.values);
    }
    many.ends.push(isMany ? many.ats.length : null);
  }
  const ids = writes.map(({ watched }) => watched.alarm.serviceId);
  const versions = writes.map(({ rowVersion }) => rowVersion);
  // Cutting a piece out of a long list costs more than making a list of one, and most services have one channel.
  return sql`
    with moved as (
      update alarm_state
      set channel_at_ms = case when at is not null then array[at]
          else coalesce((${packBigints(many.ats)}::bigint[])[begins:ends], channel_at_ms) end,
        channel_values = case when at is not null then array[given.value]
          else coalesce((${packFloats(many.values)}::float8[])[begins:ends], channel_values) end
      from unnest(${packInts(ids)}::int[], ${packXids(versions)}::xid[], ${packBigints(alone.ats)}::bigint[],
        ${packFloats(alone.values)}::float8[], ${packInts(many.begins)}::int[], ${packInts(many.ends)}::int[])
        as given (id, version, at, value, begins, ends)
      where service_id = id and alarm_state.xmin = version
      returning service_id)
    select case when count(*) = ${ids.length} then '{}' else (
      select array_agg(id) from unnest(${packInts(ids)}::int[]) as id
      where id not in (select service_id from moved)) end as "left"
    from moved`;
}

/** More than times and values of channels that were there. */
const isChanged = (write: Assessment): boolean =>
  'channels' in write.moved || write.alarm !== null || write.nextDueAt !== null;

/** For rows that are held. */
export function writeRows(writes: readonly Numbered[]): Sql {
  const rows = writes.map((write) => ({
    id: write.watched.alarm.serviceId,
    due: write.nextDueAt?.toString() ?? null,
    ahead: write.aheadUntil ?? null,
    ...describeChannels(write.watched.config, findChannels(write)),
    isAlarmChanged: write.alarm !== null,
    ...write.alarm,
  }));
  const kept = (column: string, given: string) =>
    raw(`${column} = case when "isAlarmChanged" then ${given} else alarm_state.${column} end`);
  return sql`
    update alarm_state
    set channel_ids = ids::int[], channel_at_ms = ats::bigint[], channel_values = values::float8[],
      channel_alarms = nullif(alarms, 'null'),
      next_due_at = coalesce(to_timestamp(due::float8 / 1000.0), next_due_at),
      ahead_until = greatest(ahead_until, to_timestamp(ahead / 1000.0)),
      ${kept('severity', 'given.severity')},
      ${kept('severity_since', 'to_timestamp("severitySince" / 1000.0)')},
      ${kept('channel', 'given.channel')},
      ${kept('band', 'given.band')},
      ${kept('value', 'given.value')},
      ${kept('limit_value', '"limit"')},
      ${kept('message', 'given.message')},
      ${kept('episode_id', '"episodeId"')},
      ${kept('stale_since', 'to_timestamp("staleSince" / 1000.0)')}
    from json_to_recordset(${JSON.stringify(rows)}) as given (id int, due text, ahead float8, ids text, ats text, values text, alarms jsonb,
      "isAlarmChanged" bool, severity text, "severitySince" float8, channel text, band text, value float8, "limit" float8,
      message text, "episodeId" bigint, "staleSince" float8)
    where service_id = id`;
}

/**
 * Who has not locked the row may only make it due earlier: it may be due before it need be, never after, and most
 * readings then leave the index alone.
 */
export function keepEarlierDue(write: Assessment): Assessment {
  const { nextDueAt, watched } = write;
  const dueAt = watched.alarm.nextDueAt ?? Number.POSITIVE_INFINITY;
  if (nextDueAt !== null && nextDueAt >= dueAt) write.nextDueAt = null;
  return write;
}

type Column = (number | null)[];

function findChannels({ moved }: Assessment): ReadonlyMap<string, ChannelState> {
  if ('channels' in moved) return moved.channels;
  const { calm, ats, values } = moved;
  return new Map(
    calm.map(({ name, state }, index) => [
      name,
      { ...state, at: ats[index] ?? null, value: values[index] ?? null },
    ]),
  );
}

function describeChannels(config: ServiceConfig, channels: ReadonlyMap<string, ChannelState>) {
  const ids = [...channels.keys()].map((name) => {
    const id = config.channels.get(name)?.id;
    if (id === undefined) throw new Error(`Service ${config.serviceId} has no channel ${name}`);
    return id;
  });
  const states = [...channels.values()];
  const alarms = states.flatMap((state, index) => {
    const { at: _, value: __, ...alarm } = state;
    return isQuiet(state) ? [] : [[ids[index], alarm]];
  });
  return {
    ids: arrayText(ids),
    ats: arrayText(states.map(({ at }) => at)),
    values: arrayText(states.map(({ value }) => value)),
    alarms: alarms.length > 0 ? Object.fromEntries(alarms) : null,
  };
}

/** What the rows written by this transaction will be known by. */
export const selectRowVersion: OneRow<{ rowVersion: number }> = sql`
  select pg_current_xact_id()::xid::text::float8 as "rowVersion"`;
