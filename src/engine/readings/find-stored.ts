// Which of some readings are stored already. Whoever asks holds the rows of their services: nobody stores more meanwhile.
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import { dayOf } from '../../domain/readings/span.ts';
import { findPlace } from '../../domain/readings/step-readings.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readDays } from './read-stored.ts';

export interface NamedReading {
  serviceId: ServiceId;
  channelId: number;
  at: Instant;
}

/** Answers with the way to ask. `isBlind`: packs cannot be looked at, and what is packed twice will be found by who reads. */
export async function findStored(
  tx: Tx,
  readings: readonly NamedReading[],
  isBlind = false,
): Promise<(reading: NamedReading) => boolean> {
  if (readings.length === 0) return () => false;
  const channels = new Map(
    readings.map(({ serviceId, channelId }) => [channelId, { serviceId, channelId }] as const),
  );
  const days = [...new Set(readings.map(({ at }) => dayOf(at)))];
  const { byChannel } = await readDays(tx, [...channels.values()], isBlind ? 'waiting' : days);
  return ({ channelId, at }) => {
    const stored = byChannel.get(channelId);
    return stored !== undefined && stored.ats[findPlace(stored.ats, at)] === at;
  };
}
