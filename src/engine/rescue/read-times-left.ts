// How long units can wait until what is inside suffers, at their own rate.
import type { ServiceId } from '../../domain/ids.ts';
import { LONGEST_WINDOW_MS, timeToValue } from '../../domain/rescue/time-to-value.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { readStored } from '../readings/read-stored.ts';

interface Measured {
  serviceId: ServiceId;
  /** Of the channel that raises the alarm; null: it is no value. */
  channelId: number | null;
  dangerValue: number | null;
}

/** In milliseconds. Those of which nobody can tell are left out. */
export async function readTimesLeft(
  db: ReadDatabase,
  units: readonly Measured[],
  now: Date,
): Promise<Map<ServiceId, number>> {
  const known = units.flatMap(({ serviceId, channelId, dangerValue }) =>
    channelId === null || dangerValue === null ? [] : [{ serviceId, channelId, dangerValue }],
  );
  if (known.length === 0) return new Map();
  const span = { from: now.getTime() - LONGEST_WINDOW_MS, to: now.getTime() + 1 };
  const { byChannel } = await readStored(db, known, span);
  function* tell(): Generator<void, Map<ServiceId, number>> {
    const left = new Map<ServiceId, number>();
    for (const { serviceId, channelId, dangerValue } of known) {
      const readings = byChannel.get(channelId);
      const inMs = readings ? timeToValue(readings, dangerValue, now.getTime()) : null;
      if (inMs !== null) left.set(serviceId, inMs);
      yield;
    }
    return left;
  }
  return inSlices(tell());
}
