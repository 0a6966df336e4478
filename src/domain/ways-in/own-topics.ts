// Our own topics: `tocsin/<device>` with values in JSON, `tocsin/<device>/<channel>` with a single one.

import type { Instant } from '../instant.ts';
import { findJsonFault, parseJson } from '../json/parse-json.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import { type PostFault, readTime } from '../readings/telemetry.ts';
import type { CommonSettings } from './common-settings.ts';
import { type Gathering, openGathering, type WayPost } from './gather-readings.ts';
import { addOnline, ONLINE } from './online.ts';
import { addAll, type JsonObject, objectAt, parseWord } from './webhook-body.ts';

/** Stops after each entry, so that others can be answered. */
export function* readOwnTopic(
  [device = '', channel, ...more]: readonly string[],
  text: string,
  { settings, receivedAt }: { settings: CommonSettings; receivedAt: Instant },
): Generator<void, WayPost | PostFault> {
  const gathering = openGathering(settings, receivedAt, 'device');
  if (more.length > 0)
    gathering.refuse(
      0,
      fault(message('topics are {one} or {other}'), {
        one: 'tocsin/<device>',
        other: 'tocsin/<device>/<channel>',
      }),
    );
  else if (channel === undefined) yield* addMeasured(gathering, device, text);
  else if (channel === ONLINE) addOnline(gathering, device, text);
  else if (gathering.begin({ index: 0, device, deviceAt: null, networkAt: null }))
    addAll(gathering, parseWord(text), channel);
  return gathering.findSurplus() ?? gathering.post;
}

/** One or a list of `{"temperature": -79.5}`, with a `time` if need be, or of `{"time": …, "values": {…}}`. */
function* addMeasured(gathering: Gathering, device: string, text: string): Generator<void, void> {
  const body = parseJson(text);
  if (body === undefined) gathering.refuse(0, findJsonFault(text));
  else if (!Array.isArray(body)) addOne(gathering, device, body, 0);
  else
    for (const [index, one] of body.entries()) {
      addOne(gathering, device, one, index);
      if (gathering.findSurplus()) return;
      yield;
    }
}

function addOne(gathering: Gathering, device: string, one: unknown, index: number): void {
  if (typeof one !== 'object' || one === null) {
    gathering.refuse(index, fault(message('must be an object of channels and numbers')));
    return;
  }
  const { time, ts } = objectAt(one);
  const said = time ?? ts ?? null;
  const deviceAt = said === null ? null : readTime(said);
  if (said !== null && deviceAt === null)
    gathering.refuse(index, fault(message('the time cannot be read; that of receipt was taken')));
  if (!gathering.begin({ index, device, deviceAt, networkAt: null })) return;
  const rest = withoutTime(objectAt(one));
  addAll(gathering, isWrapped(rest) ? rest.values : rest);
}

function withoutTime(said: JsonObject): JsonObject {
  if (!Object.hasOwn(said, 'time') && !Object.hasOwn(said, 'ts')) return said;
  const { time: _, ts: __, ...rest } = said;
  return rest;
}

const isWrapped = (rest: Record<string, unknown>): boolean =>
  Object.keys(rest).length === 1 && typeof rest.values === 'object' && rest.values !== null;
