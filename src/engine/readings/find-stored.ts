// Which of some readings are stored already. Whoever asks holds the rows of their services: nobody stores more meanwhile.
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { dayOf } from '../../domain/readings/span.ts';
import { findPlace } from '../../domain/readings/step-readings.ts';
import type { Tx } from '../../platform/db/database.ts';
import { LOOKED_AT_ONCE, type ReadingsVisitor, visitDays } from './read-stored.ts';

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
  const sought = seek(readings);
  await visitDays(tx, [...channels.values()], isBlind ? 'waiting' : days, sought);
  return sought.isFound;
}

/** Of one channel. */
interface Sought {
  /** In order of time. */
  ats: Float64Array;
  found: Uint8Array;
}

const NOTHING_SOUGHT: Sought = { ats: new Float64Array(), found: new Uint8Array() };

/** However much is stored, nothing is kept but which of these were met. */
function seek(
  readings: readonly NamedReading[],
): ReadingsVisitor & { isFound: (reading: NamedReading) => boolean } {
  const soughtOf = new Map<number, Sought>();
  for (const [channelId, some] of groupBy(readings, (reading) => reading.channelId))
    soughtOf.set(channelId, {
      ats: Float64Array.from(some, ({ at }) => at).sort(),
      found: new Uint8Array(some.length),
    });
  const meet = (sought: Sought | undefined, at: Instant) => {
    if (!sought) return;
    const place = findPlace(sought.ats, at);
    if (sought.ats[place] === at) sought.found[place] = 1;
  };
  return {
    isOfInterest({ channelId, firstAt, lastAt }) {
      const { ats } = soughtOf.get(channelId) ?? NOTHING_SOUGHT;
      const next = ats[findPlace(ats, firstAt)];
      return next !== undefined && next <= lastAt;
    },
    // A pack holds far more than is sought.
    takePack(channelId, { ats }) {
      const { ats: sought, found } = soughtOf.get(channelId) ?? NOTHING_SOUGHT;
      for (const [index, at] of sought.entries()) if (ats[findPlace(ats, at)] === at) found[index] = 1;
    },
    *takeBatch({ channelIds, ats }) {
      for (let index = 0; index < channelIds.length; index += 1) {
        if (index % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) yield;
        meet(soughtOf.get(channelIds[index] as number), ats[index] as number);
      }
    },
    isFound({ channelId, at }) {
      const sought = soughtOf.get(channelId);
      return sought !== undefined && sought.found[findPlace(sought.ats, at)] === 1;
    },
  };
}
