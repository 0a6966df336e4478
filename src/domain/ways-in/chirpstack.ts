// Events of ChirpStack 4, as its HTTP integration posts them in JSON.
import type { Instant } from '../judging/judge.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import type { SourceSettings } from './source-settings.ts';
import { addAll, NOT_JSON, objectAt, parseJson, timeAt } from './webhook-body.ts';

/** `event` is what the address says. Joins, acknowledgements and the like carry no reading. */
export function readChirpstack(
  text: string,
  { event, settings, receivedAt }: { event: string; settings: SourceSettings; receivedAt: Instant },
): WayPost {
  const gathering = openGathering(settings, receivedAt, 'network');
  const body = parseJson(text);
  if (body === undefined) gathering.refuse(0, NOT_JSON);
  if (body === undefined || event !== 'up') return gathering.post;
  const { deviceInfo, object, time } = objectAt(body);
  const { devEui } = objectAt(deviceInfo);
  if (typeof devEui !== 'string') gathering.refuse(0, 'names no deviceInfo.devEui');
  else if (object === undefined || object === null)
    gathering.refuse(0, 'has no object: the device profile has no codec that decodes the payload');
  else if (
    gathering.begin({ index: 0, device: devEui.toLowerCase(), deviceAt: null, networkAt: timeAt(time) })
  )
    addAll(gathering, object);
  return gathering.post;
}
