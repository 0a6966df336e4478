// Whether a device is reached: what it, its gateway or its last will says, as a state of its own.

import { parseJson } from '../json/parse-json.ts';
import type { Band } from '../judging/band.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import type { Gathering } from './gather-readings.ts';
import { objectAt } from './webhook-body.ts';

export const ONLINE = 'online';

/** Until somebody chooses others: a device that is away for a moment is no alarm. */
export const ONLINE_BANDS: Band[] = [
  { band: 'WARNING_LOW', limit: 0.5, delayMinutes: 0, sustainedMinutes: 10 },
];

/** Of one device, or with the key of another one behind it. */
export const isOnline = (channel: string): boolean => channel === ONLINE || channel.startsWith(`${ONLINE}@`);

const WORDS = new Map([
  ['1', true],
  ['true', true],
  ['online', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['offline', false],
  ['off', false],
]);

export function addOnline(gathering: Gathering, device: string, text: string): void {
  const isOnline = readOnline(text);
  if (isOnline === null) gathering.refuse(0, fault(message('must be 1 or 0, online or offline')));
  else if (gathering.begin({ index: 0, device, deviceAt: null, networkAt: null }))
    gathering.add(ONLINE, isOnline);
}

/** A word, or `{"state": "online"}`; null: neither. */
function readOnline(text: string): boolean | null {
  const word = text.trim().startsWith('{') ? objectAt(parseJson(text)).state : text;
  return WORDS.get(String(word).trim().toLowerCase()) ?? null;
}
