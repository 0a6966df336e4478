// Messages of Shelly devices from the second generation on: `<prefix>/events/rpc`.

import type { Instant } from '../instant.ts';
import { findJsonFault, parseJson } from '../json/parse-json.ts';
import { readTime } from '../readings/telemetry.ts';
import type { CommonSettings } from './common-settings.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import { addAll, objectAt } from './webhook-body.ts';

const STATUSES = ['NotifyStatus', 'NotifyFullStatus'];
/** What the device says of itself. */
const OWN_AFFAIRS = /^(sys|wifi|eth|cloud|mqtt|ws|ble|bthome|knx|matter|modbus|script|ui)(:|$)/;
/** The number of a part, the same temperature once more, and times within. */
const NO_READINGS = /(^|\.)(id|tF|minute_ts|by_minute)(\.|$)/;

/** Channels are `temperature:100.tC`, `input:100.state`. The device is called by its prefix, as in `<prefix>/online`. */
export function readShelly(
  device: string,
  text: string,
  { settings, receivedAt }: { settings: CommonSettings; receivedAt: Instant },
): WayPost {
  const gathering = openGathering(settings, receivedAt, 'device');
  const body = parseJson(text);
  if (body === undefined) gathering.refuse(0, findJsonFault(text));
  const { method, params } = objectAt(body);
  const { ts, ...parts } = objectAt(params);
  if (!STATUSES.includes(method as string)) return gathering.post;
  const deviceAt = typeof ts === 'number' ? readTime(Math.round(ts * 1000)) : null;
  const measured = Object.entries(parts).filter(([part]) => !OWN_AFFAIRS.test(part));
  if (measured.length === 0 || !gathering.begin({ index: 0, device, deviceAt, networkAt: null }))
    return gathering.post;
  const readings = {
    ...gathering,
    add: (channel: string, value: unknown) => {
      if (!NO_READINGS.test(channel)) gathering.add(channel, value);
    },
  };
  for (const [part, status] of measured) addAll(readings, status, part);
  return gathering.post;
}
