import sql from 'sql-template-tag';
import { type ChannelKind, guessChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { nameProbe, PROBE_WORDS } from '../../domain/words/probe-words.ts';
import type { Channel } from '../alarm-state/service-config.ts';
import type { ReconfiguringTx } from '../services/reconfigure-services.ts';

export interface ChannelFields {
  serviceId: ServiceId;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
}

/** Makes those that are not there yet. */
export const saveChannels = (tx: ReconfiguringTx, channels: readonly ChannelFields[], now: Date) =>
  tx.query(sql`
    insert into channel (service_id, name, label, unit, kind, off_word, on_word, created_at)
    select service_id, name, label, unit, kind, off_word, on_word, ${now}
    from unnest(${channels.map(({ serviceId }) => serviceId)}::int[],
      ${channels.map(({ name }) => name)}::text[], ${channels.map(({ label }) => label)}::text[],
      ${channels.map(({ unit }) => unit)}::text[], ${channels.map(({ kind }) => kind)}::text[],
      ${channels.map(({ offWord }) => offWord)}::text[], ${channels.map(({ onWord }) => onWord)}::text[])
      as given (service_id, name, label, unit, kind, off_word, on_word)
    on conflict (service_id, name) do update
    set label = excluded.label, unit = excluded.unit, kind = excluded.kind, off_word = excluded.off_word,
      on_word = excluded.on_word`);

export interface HeardChannel {
  serviceId: ServiceId;
  name: string;
  isBoolean: boolean;
  /** The label of what its probe does not measure, and its name; null: it is measured itself. */
  faultOf: { name: string; label: string } | null;
}

/** Those of which a first reading came. Also answers for channels that another program added a moment ago. */
export function addHeardChannels(tx: ReconfiguringTx, channels: readonly HeardChannel[], now: Date) {
  const serviceIds = channels.map(({ serviceId }) => serviceId);
  const names = channels.map(({ name }) => name);
  const kinds = channels.map(({ name, isBoolean, faultOf }) =>
    faultOf ? 'state' : guessChannelKind(name, isBoolean),
  );
  const words = (word: string) => channels.map(({ faultOf }) => (faultOf ? word : null));
  tx.later(sql`
    insert into channel (service_id, name, kind, label, fault_of, off_word, on_word, created_at)
    select *, ${now} from unnest(${serviceIds}::int[], ${names}::text[], ${kinds}::text[],
      ${channels.map(({ faultOf }) => faultOf && nameProbe(faultOf.label))}::text[],
      ${channels.map(({ faultOf }) => faultOf?.name ?? null)}::text[],
      ${words(PROBE_WORDS.off)}::text[], ${words(PROBE_WORDS.on)}::text[])
    on conflict (service_id, name) do update set fault_of = excluded.fault_of
    where channel.fault_of is null and excluded.fault_of is not null`);
  return tx.query<Channel & { serviceId: ServiceId }>(sql`
    select channel.service_id as "serviceId", id, channel.name, label, unit, kind, fault_of as "faultOf"
    from unnest(${serviceIds}::int[], ${names}::text[]) as given (service_id, name)
    join channel on channel.service_id = given.service_id and channel.name = given.name`);
}
