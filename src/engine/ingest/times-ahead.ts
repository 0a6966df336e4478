// Channels whose newest reading was dated by a clock that was ahead of this one: by it, every true reading would be late.
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { WatchedService } from '../alarm-state/watched-service.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { readLastBefore } from '../readings/read-stored.ts';
import type { Parcel } from './sort-readings.ts';

/** How many services, and by how much at most. */
export type NoteAhead = (services: number, aheadMs: number) => void;

/** By such a channel, its newest reading that is not ahead. */
export async function findTrueTimes(
  tx: Tx,
  parcels: readonly Parcel[],
  now: Date,
  noteAhead: NoteAhead = () => {},
): Promise<ReadonlyMap<number, Instant>> {
  const ahead = parcels.flatMap(({ watched }) => listAhead(watched, now.getTime()));
  if (ahead.length === 0) return new Map();
  const newest = await readLastBefore(tx, ahead, now.getTime() + 1);
  const serviceIds = [...new Set(ahead.map(({ serviceId }) => serviceId))];
  // What was planned to be told of them was planned by the wrong clock.
  lookAgain(tx, serviceIds, now);
  noteAhead(serviceIds.length, Math.max(...ahead.map(({ aheadMs }) => aheadMs)));
  return new Map([...newest].map(([channelId, { at }]) => [channelId, at]));
}

interface ChannelAhead {
  serviceId: ServiceId;
  channelId: number;
  aheadMs: number;
}

const listAhead = ({ config, channels }: WatchedService, now: Instant): ChannelAhead[] =>
  [...channels].flatMap(([name, { at }]) => {
    const channelId = config.channels.get(name)?.id;
    if (channelId === undefined || at === null || !isAhead(at, now)) return [];
    return [{ serviceId: config.serviceId, channelId, aheadMs: at - now }];
  });
