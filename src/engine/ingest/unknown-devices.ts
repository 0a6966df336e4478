// Devices that nobody knows are remembered with their last readings, so that an administrator can adopt them.
import type { Tx } from '../../platform/db/database.ts';
import { MOST_NEW_A_MINUTE, rememberDevices } from '../equipment/devices.ts';
import { type HeardReading, keepReadings } from '../equipment/waiting-readings.ts';
import { type SortedPosts, UNKNOWN_DEVICE } from './sort-readings.ts';

const NOT_REMEMBERED = `${UNKNOWN_DEVICE}, and not remembered yet: ${MOST_NEW_A_MINUTE} new ones came within a minute`;

/** It waits to be adopted, or for the next minute: whoever sends it did nothing wrong. */
export const isWaiting = (reason: string): boolean => reason === UNKNOWN_DEVICE || reason === NOT_REMEMBERED;

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
      if (rejection.reason === UNKNOWN_DEVICE && places.has(`${post} ${rejection.index}`))
        rejection.reason = NOT_REMEMBERED;
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
