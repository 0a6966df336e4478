// Stored readings by the thousand, put in past the engine.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../src/domain/ids.ts';
import { minutes } from './movable-clock.ts';
import { putReadings } from './stored-readings.ts';
import type { TestServer } from './test-server.ts';

export interface StoredSeries {
  channel?: string;
  /** The newest is taken now. */
  count: number;
  everyMs?: number;
  /** `index` counts from the oldest. */
  value(index: number): number;
}

export async function storeReadings(
  { db, clock }: TestServer,
  serviceId: ServiceId,
  { channel = 'temperature', count, everyMs = minutes(1), value }: StoredSeries,
): Promise<void> {
  const now = clock.read();
  const [row] = await db.query<{ id: number }>(
    sql`select id from channel where service_id = ${serviceId} and name = ${channel}`,
  );
  if (!row) throw new Error(`The service has no channel ${channel}`);
  const ats = Array.from({ length: count }, (_, index) => now.getTime() - (count - 1 - index) * everyMs);
  const values = ats.map((_, index) => value(index));
  await putReadings(db, { serviceId, channelId: row.id, ats, values }, now);
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
