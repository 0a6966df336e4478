// The settings of a source as people write them on its page: the same lines as in a lab file.
import { parseDocument, stringify } from 'yaml';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { readSourceSettings, type SourceSettings } from '../../domain/ways-in/source-settings.ts';

const LONGEST = 20_000;

/** Refuses with a sentence for whoever wrote it. */
function readSettingsText(text: string): Result<SourceSettings, string> {
  if (text.length > LONGEST) return refuse(`These are more than ${LONGEST} characters.`);
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
  const [error] = document.errors;
  if (error) return refuse(`This cannot be read as YAML: ${error.message}.`);
  try {
    const settings = readSourceSettings(document.toJS({ maxAliasCount: 0 }));
    if (settings.ok) return settings;
    return refuse(`${settings.refusal.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}.`);
  } catch {
    return refuse('Aliases (*) cannot be used here.');
  }
}

/** Without the clock and the codec, which have fields of their own. */
export function writeSettingsText({ clock: _, codec: __, ...settings }: SourceSettings): string {
  const shown = hideKey(settings);
  return Object.keys(shown).length === 0 ? '' : stringify(shown, { lineWidth: 0 });
}

/** Stands on pages in the place of a key, and means the one that is kept. */
const KEPT = '(kept)';

export const hideKey = (settings: SourceSettings): SourceSettings =>
  settings.storage ? { ...settings, storage: { ...settings.storage, key: KEPT } } : settings;

export const keepKey = (settings: SourceSettings, before: SourceSettings): SourceSettings =>
  settings.storage?.key === KEPT && before.storage
    ? { ...settings, storage: { ...settings.storage, key: before.storage.key } }
    : settings;

/** What the form says: clock and codec from their fields, the rest as text. */
export function readSettingsForm(form: Record<string, string | undefined>): Result<SourceSettings, string> {
  const rest = readSettingsText(form.settings ?? '');
  if (!rest.ok) return rest;
  const clock = form.clock ? { clock: form.clock } : {};
  const codec = form.codec?.trim() ? { codec: form.codec.replaceAll('\r\n', '\n') } : {};
  const all = readSourceSettings({ ...rest.value, ...clock, ...codec });
  if (all.ok) return ok(all.value);
  const [{ path, message } = { path: '', message: '' }] = all.refusal;
  return refuse(path === 'codec' ? `The codec ${message}.` : 'Choose one of the clocks.');
}
