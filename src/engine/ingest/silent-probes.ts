// A channel that says nothing any more while its device goes on talking: its probe does not measure, though nobody said so.

import type { ServiceId } from '../../domain/ids.ts';
import { joinMeasurements, type Measurement } from '../../domain/judging/measurement.ts';
import { findSilent, nameFault } from '../../domain/judging/probe-fault.ts';
import { listen } from '../alarm-state/service-config.ts';
import type { SpeakFor } from '../alarm-state/sweep.ts';
import type { WatchedService } from '../alarm-state/watched-service.ts';
import type { ReadingColumns } from '../journal/inbox.ts';
import { joinNewChannels } from './join-channels.ts';
import { type Parcel, sortValues } from './sort-readings.ts';

export const speakForSilent: SpeakFor = async (tx, turn, services, now) => {
  const parcels = services.flatMap((watched) => writeParcel(watched, now) ?? []);
  const readings: ReadingColumns = { serviceIds: [], channelIds: [], ats: [], values: [] };
  const said = new Map<ServiceId, { watched: WatchedService; measurements: Measurement[] }>();
  if (parcels.length === 0) return { readings, said };
  for (const parcel of await joinNewChannels(tx, turn, parcels, [], now)) {
    const values = sortValues(parcel, now.getTime(), []).filter(({ isLate }) => !isLate);
    for (const { serviceId, channelId, at, value } of values) {
      readings.serviceIds.push(serviceId);
      readings.channelIds.push(channelId);
      readings.ats.push(at);
      readings.values.push(value);
    }
    const { watched } = parcel;
    said.set(watched.config.serviceId, { watched, measurements: joinMeasurements(values) });
  }
  return { readings, said };
};

/** As if the device had said so when it was last heard. */
function writeParcel(watched: WatchedService, now: Date): Parcel | null {
  const { config, channels } = watched;
  if (config.isArchived) return null;
  const { silent, heardAt } = findSilent(listen(config, channels), now.getTime());
  if (silent.length === 0) return null;
  const values = silent.map((name): [string, number, boolean] => [nameFault(name), 1, true]);
  const entry = { index: 0, target: { serviceId: config.serviceId }, at: heardAt, values };
  return {
    watched,
    entries: [{ post: -1, entry, watched, leavesOutFaults: false }],
    faultsOf: new Map(silent.map((name) => [nameFault(name), name])),
  };
}
