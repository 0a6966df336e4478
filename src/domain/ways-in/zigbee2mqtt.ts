// Messages of Zigbee2MQTT: `zigbee2mqtt/<name>` and, below it, whether the device is reached.

import type { Instant } from '../instant.ts';
import { findJsonFault, parseJson } from '../json/parse-json.ts';
import { readTime } from '../readings/telemetry.ts';
import type { CommonSettings } from './common-settings.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import type { Announced } from './home-assistant.ts';
import { addOnline } from './online.ts';
import { addAll, objectAt } from './webhook-body.ts';

interface Zigbee2mqttRules {
  settings: CommonSettings;
  receivedAt: Instant;
  /** What the bridge said of the topic for Home Assistant. */
  announced?: readonly Announced[];
}

/** Names may hold slashes. What is sent to devices, and what the bridge says of itself, is no reading. */
export function readZigbee2mqtt(
  levels: readonly string[],
  text: string,
  { settings, receivedAt, announced = [] }: Zigbee2mqttRules,
): WayPost {
  const gathering = openGathering(settings, receivedAt, 'device');
  const last = levels.at(-1);
  if (levels[0] === 'bridge' || last === 'set' || last === 'get' || text === '') return gathering.post;
  if (last === 'availability') {
    addOnline(gathering, levels.slice(0, -1).join('/'), text);
    return gathering.post;
  }
  const body = parseJson(text);
  if (body === undefined) gathering.refuse(0, findJsonFault(text));
  const { last_seen: lastSeen, update: _, update_available: __, device: ___, ...values } = objectAt(body);
  const sent = {
    index: 0,
    device: levels.join('/'),
    deviceAt: readTime(lastSeen),
    networkAt: null,
    model: announced[0]?.about,
  };
  if (Object.keys(values).length > 0 && gathering.begin(sent)) addAll(gathering, values);
  return gathering.post;
}
