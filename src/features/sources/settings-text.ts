// The settings of a source as people write them on its page: the same lines as in a lab file.
import { stringify } from 'yaml';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { hideKey } from '../../domain/ways-in/kept-key.ts';
import type { SettingsFault } from '../../domain/ways-in/read-settings.ts';
import { readSourceSettings, type SourceSettings } from '../../domain/ways-in/source-settings.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { findTwin, openDocuments } from '../../platform/yaml/open-documents.ts';

const BOUNDS = { mostCharacters: 20_000, mostPieces: 5_000 };

/** Refuses with a sentence for whoever wrote it. */
async function readSettingsText(text: string): Promise<Result<SourceSettings, string>> {
  const documents = await inSlices(openDocuments(text, BOUNDS));
  if (!documents.ok) return refuse(`These settings cannot be taken: ${documents.refusal.message}.`);
  const [document, further] = documents.value;
  const error = document?.errors[0];
  if (error) return refuse(`This cannot be read as YAML: ${error.message}.`);
  if (!document || further) return refuse('These are several documents: leave out the lines ---.');
  const twin = findTwin(document);
  if (twin !== null) return refuse(`${twin} is given twice.`);
  try {
    const settings = readSourceSettings(document.toJS({ maxAliasCount: 0 }));
    if (settings.ok) return settings;
    return refuse(`${sayFaults(settings.refusal)}.`);
  } catch {
    return refuse('Aliases (*) cannot be used here.');
  }
}

const MOST_SAID = 20;

function sayFaults(faults: readonly SettingsFault[]): string {
  const said = faults.slice(0, MOST_SAID).map(({ path, message }) => `${path} ${message}`.trim());
  const more = faults.length - said.length;
  return (more > 0 ? [...said, `and ${more} more`] : said).join('; ');
}

/** Without the clock and the codec, which have fields of their own. */
export function writeSettingsText({ clock: _, codec: __, ...settings }: SourceSettings): string {
  const shown = hideKey(settings);
  return Object.keys(shown).length === 0 ? '' : stringify(shown, { lineWidth: 0 });
}

/** What the form says: clock and codec from their fields, the rest as text. */
export async function readSettingsForm(
  form: Record<string, string | undefined>,
): Promise<Result<SourceSettings, string>> {
  const rest = await readSettingsText(form.settings ?? '');
  if (!rest.ok) return rest;
  const clock = form.clock ? { clock: form.clock } : {};
  const codec = form.codec?.trim() ? { codec: form.codec.replaceAll('\r\n', '\n') } : {};
  const all = readSourceSettings({ ...rest.value, ...clock, ...codec });
  if (all.ok) return ok(all.value);
  const [{ path, message } = { path: '', message: '' }] = all.refusal;
  return refuse(path === 'codec' ? `The codec ${message}.` : 'Choose one of the clocks.');
}
