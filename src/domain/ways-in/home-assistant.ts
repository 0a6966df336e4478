// Discovery of Home Assistant: what devices announce under `homeassistant/…/config` says under which topics their values
// come, and what they are.

import type { Instant } from '../instant.ts';
import { parseJson } from '../json/parse-json.ts';
import { message } from '../language/message.ts';
import { LONGEST_NAME } from '../names.ts';
import { fault, type Refused } from '../readings/refused.ts';
import type { CommonSettings } from './common-settings.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import { addOnline } from './online.ts';
import { readTemplate } from './value-template.ts';
import { type JsonObject, objectAt, parseWord } from './webhook-body.ts';

/** What comes under one topic. */
export interface Announced {
  topic: string;
  device: string;
  /** What people call the device; null: nobody says so. */
  name: string | null;
  /** Its name, its maker and what it is, as far as it says so. */
  about: string | null;
  /** null: whether the device is reached. */
  channel: string | null;
  /** Where in the JSON it stands; empty: it is all there is. */
  path: string[];
  unit: string | null;
  /** The words for both states, where they are not the usual ones. */
  on: string | null;
  off: string | null;
  /** After how long without a value it counts as unknown there; null: never. */
  expireAfterSeconds: number | null;
}

interface Discovery {
  announced: Announced[];
  /** What was not understood. */
  faults: Refused[];
}

export const isDiscovery = (topic: string): boolean =>
  /^homeassistant\/[^/]+\/([^/]+\/)?[^/]+\/config$/.test(topic);

/** Whatever else stands there says nothing here. */
const LONG_NAMES: Record<string, string> = {
  '~': '~',
  name: 'name',
  stat_t: 'state_topic',
  val_tpl: 'value_template',
  unit_of_meas: 'unit_of_measurement',
  dev: 'device',
  exp_aft: 'expire_after',
  ids: 'identifiers',
  mdl: 'model',
  mf: 'manufacturer',
  cns: 'connections',
  cmps: 'components',
  p: 'platform',
  pl_on: 'payload_on',
  pl_off: 'payload_off',
  avty: 'availability',
  avty_t: 'availability_topic',
  avty_tpl: 'availability_template',
  pl_avail: 'payload_available',
  pl_not_avail: 'payload_not_available',
  t: 'topic',
};
const SPELLINGS = Object.entries(LONG_NAMES);
const READ = ['sensor', 'binary_sensor'];
export const LONGEST_ANNOUNCEMENT = 64 * 1024;
const MOST_PARTS = 100;
/** Topics that say whether a part is reached. */
const MOST_AVAILABILITIES = 5;

/** An empty text takes back what was announced. */
export function readDiscovery(topic: string, text: string): Discovery {
  const found: Discovery = { announced: [], faults: [] };
  if (text === '') return found;
  if (text.length > LONGEST_ANNOUNCEMENT)
    return {
      ...found,
      faults: [
        fault(message('an announcement may take at most {most} kB'), { most: LONGEST_ANNOUNCEMENT / 1024 }),
      ],
    };
  const body = parseJson(text);
  if (body === undefined) return { ...found, faults: [fault(message('an announcement is not valid JSON'))] };
  const [, component = '', ...levels] = topic.split('/');
  const object = levels.at(-2) ?? '';
  const all = spellOut(body);
  const components = Object.entries(objectAt(all.components));
  if (component === 'device' && components.length > MOST_PARTS)
    return {
      ...found,
      faults: [fault(message('an announcement may describe at most {most} parts'), { most: MOST_PARTS })],
    };
  const parts: [string, JsonObject][] =
    component === 'device'
      ? components.map(([name, part]) => [name, { ...all, ...spellOut(part) }])
      : [[object, { ...all, platform: component }]];
  const usual = levels.length > 2 ? (levels[0] ?? object) : object;
  const device = readDevice(spellOut(all.device), usual);
  for (const [name, part] of parts)
    if (READ.includes(String(part.platform))) readPart({ name, part, device, found });
  return found;
}

function readPart({
  name,
  part,
  device,
  found,
}: {
  name: string;
  part: JsonObject;
  device: Pick<Announced, 'device' | 'name' | 'about'>;
  found: Discovery;
}): void {
  const base = text(part['~']) ?? '';
  const topicAt = (value: unknown) => text(value)?.replace(/^~|~$/, base) ?? null;
  const stateTopic = topicAt(part.state_topic);
  const template = text(part.value_template);
  const path = placeBy(template);
  if (path === null)
    found.faults.push(
      fault(message('a template is not understood: {template}'), {
        template: template?.slice(0, LONGEST_NAME) ?? '',
      }),
    );
  else if (stateTopic !== null)
    found.announced.push({
      ...device,
      topic: stateTopic,
      channel: name,
      path,
      unit: text(part.unit_of_measurement),
      on: text(part.payload_on),
      off: text(part.payload_off),
      expireAfterSeconds: secondsAt(part.expire_after),
    });
  const reached = [
    ...listOf(part.availability).slice(0, MOST_AVAILABILITIES).map(spellOut),
    { topic: part.availability_topic, value_template: part.availability_template, ...payloadsOf(part) },
  ];
  for (const one of reached) {
    const topic = topicAt(one.topic);
    const place = placeBy(text(one.value_template));
    if (topic === null || place === null) continue;
    const [on, off] = [text(one.payload_available), text(one.payload_not_available)];
    found.announced.push({
      ...device,
      topic,
      channel: null,
      path: place,
      unit: null,
      on,
      off,
      expireAfterSeconds: null,
    });
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const secondsAt = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);

interface AnnouncedDevice {
  /** How often it means to report: twice as long makes a service stale. null: nothing announced says so. */
  intervalMinutes: number | null;
  name: string | null;
}

/** Stops after each announcement, so that others can be answered. */
export function* findAnnouncedDevice(
  announcements: readonly { topic: string; body: string }[],
  device: string,
): Generator<void, AnnouncedDevice> {
  const key = device.toLowerCase();
  const own: Announced[] = [];
  for (const { topic, body } of announcements) {
    for (const one of readDiscovery(topic, body).announced)
      if (one.device.toLowerCase() === key || one.topic.toLowerCase() === `zigbee2mqtt/${key}`) own.push(one);
    yield;
  }
  const spans = own.flatMap(({ expireAfterSeconds }) => expireAfterSeconds ?? []);
  return {
    intervalMinutes:
      spans.length === 0
        ? null
        : Math.max(1, Math.round(spans.reduce((one, other) => Math.min(one, other)) / 120)),
    name: own.find(({ name }) => name !== null)?.name ?? null,
  };
}

const payloadsOf = ({ payload_available, payload_not_available }: JsonObject): JsonObject => ({
  payload_available,
  payload_not_available,
});

/** Without one the value is all there is. */
const placeBy = (template: string | null): string[] | null =>
  template === null ? [] : readTemplate(template);

/** Known by what it is called for good. */
function readDevice(
  { identifiers, connections, name, manufacturer, model }: JsonObject,
  usual: string,
): Pick<Announced, 'device' | 'name' | 'about'> {
  const called = text(name);
  const made = [manufacturer, model].flatMap((word) => text(word) ?? []).join(' ');
  const about = [called, made].filter((word) => word).join(', ');
  return {
    device: text([identifiers].flat()[0]) ?? text([connections].flat(2)[1]) ?? called ?? usual,
    name: called,
    about: about === '' ? null : about.slice(0, LONGEST_NAME).toWellFormed(),
  };
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

function spellOut(value: unknown): JsonObject {
  const said = objectAt(value);
  const spelt: JsonObject = {};
  for (const [short, long] of SPELLINGS) {
    const name = Object.hasOwn(said, long) ? long : short;
    if (Object.hasOwn(said, name)) spelt[long] = said[name];
  }
  return spelt;
}

/** What came under a topic that somebody has announced. */
export function readAnnounced(
  announced: readonly Announced[],
  sent: string,
  { settings, receivedAt }: { settings: CommonSettings; receivedAt: Instant },
): WayPost {
  const gathering = openGathering(settings, receivedAt, 'device');
  const body = parseWord(sent);
  let current: string | null = null;
  for (const { device, about, channel, path, unit, on, off } of announced) {
    const value = path.reduce((at, step) => objectOrListAt(at)[step], body);
    const isOn = on !== null && String(value) === on;
    const state = isOn || (off !== null && String(value) === off) ? isOn : null;
    if (channel === null) {
      addOnline(gathering, device, String(state ?? value));
      current = null;
      continue;
    }
    if (value === undefined) continue;
    const sent = { index: 0, device, deviceAt: null, networkAt: null, model: about };
    if (current !== device && !gathering.begin(sent)) continue;
    current = device;
    gathering.add(channel, state ?? value, unit ?? undefined);
  }
  return gathering.post;
}

const objectOrListAt = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
