// The alarm row of each service, which holds what is known of its channels too: locked, read and written in bulk. Lists
// of numbers travel packed, and instants as milliseconds, because both are on the path of every reading.
import sql, { raw, type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { type ChannelState, isQuiet } from '../../domain/judging/judge.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Tx } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { type Behind, bringUpToNow, selectEntriesOf } from '../journal/bring-up-to-now.ts';
import { OWN_POSITION } from '../journal/take-turn.ts';
import type { Assessment, Numbered } from './assessment.ts';
import type { ServiceConfig } from './service-config.ts';
import type { StoredAlarm, WatchedService } from './watched-service.ts';

export interface AlarmRow extends StoredAlarm, Behind {
  channelAlarms: Record<
    string,
    Pick<ChannelState, 'breaches' | 'clearing' | 'severity' | 'since' | 'band' | 'lately'>
  > | null;
}

/** An instant as milliseconds: a date would be parsed from text for every row. */
const ms = (column: string) => raw(`round(date_part('epoch', ${column}) * 1000)`);

const selectRows = sql`
  select service_id as "serviceId", config_version as "configVersion", position::float8 as "position",
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
const LOCK = sql`order by service_id for no key update`;

/** For those who have the turns of their organizations. */
export const lockAlarmRows = (serviceIds: readonly ServiceId[]): Statement<HeldRow> => sql`
  ${selectAlarmRows(sql`${packInts(serviceIds)}::int[]`)} ${LOCK}`;

/** Services of an organization for which time has come; those that somebody else holds are looked at again at the next tick. */
export const lockDueRows = (
  organizationId: OrganizationId,
  now: Date,
  most: number,
): Statement<HeldRow> => sql`
  ${selectRows}
  where service_id in (
    select service_id from alarm_state where organization_id = ${organizationId} and next_due_at <= ${now}
    order by next_due_at limit ${most}) ${LOCK} skip locked`;

/** One of them. */
export const lockDueRow = (serviceId: ServiceId, now: Date): Statement<HeldRow> => sql`
  ${selectRows} where service_id = ${serviceId} and next_due_at <= ${now} ${LOCK} skip locked`;

/** Something of the service is dated after `until`. */
export const isAfter = (until: Date): Sql => sql`(
  severity_since > ${until} or stale_since > ${until} or ${until.getTime()} < any(channel_at_ms))`;

/** Such services of an organization with a number above `after`; those that somebody else holds are left out. */
export const lockRowsAhead = (
  organizationId: OrganizationId,
  until: Date,
  after: ServiceId,
  most: number,
): Statement<HeldRow> => sql`
  ${selectRows}
  where service_id in (
    select service_id from alarm_state
    where organization_id = ${organizationId} and service_id > ${after} and ${isAfter(until)}
    order by service_id limit ${most}) ${LOCK} skip locked`;

/** For whoever has locked the rows: they are brought up to now. */
export async function bringHeldUpToNow(tx: Tx, rows: HeldRow[]): Promise<void> {
  if (rows.length === 0) return;
  const serviceIds = sql`${packInts(rows.map(({ serviceId }) => serviceId))}::int[]`;
  const entries = await tx.query(selectEntriesOf(serviceIds));
  await bringUpToNow(tx, serviceIds, { entries, rows });
}

/** The row in the words of the domain: channels by name. */
export function watch(config: ServiceConfig, row: AlarmRow): WatchedService {
  const { channelIds, channelAt, channelValues, channelAlarms } = row;
  const channels = new Map<string, ChannelState>();
  for (const [index, id] of channelIds.entries()) {
    const channel = config.channelsById.get(id);
    if (!channel) continue;
    const {
      breaches = {},
      clearing,
      severity = 'normal',
      since = null,
      band = null,
      lately,
    } = channelAlarms?.[id] ?? {};
    const at = channelAt[index] ?? null;
    const value = channelValues[index] ?? null;
    const state = { at, value, breaches, severity, since, band, ...(lately && { lately }) };
    channels.set(channel.name, clearing ? { ...state, clearing } : state);
  }
  return { config, alarm: pickAlarm(row), channels, calm: undefined };
}

/** Field by field, like `emptyConfig`. */
const pickAlarm = (row: AlarmRow): StoredAlarm => ({
  serviceId: row.serviceId,
  configVersion: row.configVersion,
  severity: row.severity,
  severitySince: row.severitySince,
  channel: row.channel,
  episodeId: row.episodeId,
  staleSince: row.staleSince,
  nextDueAt: row.nextDueAt,
  aheadUntil: row.aheadUntil,
});

/** For those who have the turns of their organizations. */
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
      position = ${OWN_POSITION},
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
