// What an administrator says about a source, in pages and in the lab file alike. Its secret is good for every way in, and so
// are its settings: each reader finds its own among them.
import { message } from '../language/message.ts';
import { ok, type Result, refuse } from '../result.ts';
import { COMMON_SETTINGS, type CommonSettings } from './common-settings.ts';
import { isObject, noSetting, type SettingReaders, type SettingsFault } from './read-settings.ts';
import type { WayOfOthers } from './way-in.ts';
import { type SourceKind, WAYS } from './ways.ts';

type Takes<Way> = Way extends WayOfOthers<infer Own, infer _> ? (own: Own) => void : never;
type OfAllWays = Takes<(typeof WAYS)[SourceKind]> extends (own: infer All) => void ? All : never;

/** In the words of the lab file. All of it may be left out. */
export type SourceSettings = CommonSettings & OfAllWays;

const READERS: SettingReaders<SourceSettings> = Object.assign(
  { ...COMMON_SETTINGS },
  ...Object.values(WAYS).map(({ settings }) => settings),
);

export function readSourceSettings(given: unknown): Result<SourceSettings, SettingsFault[]> {
  if (given === null || given === undefined) return ok({});
  if (!isObject(given)) return refuse([{ path: '', message: message('must be a mapping') }]);
  const faults: SettingsFault[] = [];
  for (const [key, value] of Object.entries(given)) {
    const read = Object.hasOwn(READERS, key) ? READERS[key as keyof SourceSettings] : null;
    if (read) read(value, key, faults);
    else faults.push({ path: key, message: noSetting(Object.keys(READERS)) });
  }
  return faults.length > 0 ? refuse(faults) : ok(given as SourceSettings);
}
