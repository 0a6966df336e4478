// What a device said before somebody adopted it comes along, on the road of all readings. Any program may do it, and any
// number of them at once: what is stored already is a double.
import type { TelemetryEntry } from '../../domain/readings/telemetry.ts';
import type { Database } from '../../platform/db/database.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { reassess } from '../alarm-state/reassess.ts';
import {
  forgetWaiting,
  selectToBring,
  selectWaitingReadings,
  type WaitingReading,
} from '../equipment/waiting-readings.ts';
import { reconfigureServices } from '../services/reconfigure-services.ts';
import type { PostOutcome } from './ingest.ts';
import type { SentPost } from './sort-readings.ts';

interface BringDeps {
  db: Database;
  take: (post: SentPost, size: number) => Promise<PostOutcome>;
}

type DeviceToBring = Awaited<ReturnType<typeof selectToBring>>[number];

const MOST_AT_ONCE = 100;

/** The readings stay where they wait until all of this is done, for whoever comes next. */
export async function bringAlong({ db, take }: BringDeps, now: Date): Promise<void> {
  const bring = async ({ id, key, organizationId, serviceId }: DeviceToBring) => {
    const readings = await selectWaitingReadings(db, id, now);
    const entries = toEntries(readings, key);
    if (entries.length > 0) {
      await take({ sourceId: null, organizationId, entries, rejected: [] }, readings.length);
    }
    await db.transaction(async (tx) => {
      // A breach that lasts is as old as its readings say.
      await reconfigureServices(tx, [serviceId], now, async () => ({ changed: [serviceId], value: null }));
      await reassess(tx, [serviceId], now);
      await forgetWaiting(tx, id);
    });
  };
  await eachAlone(await selectToBring(db, MOST_AT_ONCE), ({ id }) => `device ${id}`, bring);
}

/** Only the newest of each channel counts: an alarm that was over before anybody watched was none. */
function toEntries(readings: readonly WaitingReading[], device: string): TelemetryEntry[] {
  const newest = new Map(readings.map((reading) => [reading.channel, reading]));
  return readings.map((reading, index) => ({
    index,
    target: { device },
    at: reading.at.getTime(),
    values: [[reading.channel, reading.value, reading.isState]],
    ...(newest.get(reading.channel) !== reading && { isPast: true }),
  }));
}
