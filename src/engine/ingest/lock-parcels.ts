// The careful way into a batch: the services are locked and looked up anew, and channels nobody has heard of join them.
import type { ServiceId } from '../../domain/ids.ts';
import { MOST_CHANNELS, nameValue } from '../../domain/readings/telemetry.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type HeldRow, lockAlarmRows } from '../alarm-state/alarm-rows.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { type Channel, joinChannels, type ServiceConfig } from '../alarm-state/service-config.ts';
import { addHeardChannels, type HeardChannel } from '../equipment/channels.ts';
import { reconfigureHeld } from '../services/reconfigure-services.ts';
import type { Parcel, PlacedEntry, PostAnswer, SortedPosts } from './sort-readings.ts';

/** A device belongs to another service by now, or its service was archived, or keeps its readings for another time. */
export class HandedOn extends Error {}

/** With the services `held` and looked up anew, and every channel known, or its values rejected. */
export async function lockParcels(
  tx: Tx,
  catalogue: Catalogue,
  { parcels, answers }: Pick<SortedPosts, 'parcels' | 'answers'>,
  now: Date,
): Promise<{ held: readonly HeldRow[]; parcels: Parcel[] }> {
  const ids = parcels.map(({ watched }) => watched.config.serviceId);
  const held = await tx.query(lockAlarmRows(ids));
  const services = new Map(
    (await catalogue.refresh(tx, held)).map((watched) => [watched.config.serviceId, watched]),
  );
  const locked = parcels.map(({ watched: { config }, entries }) => {
    const watched = services.get(config.serviceId);
    if (!watched || !entries.every((placed) => isMeant(watched.config, placed))) throw new HandedOn();
    return { watched, entries };
  });
  const kept = locked.map((parcel) => leaveOutSurplus(parcel, answers));
  return { held, parcels: await addNewChannels(tx, held, kept, now) };
}

/** Whether what the entry was sorted by still holds. */
export const isMeant = (config: ServiceConfig, { watched, entry: { target } }: PlacedEntry): boolean =>
  !config.isArchived &&
  config.retentionYears === watched.config.retentionYears &&
  (!('device' in target) || config.deviceKey?.toLowerCase() === target.device.toLowerCase());

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
  rows: readonly HeldRow[],
  parcels: Parcel[],
  now: Date,
): Promise<Parcel[]> {
  const unknown = new Map<string, HeardChannel>();
  for (const { watched, entries } of parcels) {
    const { serviceId, channels } = watched.config;
    for (const [name, , isBoolean] of entries.flatMap(({ entry }) => entry.values))
      if (!channels.has(name)) unknown.set(`${serviceId} ${name}`, { serviceId, name, isBoolean });
  }
  if (unknown.size === 0) return parcels;
  const added = await reconfigureHeld(tx, rows, async (held) => {
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
