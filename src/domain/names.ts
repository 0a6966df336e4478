import type { Language } from './language/speak.ts';
import { ok, type Result, refuse } from './result.ts';

export type NameRefusal = 'no_name' | 'name_too_long';

/** Of people, groups, services, places, devices, channels. */
export const LONGEST_NAME = 200;

export const sayNameTooLong = ({ say }: Language): string =>
  say('Choose a name of at most {most} characters.', { most: LONGEST_NAME });

export function readName(typed: string | undefined): Result<string, NameRefusal> {
  const name = (typed ?? '').trim();
  if (name === '') return refuse('no_name');
  return [...name].length > LONGEST_NAME ? refuse('name_too_long') : ok(name);
}

/** null: nothing typed. */
export function readOptionalName(typed: string | undefined): Result<string | null, 'name_too_long'> {
  const name = readName(typed);
  if (name.ok) return name;
  return name.refusal === 'no_name' ? ok(null) : refuse(name.refusal);
}
