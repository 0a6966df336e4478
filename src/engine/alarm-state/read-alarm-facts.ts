// The facts of alarms that hold, of many in one statement: what every page and every message says of them.

import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { type AlarmFacts, type StoredFacts, toFacts } from '../../domain/words/alarm-facts.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { judgingVersion } from '../sql-parts/limits.ts';

export interface HoldingAlarm extends StoredFacts {
  serviceId: ServiceId;
  episodeId: string;
}

export interface FactsOfAlarm extends AlarmFacts {
  episodeId: string;
}

/** By service; those without an alarm are left out. A reading of a service in alarm writes its row, so it is up to now. */
export async function readAlarmFacts(
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
  language: Language,
): Promise<ReadonlyMap<ServiceId, FactsOfAlarm>> {
  const stored = await readHoldingAlarms(db, serviceIds);
  return new Map(
    [...stored].map(([id, alarm]) => [id, { ...toFacts(alarm, language), episodeId: alarm.episodeId }]),
  );
}

/** The same, to be said in the languages of several readers. */
export async function readHoldingAlarms(
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
): Promise<ReadonlyMap<ServiceId, HoldingAlarm>> {
  if (serviceIds.length === 0) return new Map();
  const rows = await db.query(selectFacts(serviceIds), 'by_index');
  return new Map(rows.map((row) => [row.serviceId, row]));
}

const selectFacts = (serviceIds: readonly ServiceId[]): Statement<HoldingAlarm> => sql`
  select state.service_id as "serviceId", state.episode_id as "episodeId", state.severity, state.severity_since as "since",
    state.stale_since as "staleSince", state.channel as "channelName", state.band, state.limit_value as "limit",
    case when alarming.id is not null then json_build_object('name', state.channel, 'label', alarming.label, 'unit', alarming.unit,
      'kind', alarming.kind, 'offWord', alarming.off_word, 'onWord', alarming.on_word) end as "channel",
    state.channel_values[array_position(state.channel_ids, alarming.id)] as "value",
    state.channel_at_ms[array_position(state.channel_ids, alarming.id)]::float8 as "at",
    state.channel_alarms->alarming.id::text as "standing",
    coalesce(${judgingVersion(sql`is_percentage`, sql`state.service_id`, sql`state.channel`)}, false) as "isPercentage"
  from alarm_state state
  left join lateral (
    select id, label, unit, kind, off_word, on_word from channel
    where service_id = state.service_id and name = state.channel offset 0) alarming on true
  where state.service_id = any(${serviceIds}::int[]) and state.severity <> 'normal'`;
