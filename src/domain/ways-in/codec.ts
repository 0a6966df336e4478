// What the codec of a source makes of a payload, and what it is given.

import type { Instant } from '../instant.ts';
import { parseJson } from '../json/parse-json.ts';
import { message } from '../language/message.ts';
import { isStorable } from '../storable-text.ts';
import type { ReadSetting, SettingReaders } from './read-settings.ts';
import type { Uplink } from './undecoded.ts';
import { isFilled, type JsonObject, objectAt } from './webhook-body.ts';

export interface CodecSettings {
  /** Decodes payloads that came as they are. */
  codec?: string;
}

const LONGEST_CODEC = 64 * 1024;

const codec: ReadSetting = (value, path, faults) => {
  if (typeof value !== 'string' || value.trim() === '' || !isStorable(value))
    faults.push({ path, message: message('must be the text of a codec') });
  else if (new TextEncoder().encode(value).length > LONGEST_CODEC)
    faults.push({
      path,
      message: ({ say }) => say('may be at most {most} KB', { most: LONGEST_CODEC / 1024 }),
    });
};

export const CODEC_SETTINGS: SettingReaders<CodecSettings> = { codec };

export interface Decoded {
  /** Several measurements, if it says so. */
  payloads: JsonObject[];
  errors: string[];
}

const MOST_ERRORS = 10;
const LONGEST_ERROR = 200;

/** What the codec returned, as JSON. Names that were agreed on come before those of the device's maker. */
export function readDecoded(output: string): Decoded {
  const { data, normalized, errors } = objectAt(parseJson(output, tidy));
  const agreed = [normalized].flat().map(objectAt).filter(isFilled);
  return {
    payloads: agreed.length > 0 ? agreed : [data].flat().map(objectAt).filter(isFilled),
    errors: [errors ?? []]
      .flat()
      .slice(0, MOST_ERRORS)
      .map((error) =>
        String(typeof error === 'object' ? JSON.stringify(error) : error).slice(0, LONGEST_ERROR),
      ),
  };
}

/** More than any probe resolves, and less than what binary fractions leave behind. */
const KEPT_DIGITS = 12;

const tidy = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(KEPT_DIGITS)) : value;

/** Of a payload as text; radio carries 255 bytes. */
const LONGEST_PAYLOAD = 16 * 1024;

/** null: it is no base64, or too long. */
export function readBase64(text: unknown): number[] | null {
  if (typeof text !== 'string' || text.length > LONGEST_PAYLOAD) return null;
  try {
    return Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** null: it is no row of two digits for each byte, or too long. */
export function readHex(text: unknown): number[] | null {
  if (typeof text !== 'string' || text.length > LONGEST_PAYLOAD || !/^([0-9a-f]{2})*$/i.test(text))
    return null;
  return Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** Tags and attributes, as far as they are text. */
const readVariables = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectAt(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );

interface PassedOn {
  payload: unknown;
  fPort: unknown;
  recvTime: Instant;
  variables: unknown;
}

/** What a LoRaWAN network passes on as it came, for the codec of its source. null: there is none, or no payload. */
export function readUplink(
  { codec }: CodecSettings,
  { payload, fPort, recvTime, variables }: PassedOn,
): Uplink | null {
  const bytes = codec === undefined ? null : readBase64(payload);
  return bytes && { bytes, fPort: Number(fPort ?? 0), recvTime, variables: readVariables(variables) };
}
