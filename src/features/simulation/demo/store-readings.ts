// Readings of quiet times, which need no judging: stored many at once.
import { groupBy } from '../../../domain/group-by.ts';
import { appendHistory, type ReadingColumns } from '../../../engine/journal/inbox.ts';
import { findStored, type NamedReading } from '../../../engine/readings/find-stored.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { SimulatedReading } from '../gateway.ts';
import type { DemoChannel } from './queries.ts';

/** By device and channel name. */
export type ChannelIds = ReadonlyMap<string, Pick<DemoChannel, 'serviceId' | 'organizationId' | 'id'>>;

const MOST_AT_ONCE = 20_000;

export const nameChannels = (channels: readonly DemoChannel[]): ChannelIds =>
  new Map(channels.map(({ device, name, ...ids }) => [`${device} ${name}`, ids]));

export async function storeReadings(
  db: Database,
  channels: ChannelIds,
  readings: readonly SimulatedReading[],
  now: Date,
): Promise<number> {
  const rows = readings.flatMap(({ device, at, values }) =>
    Object.entries(values).flatMap(([name, value]) => {
      const channel = channels.get(`${device} ${name}`);
      return channel ? [{ ...channel, channelId: channel.id, at, value: Number(value) }] : [];
    }),
  );
  for (const [organizationId, ours] of groupBy(rows, (row) => row.organizationId)) {
    for (let start = 0; start < ours.length; start += MOST_AT_ONCE) {
      const some = ours.slice(start, start + MOST_AT_ONCE);
      await db.transaction(async (tx) => {
        const isStored = await findStored(tx, some);
        const fresh = some.filter((reading) => !isStored(reading));
        if (fresh.length > 0) await tx.query(appendHistory(organizationId, toColumns(fresh), now));
      });
    }
  }
  return rows.length;
}

const toColumns = (readings: readonly (NamedReading & { value: number })[]): ReadingColumns => ({
  serviceIds: readings.map(({ serviceId }) => serviceId),
  channelIds: readings.map(({ channelId }) => channelId),
  ats: readings.map(({ at }) => at),
  values: readings.map(({ value }) => value),
});
