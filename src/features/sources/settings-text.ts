// The settings of a source as people write them on its page: the same lines as in a lab file.
import { stringify } from 'yaml';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { hideKey } from '../../domain/ways-in/kept-key.ts';
import type { SettingsFault } from '../../domain/ways-in/read-settings.ts';
import { readSourceSettings, type SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { findTwin, openDocuments } from '../../platform/yaml/open-documents.ts';

const BOUNDS = { mostCharacters: 20_000, mostPieces: 5_000 };

/** Refuses with a sentence for whoever wrote it. */
async function readSettingsText(text: string, language: Language): Promise<Result<SourceSettings, string>> {
  const { say } = language;
  const documents = await inSlices(openDocuments(text, BOUNDS));
  if (!documents.ok)
    return refuse(
      say('These settings cannot be taken: {fault}.', { fault: sayOne(documents.refusal.message, language) }),
    );
  const [document, further] = documents.value;
  const error = document?.errors[0];
  if (error) return refuse(say('This cannot be read as YAML: {fault}.', { fault: error.message }));
  if (!document || further) return refuse(say('These are several documents: leave out the lines ---.'));
  const twin = findTwin(document);
  if (twin !== null) return refuse(say('{key} is given twice.', { key: twin }));
  try {
    const settings = readSourceSettings(document.toJS({ maxAliasCount: 0 }));
    if (settings.ok) return settings;
    return refuse(say('{faults}.', { faults: sayFaults(settings.refusal, language) }));
  } catch {
    return refuse(say('Aliases (*) cannot be used here.'));
  }
}

const MOST_SAID = 20;

function sayFaults(faults: readonly SettingsFault[], language: Language): string {
  const { say } = language;
  const said = faults.slice(0, MOST_SAID).map(({ path, message }) => {
    const fault = sayOne(message, language);
    return path === '' ? fault : say('{path} {fault}', { path, fault });
  });
  const more = faults.length - said.length;
  return (more > 0 ? [...said, say('and {count} more', { count: more })] : said).join('; ');
}

/** Without the clock and the codec, which have fields of their own. */
export function writeSettingsText({ clock: _, codec: __, ...settings }: SourceSettings): string {
  const shown = hideKey(settings);
  return Object.keys(shown).length === 0 ? '' : stringify(shown, { lineWidth: 0 });
}

/** What the form says: clock and codec from their fields, the rest as text. */
export async function readSettingsForm(
  form: Record<string, string | undefined>,
  language: Language,
): Promise<Result<SourceSettings, string>> {
  const rest = await readSettingsText(form.settings ?? '', language);
  if (!rest.ok) return rest;
  const clock = form.clock ? { clock: form.clock } : {};
  const codec = form.codec?.trim() ? { codec: form.codec.replaceAll('\r\n', '\n') } : {};
  const all = readSourceSettings({ ...rest.value, ...clock, ...codec });
  if (all.ok) return ok(all.value);
  const [{ path, message } = { path: '', message: '' }] = all.refusal;
  return refuse(
    path === 'codec'
      ? language.say('The codec {fault}.', { fault: sayOne(message, language) })
      : language.say('Choose one of the clocks.'),
  );
}
