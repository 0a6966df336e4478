import { sayRefused } from '../../domain/readings/refused.ts';
import { sayNumber } from '../../domain/words/say-value.ts';
import { selectLastSaid } from '../../engine/equipment/waiting-readings.ts';
import type { SettingsVisit } from '../../engine/pages/settings-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HeardModel } from './heard-view.tsx';
import { selectHeardDevices, selectRefusals, selectSource } from './queries.ts';

const MOST_DEVICES = 10;
const MOST_VALUES = 4;

/** null: the source is gone. */
export async function readHeard(
  db: ReadDatabase,
  { organization, visitor }: Pick<SettingsVisit, 'organization' | 'visitor'>,
  sourceId: number,
): Promise<HeardModel | null> {
  const source = await selectSource(db, organization.id, sourceId);
  if (!source) return null;
  const devices = await selectHeardDevices(db, organization.id, source.name, MOST_DEVICES);
  const said = await selectLastSaid(
    db,
    devices.map(({ id }) => id),
    { now: visitor.now, most: MOST_VALUES },
  );
  const refusals = await selectRefusals(db, sourceId);
  return {
    sourceId,
    lastSeen: source.lastSeenAt && showTime(source.lastSeenAt, visitor),
    devices: devices.map((device) => ({
      ...device,
      said: said
        .filter(({ deviceId }) => deviceId === device.id)
        .map(({ channel, value }) => ({ channel, value: sayNumber(value, visitor.language) })),
    })),
    refusals: refusals.map(({ why, count, lastAt, sample }) => ({
      reason: sayRefused(why, visitor.language),
      count,
      last: showTime(lastAt, visitor),
      sample: sample.toString('utf8'),
    })),
  };
}
