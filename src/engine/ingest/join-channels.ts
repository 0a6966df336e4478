// Channels nobody has heard of join their services.

import { groupBy } from '../../domain/group-by.ts';
import { faultBands } from '../../domain/judging/probe-fault.ts';
import { MOSTS } from '../../domain/mosts.ts';
import type { TelemetryEntry } from '../../domain/readings/telemetry.ts';
import { isOnline, ONLINE_BANDS } from '../../domain/ways-in/online.ts';
import type { Tx } from '../../platform/db/database.ts';
import { findSpanOf, joinChannels, type ServiceConfig } from '../alarm-state/service-config.ts';
import { addHeardChannels, type HeardChannel } from '../equipment/channels.ts';
import type { Turn } from '../journal/take-turn.ts';
import { type PresetLimits, presetLimits } from '../services/adopt-limits.ts';
import { reconfigureInTurn } from '../services/reconfigure-services.ts';
import { saysUnit } from './sent-units.ts';
import type { Parcel, PostAnswer } from './sort-readings.ts';
import { findDeviceId } from './tell-apart.ts';

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

const hasUnknown = (parcel: Parcel): boolean =>
  parcel.entries.some(({ entry }) => entry.values.some(([name]) => isUnknown(parcel, name, entry)));

/** Also one of which something new is said: that it is the fault of a probe, its unit, whose it is. */
function isUnknown({ watched: { config }, faultsOf }: Parcel, name: string, entry: TelemetryEntry): boolean {
  const channel = config.channels.get(name);
  if (!channel || (channel.faultOf === null && faultsOf?.has(name) === true)) return true;
  if (saysUnit(config, entry, name)) return true;
  return (
    config.devices.length > 1 && channel.deviceId === null && findDeviceId(config, entry.target) !== null
  );
}

/** A service has so many channels. What would be one more is rejected, and known ones are taken all the same. */
function leaveOutSurplus(parcel: Parcel, answers: readonly PostAnswer[]): Parcel {
  const { watched, entries, faultsOf } = parcel;
  const { channels } = watched.config;
  const joining = new Set<string>();
  const isTaken = (name: string) => {
    if (channels.has(name) || joining.has(name) || faultsOf?.has(name)) return true;
    return channels.size + joining.size < MOSTS.heardChannels.most && joining.add(name);
  };
  const kept = entries.map((placed) => {
    const { post, entry } = placed;
    const values = entry.values.filter(([name]) => isTaken(name));
    if (values.length === entry.values.length) return placed;
    for (const [name] of entry.values)
      if (!isTaken(name))
        answers[post]?.rejected.push({
          index: entry.index,
          why: { code: 'too_many_channels', channel: name, most: MOSTS.heardChannels.most },
        });
    return { ...placed, entry: { ...entry, values } };
  });
  return { ...parcel, entries: kept };
}

async function addNewChannels(
  tx: Tx,
  turn: Turn,
  parcels: readonly Parcel[],
  now: Date,
): Promise<readonly Parcel[]> {
  const unknown = new Map<string, HeardChannel>();
  const presets: PresetLimits[] = [];
  for (const parcel of parcels) {
    const { config } = parcel.watched;
    const { serviceId } = config;
    const said = parcel.entries.flatMap(({ entry }) =>
      entry.values.map(([name, , isBoolean]) => ({ entry, name, isBoolean })),
    );
    for (const { entry, name, isBoolean } of said) {
      if (!isUnknown(parcel, name, entry) || unknown.has(`${serviceId} ${name}`)) continue;
      const faultOf = findFaultOf(parcel, name);
      const owner = faultOf && config.channels.get(faultOf.name)?.deviceId;
      const deviceId = findDeviceId(config, entry.target) ?? owner ?? null;
      const unit = entry.units?.get(name) ?? null;
      unknown.set(`${serviceId} ${name}`, { serviceId, name, isBoolean, faultOf, deviceId, unit });
      if (faultOf && !config.limits.has(name))
        presets.push({ serviceId, channel: name, bands: faultBands(findTwoIntervals(config, faultOf.name)) });
      if (isBoolean && isOnline(name) && !config.channels.has(name) && !config.limits.has(name))
        presets.push({ serviceId, channel: name, bands: ONLINE_BANDS });
    }
  }
  if (unknown.size === 0) return parcels;
  const { added, preset } = await reconfigureInTurn(tx, turn, async (held) => {
    const heard = await addHeardChannels(held, [...unknown.values()], now);
    const limits = await presetLimits(held, presets, now);
    const value = {
      added: groupBy(heard, ({ serviceId }) => serviceId),
      preset: groupBy(limits, ({ serviceId }) => serviceId),
    };
    return { changed: [...value.added.keys()], value };
  });
  return parcels.map((parcel) => {
    const { serviceId } = parcel.watched.config;
    const channels = added.get(serviceId);
    if (!channels) return parcel;
    const config = joinChannels(
      parcel.watched.config,
      channels.map(({ serviceId: _, ...channel }) => channel),
      preset.get(serviceId),
    );
    const known = parcel.watched.config.channels;
    const joined = new Set(channels.map(({ name }) => name).filter((name) => !known.has(name)));
    const { configVersion } = config;
    const alarm = { ...parcel.watched.alarm, configVersion, nextDueAt: Number.NEGATIVE_INFINITY };
    return { ...parcel, joined, watched: { ...parcel.watched, config, alarm, calm: undefined } };
  });
}

function findFaultOf({ watched: { config }, faultsOf }: Parcel, name: string): HeardChannel['faultOf'] {
  const of = faultsOf?.get(name);
  return of === undefined ? null : { name: of, label: config.channels.get(of)?.label ?? of };
}

const USUAL_MINUTES = 15;

const findTwoIntervals = (config: ServiceConfig, name: string): number => {
  const spanMs = findSpanOf(config, name);
  return spanMs === null ? USUAL_MINUTES : spanMs / 60_000;
};
