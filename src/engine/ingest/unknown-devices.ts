// Devices that nobody knows are remembered with their last readings, so that an administrator can adopt them.
import type { Tx } from '../../platform/db/database.ts';
import { MOST_NEW_A_MINUTE, rememberDevices } from '../equipment/devices.ts';
import { type HeardReading, keepReadings } from '../equipment/waiting-readings.ts';
import type { SortedPosts } from './sort-readings.ts';

export async function rememberUnknown(tx: Tx, { unknown, answers }: SortedPosts, now: Date): Promise<void> {
  const [{ organizationId } = { organizationId: null }] = unknown;
  const devices = unknown.flatMap(({ target, sourceId }) =>
    'device' in target ? [{ key: target.device, sourceId }] : [],
  );
  if (organizationId === null || devices.length === 0) return;
  const surplus = await rememberDevices(tx, organizationId, devices, now);
  const readings = unknown.flatMap(listReadings);
  if (readings.length > 0) tx.later(keepReadings(organizationId, readings, now));
  if (surplus.length === 0) return;
  const names = new Set(surplus.map(({ key }) => key.toLowerCase()));
  const places = new Set(
    unknown
      .filter(({ target }) => 'device' in target && names.has(target.device.toLowerCase()))
      .map(({ post, entry }) => `${post} ${entry.index}`),
  );
  for (const [post, { rejected }] of answers.entries())
    for (const rejection of rejected)
      if (rejection.why.code === 'unknown_device' && places.has(`${post} ${rejection.index}`))
        rejection.why = { code: 'not_remembered', most: MOST_NEW_A_MINUTE };
}

function listReadings({ target, sourceId, entry }: SortedPosts['unknown'][number]): HeardReading[] {
  if (!('device' in target)) return [];
  const { at, model = null } = entry;
  return entry.values.map(([channel, value, isState]) => ({
    device: target.device,
    model,
    sourceId,
    channel,
    at,
    value,
    isState,
  }));
}
