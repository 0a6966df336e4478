// The key of a storage is never shown: another word stands in its place, and means the key that is kept. It goes nowhere but where
// it was given for, or whoever may change an address could have the key of a colleague sent there.
import { message } from '../language/message.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { SourceSettings } from './source-settings.ts';

const KEPT = '(kept)';

// For translators: (kept) stands in the settings as it is, in every language
export const KEY_AGAIN = message(
  'This is another address of the storage than the key was given for. Write its key again in place of (kept).',
);

export const hideKey = (settings: SourceSettings): SourceSettings =>
  settings.storage ? { ...settings, storage: { ...settings.storage, key: KEPT } } : settings;

export function keepKey(
  settings: SourceSettings,
  { storage: before }: SourceSettings,
): Result<SourceSettings, 'key_again'> {
  const { storage } = settings;
  if (storage?.key !== KEPT) return ok(settings);
  if (!before || new URL(before.url).origin !== new URL(storage.url).origin) return refuse('key_again');
  return ok({ ...settings, storage: { ...storage, key: before.key } });
}
