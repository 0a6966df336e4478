// Stored readings by the thousand, put in past the engine.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../src/domain/ids.ts';
import { minutes } from './movable-clock.ts';
import type { TestServer } from './test-server.ts';

export interface StoredSeries {
  channel?: string;
  /** The newest is taken now. */
  count: number;
  everyMs?: number;
  /** `index` counts from the oldest. */
  value(index: number): number;
}

/** Within the retention: the partitions are there. */
export async function storeReadings(
  { db, clock }: TestServer,
  serviceId: ServiceId,
  { channel = 'temperature', count, everyMs = minutes(1), value }: StoredSeries,
): Promise<void> {
  const last = clock.read().getTime();
  const values = Float64Array.from({ length: count }, (_, index) => value(index));
  await db.query(sql`
    insert into reading (service_id, channel_id, taken_at, value)
    select ${serviceId}, channel.id,
      ${new Date(last)}::timestamptz - (${count}::int - given.position) * ${everyMs / 1000} * interval '1 second', given.value
    from channel, unnest(${[...values]}::float8[]) with ordinality as given (value, position)
    where channel.service_id = ${serviceId} and channel.name = ${channel}`);
}

/** A freezer at -80 °C: the compressor switches every half hour, twice a day the door is opened for some minutes. */
export function readFreezer(index: number): number {
  const cycle = 1.2 * Math.sin((index / 30) * 2 * Math.PI);
  const noise = Math.sin(index * 12.9898) * 0.2;
  const sinceDoor = index % 720;
  const door = sinceDoor < 15 ? 9 * Math.exp(-sinceDoor / 6) : 0;
  return Number((-80 + cycle + noise + door).toFixed(2));
}

export const MONTH_OF_MINUTES = 30 * 24 * 60;
