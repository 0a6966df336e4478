// Whether probes measure is heard from what their devices say, and becomes a value of a state beside the channel: on change
// only, and counted in no answer.

import type { Instant } from '../../domain/instant.ts';
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import {
  hearProbe,
  isCelsius,
  mayBeFaultValue,
  nameFault,
  type Probe,
} from '../../domain/judging/probe-fault.ts';
import type { ServiceConfig } from '../alarm-state/service-config.ts';
import type { WatchedService } from '../alarm-state/watched-service.ts';
import type { Parcel, PlacedEntry } from './sort-readings.ts';

export function hearProbes(parcel: Parcel, now: Instant): Parcel {
  if (!parcel.entries.some((placed) => isOfInterest(placed, parcel.watched))) return parcel;
  const probes = new Map<string, Probe>();
  const faultsOf = new Map<string, string>();
  const entries: PlacedEntry[] = [];
  for (const placed of parcel.entries.toSorted((one, other) => one.entry.at - other.entry.at)) {
    const { entry, watched } = placed;
    if (entry.isPast) {
      entries.push(placed);
      continue;
    }
    const said = new Map<string, number | null>(entry.values.map(([name, value]) => [name, value]));
    for (const name of entry.faults ?? []) said.set(name, null);
    const faulty = new Set<string>();
    const states: [name: string, value: number, isBoolean: boolean][] = [];
    for (const [name, value] of said) {
      const state = nameFault(name);
      // A device that has a channel of this name speaks for itself.
      if (!isProbe(watched.config, name) || said.has(state)) continue;
      const heard = hearProbe(probes.get(name) ?? findProbe(watched, name, now), {
        at: entry.at,
        value,
        isCelsius: isCelsius(watched.config.channels.get(name)?.unit ?? null),
      });
      probes.set(name, heard.probe);
      if (heard.isFault) faulty.add(name);
      if (heard.becomes === null) continue;
      states.push([state, heard.becomes, true]);
      faultsOf.set(state, name);
    }
    const values = placed.leavesOutFaults ? entry.values.filter(([name]) => !faulty.has(name)) : entry.values;
    entries.push({ ...placed, entry: { ...entry, values } });
    if (states.length > 0) entries.push({ ...placed, post: -1, entry: { ...entry, values: states } });
  }
  return { watched: parcel.watched, entries, faultsOf };
}

/** Nearly nothing is. */
function isOfInterest({ entry }: PlacedEntry, { config, channels }: WatchedService): boolean {
  if (entry.isPast) return false;
  if (entry.faults) return true;
  for (const [name, value] of entry.values) {
    if (channels.get(nameFault(name))?.value === 1) return true;
    if (mayBeFaultValue(value) && isCelsius(config.channels.get(name)?.unit ?? null)) return true;
  }
  return false;
}

/** Many devices have empty places for what they never measure. */
function isProbe({ channels, limits }: ServiceConfig, name: string): boolean {
  const channel = channels.get(name);
  if (!channel) return limits.has(name);
  return channel.faultOf === null && (channel.kind === 'metric' || channel.kind === 'state');
}

/** By a clock that was ahead nothing could be said any more. */
function findProbe({ channels }: WatchedService, name: string, now: Instant): Probe {
  const known = channels.get(name);
  const fault = channels.get(nameFault(name));
  const unlessAhead = (at: Instant | null = null) => (isAhead(at, now) ? null : at);
  return {
    at: unlessAhead(known?.at),
    value: known?.value ?? null,
    isFaulty: fault?.value === 1,
    faultAt: unlessAhead(fault?.at),
  };
}
