// What settings of a source are read with: whatever is wrong is noted, with its place.
import { message } from '../language/message.ts';
import type { Sayable } from '../language/sayable.ts';
import { LONGEST_NAME } from '../names.ts';
import { isStorable } from '../storable-text.ts';

export interface SettingsFault {
  /** As in `units.temperature`. */
  path: string;
  /** What is wrong there; the lab file reads it in English. */
  message: Sayable;
}

export type ReadSetting = (value: unknown, path: string, faults: SettingsFault[]) => void;

/** One for each setting. */
export type SettingReaders<Settings> = { [Name in keyof Settings]-?: ReadSetting };

export const MOST_LISTED = 500;

export const text: ReadSetting = (value, path, faults) => {
  const isName =
    typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME && isStorable(value);
  if (!isName) faults.push({ path, message: message('must be a name') });
};
export const flag: ReadSetting = (value, path, faults) => {
  if (typeof value !== 'boolean') faults.push({ path, message: message('must be true or false') });
};
export const oneOf =
  (words: readonly string[]): ReadSetting =>
  (value, path, faults) => {
    if (!words.includes(value as string))
      faults.push({ path, message: ({ say }) => say('must be one of {words}', { words: words.join(', ') }) });
  };
export const names: ReadSetting = (value, path, faults) => {
  if (!Array.isArray(value) || value.length > MOST_LISTED)
    faults.push({ path, message: message('must be a list of channels') });
  else for (const [index, one] of value.entries()) text(one, `${path}[${index}]`, faults);
};
export const byChannel =
  (read: ReadSetting): ReadSetting =>
  (value, path, faults) => {
    if (!isObject(value) || Object.keys(value).length > MOST_LISTED)
      faults.push({ path, message: message('must be a mapping of channels') });
    else for (const [name, one] of Object.entries(value)) read(one, `${path}.${name}`, faults);
  };
export const readNumber: ReadSetting = (value, path, faults) => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    faults.push({ path, message: message('must be a number') });
};
export const numbers: ReadSetting = (value, path, faults) => {
  if (!Array.isArray(value) || value.length > MOST_LISTED)
    faults.push({ path, message: message('must be a list of numbers') });
  else for (const [index, one] of value.entries()) readNumber(one, `${path}[${index}]`, faults);
};

export const noSetting =
  (known: readonly string[]): Sayable =>
  ({ say }) =>
    say('is no setting: there are {known}', { known: known.join(', ') });

export function readObject(
  readers: Record<string, ReadSetting>,
  required: string[],
  value: unknown,
  path: string,
  faults: SettingsFault[],
): void {
  if (!isObject(value)) {
    faults.push({ path, message: message('must be a mapping') });
    return;
  }
  for (const key of required)
    if (!Object.hasOwn(value, key)) faults.push({ path: `${path}.${key}`, message: message('is missing') });
  for (const [key, inner] of Object.entries(value)) {
    const read = Object.hasOwn(readers, key) ? readers[key] : null;
    if (read) read(inner, `${path}.${key}`, faults);
    else
      faults.push({
        path: `${path}.${key}`,
        message: noSetting(Object.keys(readers)),
      });
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
