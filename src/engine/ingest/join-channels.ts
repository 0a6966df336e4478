// Channels nobody has heard of join their services.
import type { ServiceId } from '../../domain/ids.ts';
import { MOST_CHANNELS, nameValue } from '../../domain/readings/telemetry.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Channel, joinChannels } from '../alarm-state/service-config.ts';
import { addHeardChannels, type HeardChannel } from '../equipment/channels.ts';
import type { Turn } from '../journal/take-turn.ts';
import { reconfigureInTurn } from '../services/reconfigure-services.ts';
import type { Parcel, PostAnswer } from './sort-readings.ts';

/** With every channel known, or its values rejected. */
export async function joinNewChannels(
  tx: Tx,
  turn: Turn,
  parcels: readonly Parcel[],
  answers: readonly PostAnswer[],
  now: Date,
): Promise<readonly Parcel[]> {
  if (!parcels.some(hasUnknown)) return parcels;
  return addNewChannels(
    tx,
    turn,
    parcels.map((parcel) => leaveOutSurplus(parcel, answers)),
    now,
  );
}

const hasUnknown = ({ watched: { config }, entries }: Parcel): boolean =>
  entries.some(({ entry }) => entry.values.some(([name]) => !config.channels.has(name)));

/** A service has so many channels. What would be one more is rejected, and known ones are taken all the same. */
function leaveOutSurplus({ watched, entries }: Parcel, answers: readonly PostAnswer[]): Parcel {
  const { channels } = watched.config;
  const joining = new Set<string>();
  const isTaken = (name: string) => {
    if (channels.has(name) || joining.has(name)) return true;
    return channels.size + joining.size < MOST_CHANNELS && joining.add(name);
  };
  const kept = entries.map((placed) => {
    const { post, entry } = placed;
    const values = entry.values.filter(([name]) => isTaken(name));
    if (values.length === entry.values.length) return placed;
    for (const [name] of entry.values)
      if (!isTaken(name))
        answers[post]?.rejected.push({
          index: entry.index,
          reason: `${nameValue(name)}: the service has ${MOST_CHANNELS} channels already`,
        });
    return { ...placed, entry: { ...entry, values } };
  });
  return { watched, entries: kept };
}

async function addNewChannels(
  tx: Tx,
  turn: Turn,
  parcels: readonly Parcel[],
  now: Date,
): Promise<readonly Parcel[]> {
  const unknown = new Map<string, HeardChannel>();
  for (const { watched, entries } of parcels) {
    const { serviceId, channels } = watched.config;
    for (const [name, , isBoolean] of entries.flatMap(({ entry }) => entry.values))
      if (!channels.has(name)) unknown.set(`${serviceId} ${name}`, { serviceId, name, isBoolean });
  }
  if (unknown.size === 0) return parcels;
  const added = await reconfigureInTurn(tx, turn, async (held) => {
    const value = new Map<ServiceId, Channel[]>();
    for (const { serviceId, ...channel } of await addHeardChannels(held, [...unknown.values()], now))
      value.set(serviceId, [...(value.get(serviceId) ?? []), channel]);
    return { changed: [...value.keys()], value };
  });
  return parcels.map((parcel) => {
    const channels = added.get(parcel.watched.config.serviceId);
    if (!channels) return parcel;
    const config = joinChannels(parcel.watched.config, channels);
    const { configVersion } = config;
    const alarm = { ...parcel.watched.alarm, configVersion, nextDueAt: Number.NEGATIVE_INFINITY };
    return { ...parcel, watched: { ...parcel.watched, config, alarm, calm: undefined } };
  });
}
