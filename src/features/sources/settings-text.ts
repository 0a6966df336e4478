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

/** Without the clock, which has a field of its own. */
export function writeSettingsText({ clock: _, ...settings }: SourceSettings): string {
  return Object.keys(settings).length === 0 ? '' : stringify(settings, { lineWidth: 0 });
}

/** What the form says: the clock from its field, the rest as text. */
export function readSettingsForm(form: Record<string, string | undefined>): Result<SourceSettings, string> {
  const rest = readSettingsText(form.settings ?? '');
  if (!rest.ok) return rest;
  const clock = form.clock ? { clock: form.clock } : {};
  const all = readSourceSettings({ ...rest.value, ...clock });
  return all.ok ? ok(all.value) : refuse('Choose one of the clocks.');
}
