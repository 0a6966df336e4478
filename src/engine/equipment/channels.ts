import sql from 'sql-template-tag';
import type { KnownChannel } from '../../domain/advisor/resolve-proposal.ts';
import { type ChannelKind, guessChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { nameProbe } from '../../domain/words/probe-words.ts';
import { PROBE_WORDS } from '../../domain/words/state-words.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import type { Channel } from '../alarm-state/service-config.ts';
import { keeping } from '../mosts/keep-most.ts';
import type { ReconfiguringTx } from '../services/reconfigure-services.ts';

export interface ChannelFields {
  serviceId: ServiceId;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
  /** Left out: as it is, and 0 of a new one. */
  clearMargin?: number;
  clearMinutes?: number;
}

export interface ListedChannel extends Omit<ChannelFields, 'clearMargin' | 'clearMinutes'> {
  id: number;
}

export const selectChannelsOf = (db: ReadDatabase, serviceIds: readonly ServiceId[]) =>
  db.query<ListedChannel>(sql`
    select id, service_id as "serviceId", name, label, unit, kind, off_word as "offWord", on_word as "onWord"
    from channel where service_id = any(${serviceIds}::int[]) order by id`);

/** Makes those that are not there yet. */
export const saveChannels = (tx: ReconfiguringTx, channels: readonly ChannelFields[], now: Date) =>
  keeping(
    tx,
    'channels',
    channels.map(({ serviceId }) => serviceId),
    tx.query(sql`
    insert into channel (service_id, name, label, unit, kind, off_word, on_word, clear_margin, clear_minutes, created_at)
    select given.service_id, given.name, given.label, given.unit, given.kind, given.off_word, given.on_word,
      coalesce(given.clear_margin, before.clear_margin, 0), coalesce(given.clear_minutes, before.clear_minutes, 0), ${now}
    from unnest(${channels.map(({ serviceId }) => serviceId)}::int[],
      ${channels.map(({ name }) => name)}::text[], ${channels.map(({ label }) => label)}::text[],
      ${channels.map(({ unit }) => unit)}::text[], ${channels.map(({ kind }) => kind)}::text[],
      ${channels.map(({ offWord }) => offWord)}::text[], ${channels.map(({ onWord }) => onWord)}::text[],
      ${channels.map(({ clearMargin }) => clearMargin ?? null)}::float8[],
      ${channels.map(({ clearMinutes }) => clearMinutes ?? null)}::float8[])
      as given (service_id, name, label, unit, kind, off_word, on_word, clear_margin, clear_minutes)
    left join channel before on before.service_id = given.service_id and before.name = given.name
    on conflict (service_id, name) do update
    set label = excluded.label, unit = excluded.unit, kind = excluded.kind, off_word = excluded.off_word,
      on_word = excluded.on_word, clear_margin = excluded.clear_margin, clear_minutes = excluded.clear_minutes
    returning id`),
  );

export interface ChannelClearing {
  id: number;
  name: string;
  clearMargin: number;
  clearMinutes: number;
}

export const selectClearing = (tx: Tx, serviceId: ServiceId) =>
  tx.query<ChannelClearing>(sql`
    select id, name, clear_margin as "clearMargin", clear_minutes as "clearMinutes"
    from channel where service_id = ${serviceId} order by id`);

export const updateClearing = (tx: ReconfiguringTx, channels: readonly ChannelClearing[]) =>
  tx.query(sql`
    update channel set clear_margin = given.clear_margin, clear_minutes = given.clear_minutes
    from unnest(${channels.map(({ id }) => id)}::int[], ${channels.map(({ clearMargin }) => clearMargin)}::float8[],
      ${channels.map(({ clearMinutes }) => clearMinutes)}::float8[]) as given (id, clear_margin, clear_minutes)
    where channel.id = given.id`);

/** The next that its sender declares is as good. */
export const forgetSentUnit = (tx: ReconfiguringTx, channelId: number) =>
  tx.query(sql`update channel set sent_unit = null where id = ${channelId}`);

export interface HeardChannel {
  serviceId: ServiceId;
  name: string;
  isBoolean: boolean;
  /** The label of what its probe does not measure, and its name; null: it is measured itself. */
  faultOf: { name: string; label: string } | null;
  /** The one that says it; null: nobody knows. */
  deviceId: number | null;
  /** As its sender declares it; null: it does not. */
  unit: string | null;
}

/** Those of which a first reading came. Also answers for channels that another program added a moment ago. */
export function addHeardChannels(tx: ReconfiguringTx, channels: readonly HeardChannel[], now: Date) {
  const serviceIds = channels.map(({ serviceId }) => serviceId);
  const names = channels.map(({ name }) => name);
  const kinds = channels.map(({ name, isBoolean, faultOf }) =>
    faultOf ? 'state' : guessChannelKind(name, isBoolean),
  );
  const words = (word: string) => channels.map(({ faultOf }) => (faultOf ? word : null));
  const units = channels.map(({ unit }) => unit);
  tx.later(sql`
    insert into channel (service_id, name, kind, label, fault_of, off_word, on_word, device_id, unit, sent_unit, created_at)
    select *, ${now} from unnest(${serviceIds}::int[], ${names}::text[], ${kinds}::text[],
      ${channels.map(({ faultOf }) => faultOf && nameProbe(faultOf.label, english))}::text[],
      ${channels.map(({ faultOf }) => faultOf?.name ?? null)}::text[],
      ${words(PROBE_WORDS.off)}::text[], ${words(PROBE_WORDS.on)}::text[],
      ${channels.map(({ deviceId }) => deviceId)}::int[], ${units}::text[], ${units}::text[])
    on conflict (service_id, name) do update
    set fault_of = coalesce(channel.fault_of, excluded.fault_of), device_id = coalesce(excluded.device_id, channel.device_id),
      sent_unit = coalesce(channel.sent_unit, excluded.sent_unit)`);
  return tx.query<Channel & { serviceId: ServiceId }>(sql`
    select channel.service_id as "serviceId", id, channel.name, label, unit, kind, fault_of as "faultOf",
      device_id as "deviceId", sent_unit as "sentUnit"
    from unnest(${serviceIds}::int[], ${names}::text[]) as given (service_id, name)
    join channel on channel.service_id = given.service_id and channel.name = given.name`);
}

export const selectKnownChannels = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<KnownChannel>(sql`
    select id, name, label, unit, kind, off_word as "offWord", on_word as "onWord" from channel where service_id = ${serviceId} order by id`);
