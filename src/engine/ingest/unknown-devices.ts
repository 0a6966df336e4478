// Devices that nobody knows are remembered with their last readings, so that an administrator can adopt them.
import type { Tx } from '../../platform/db/database.ts';
import { rememberDevices } from '../equipment/devices.ts';
import { type HeardReading, keepReadings } from '../equipment/waiting-readings.ts';
import { type SortedPosts, UNKNOWN_DEVICE } from './sort-readings.ts';

/** Of one organization; anybody with the secret of a source can make up more. */
const MOST_UNKNOWN_DEVICES = 1_000;
const NOT_REMEMBERED = `${UNKNOWN_DEVICE}, and not remembered: ${MOST_UNKNOWN_DEVICES} others wait to be adopted`;

export async function rememberUnknown(tx: Tx, { unknown, answers }: SortedPosts, now: Date): Promise<void> {
  const devices = unknown.flatMap(({ organizationId, target }) =>
    'device' in target ? [{ organizationId, key: target.device }] : [],
  );
  if (devices.length === 0) return;
  const surplus = await rememberDevices(tx, devices, MOST_UNKNOWN_DEVICES, now);
  const [{ organizationId }] = unknown as [SortedPosts['unknown'][number]];
  const readings = unknown.flatMap(listReadings);
  if (readings.length > 0) tx.later(keepReadings(organizationId, readings, now));
  if (surplus.length === 0) return;
  const nameOf = ({ organizationId, key }: (typeof devices)[number]) =>
    `${organizationId} ${key.toLowerCase()}`;
  const names = new Set(surplus.map(nameOf));
  const places = new Set(
    unknown
      .filter(
        ({ organizationId, target }) =>
          'device' in target && names.has(nameOf({ organizationId, key: target.device })),
      )
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
