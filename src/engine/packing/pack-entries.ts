// Entries of the journal become packs: the readings of each channel in order of time, each once.
import { setImmediate as breathe } from 'node:timers/promises';
import type { ServiceId } from '../../domain/ids.ts';
import { DamagedPack, type Readings } from '../../domain/readings/pack.ts';
import { openInboxRow } from '../journal/inbox.ts';
import { type NewPack, packReadings } from '../readings/write-packs.ts';

/** Of the journal. */
export interface EntryToPack {
  id: string;
  /** null: the server cannot read it. */
  data: Uint8Array | null;
}

export interface PackedEntries {
  packs: NewPack[];
  /** Entries that cannot be read. Nothing of them is in the packs. */
  damaged: Set<string>;
}

export type PackEntries = (entries: readonly EntryToPack[]) => Promise<PackedEntries>;

/** Readings packed before others get their turn. */
const BETWEEN_BREATHS = 10_000;

/** In the order in which they were taken: of two readings of one time the first stays. */
export const packEntries: PackEntries = async (entries) => {
  const { channels, damaged } = gather(entries);
  const packs: NewPack[] = [];
  let sinceBreath = 0;
  for (const [channelId, { serviceId, ats, values }] of channels) {
    packs.push(...packReadings({ serviceId, channelId }, inOrder(ats, values), false));
    sinceBreath += ats.length;
    if (sinceBreath < BETWEEN_BREATHS) continue;
    sinceBreath = 0;
    await breathe();
  }
  return { packs, damaged };
};

interface Gathered {
  serviceId: ServiceId;
  ats: number[];
  values: number[];
}

function gather(entries: readonly EntryToPack[]) {
  const channels = new Map<number, Gathered>();
  const damaged = new Set<string>();
  for (const entry of entries) {
    try {
      const { serviceIds, channelIds, ats, values } = openInboxRow(entry);
      for (let index = 0; index < ats.length; index += 1) {
        const channelId = channelIds[index] as number;
        let known = channels.get(channelId);
        if (!known) {
          known = { serviceId: serviceIds[index] as ServiceId, ats: [], values: [] };
          channels.set(channelId, known);
        }
        known.ats.push(ats[index] as number);
        known.values.push(values[index] as number);
      }
    } catch (error) {
      if (!(error instanceof DamagedPack)) throw error;
      damaged.add(entry.id);
    }
  }
  return { channels, damaged };
}

/** By time, each once: of two at the same time the first is kept. */
function inOrder(ats: readonly number[], values: readonly number[]): Readings {
  const readings = { ats: new Float64Array(ats), values: new Float64Array(values) };
  if (isAscending(readings.ats)) return readings;
  const places = ats
    .map((_, index) => index)
    .sort((one, other) => (ats[one] as number) - (ats[other] as number));
  const kept = places.filter(
    (place, index) => index === 0 || ats[place] !== ats[places[index - 1] as number],
  );
  return {
    ats: Float64Array.from(kept, (place) => ats[place] as number),
    values: Float64Array.from(kept, (place) => values[place] as number),
  };
}

function isAscending(ats: Float64Array): boolean {
  for (let index = 1; index < ats.length; index += 1)
    if ((ats[index] as number) <= (ats[index - 1] as number)) return false;
  return true;
}
