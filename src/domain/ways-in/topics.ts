// A message of MQTT: its topic says who reads it.

import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import type { PostFault } from '../readings/telemetry.ts';
import { readChirpstack } from './chirpstack.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import { type Announced, readAnnounced } from './home-assistant.ts';
import { JSON_SETTINGS, type JsonSettings, readMapped } from './mapping.ts';
import { addOnline, ONLINE } from './online.ts';
import { readOwnTopic } from './own-topics.ts';
import { readShelly } from './shelly.ts';
import { readTts } from './tts.ts';
import type { WayOfOthers, WayRules } from './way-in.ts';
import { readZigbee2mqtt } from './zigbee2mqtt.ts';

export const mqtt: WayOfOthers<JsonSettings, TopicAddress> = {
  settings: JSON_SETTINGS,
  isRadio: false,
  read: (body, { topic, ...rest }, rules) => readTopic(topic, body, { ...rest, ...rules }),
  tryOut: (body, topic, rules) => readTopic(topic, body, rules),
};

interface TopicAddress extends WhatIsKnown {
  topic: string;
}

interface WhatIsKnown {
  /** A broker kept it for whoever comes: without a time of its own it says nothing of now, but whether a device is reached. */
  isRetained?: boolean;
  /** What devices have said of this topic. */
  announced?: readonly Announced[];
}

export const NO_READER = fault(
  message('nothing is known of this topic: the source has no mapping, and no device has announced it'),
);

/** A source that has a mapping reads everything by it, but our own topics. Stops where others may be answered. */
export function* readTopic(
  topic: string,
  body: Uint8Array,
  rules: WayRules<JsonSettings> & WhatIsKnown,
): Generator<void, WayPost | PostFault> {
  const post = yield* readFresh(topic, body, rules);
  return rules.isRetained && typeof post === 'object' ? leaveOutUndated(post) : post;
}

function leaveOutUndated(post: WayPost): WayPost {
  const undated = new Set(
    post.unsettled?.filter(({ heardAt }) => heardAt === undefined).map(({ entry }) => entry),
  );
  const entries = post.entries.flatMap((entry) => {
    if (!undated.has(entry)) return [entry];
    const values = entry.values.filter(([channel]) => channel === ONLINE);
    return values.length > 0 ? [{ ...entry, values, faults: [] }] : [];
  });
  return { ...post, entries };
}

const UTF8 = new TextDecoder('utf-8');

function* readFresh(
  topic: string,
  body: Uint8Array,
  rules: WayRules<JsonSettings> & WhatIsKnown,
): Generator<void, WayPost | PostFault> {
  const { settings, receivedAt, announced = [] } = rules;
  if (isMapped(topic, settings)) return yield* readMapped(body, { ...rules, topic });
  const text = UTF8.decode(body);
  const read = findReader(topic);
  if (read === OWN) return yield* readOwnTopic(topic.split('/').slice(1), text, rules);
  if (read) return read(text, rules);
  if (announced.length > 0) return readAnnounced(announced, text, rules);
  const gathering = openGathering(settings, receivedAt, 'device');
  const reached = /^(.+)\/online$/.exec(topic)?.[1];
  if (reached !== undefined) addOnline(gathering, reached, text);
  else gathering.refuse(0, NO_READER);
  return gathering.post;
}

/** Otherwise it is asked whether somebody has announced it. */
export const hasReader = (topic: string, settings: JsonSettings): boolean =>
  isMapped(topic, settings) || findReader(topic) !== null;

/** Also of one that is read anyway, it may be said what it is. */
export const mayBeAnnounced = (topic: string, settings: JsonSettings): boolean =>
  !hasReader(topic, settings) || (topic.startsWith('zigbee2mqtt/') && !settings.mapping);

const isMapped = (topic: string, { mapping }: JsonSettings): boolean =>
  mapping !== undefined && topic.split('/', 1)[0] !== OWN;

const OWN = 'tocsin';

type ReadText = (text: string, rules: WayRules<JsonSettings> & WhatIsKnown) => WayPost | PostFault;

function findReader(topic: string): ReadText | typeof OWN | null {
  const levels = topic.split('/');
  const [first, ...rest] = levels;
  if (first === OWN) return OWN;
  if (first === 'zigbee2mqtt') return (text, rules) => readZigbee2mqtt(rest, text, rules);
  if (first === 'application' && levels[2] === 'device' && levels[4] === 'event')
    return (text, rules) => readChirpstack(text, { ...rules, event: levels[5] ?? '' });
  if (first === 'v3' && levels[2] === 'devices')
    return (text, rules) => readTts(text, { ...rules, device: levels[3] ?? '' });
  const shelly = /^(.+)\/events\/rpc$/.exec(topic)?.[1];
  return shelly === undefined ? null : (text, rules) => readShelly(shelly, text, rules);
}
