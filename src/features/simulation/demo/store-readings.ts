// Readings of quiet times, which need no judging: stored many at once.
import type { ServiceId } from '../../../domain/ids.ts';
import { joinSeal, markDirty } from '../../../engine/readings/rollup-marks.ts';
import { insertNewReadings, type ReadingColumns } from '../../../engine/readings/write-readings.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { SimulatedReading } from '../gateway.ts';
import type { DemoChannel } from './queries.ts';

/** By device and channel name. */
export type ChannelIds = ReadonlyMap<string, { serviceId: ServiceId; id: number }>;

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
      return channel ? [{ ...channel, at, value: Number(value) }] : [];
    }),
  );
  for (let start = 0; start < rows.length; start += MOST_AT_ONCE) {
    const some = rows.slice(start, start + MOST_AT_ONCE);
    const columns: ReadingColumns = {
      serviceIds: some.map(({ serviceId }) => serviceId),
      channelIds: some.map(({ id }) => id),
      ats: some.map(({ at }) => at),
      values: some.map(({ value }) => value),
    };
    await db.transaction(async (tx) => {
      const {
        seal: [{ sealedUntil }],
      } = await tx.queryAll({ stored: insertNewReadings(columns), seal: joinSeal() });
      markDirty(tx, columns, sealedUntil, now);
    });
  }
  return rows.length;
}
