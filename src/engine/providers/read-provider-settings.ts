// What the operator says of the services by which persons are told, beside mail: the YAML file that TOCSIN_CHANNELS names.
import { atOnce } from '../../domain/at-once.ts';
import { english } from '../../domain/language/english.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import { findTwin, openDocuments } from '../../platform/yaml/open-documents.ts';
import { NO_PROVIDERS, type ProviderSettings, SET_PROVIDERS } from './providers.ts';
import type { SetProvider } from './record/provider.ts';
import { asMap, type Given, GivenFault } from './record/read-given.ts';

const BOUNDS = { mostCharacters: 100_000, mostPieces: 30_000 };
const NO_YAML = 'is no YAML that can be read';

/** A sentence: what is wrong with it, without repeating a secret. */
export function readProviderSettings(text: string): ProviderSettings | string {
  const documents = atOnce(openDocuments(text, BOUNDS));
  if (!documents.ok) return `cannot be read: ${sayOne(documents.refusal.message, english)}`;
  const [document, further] = documents.value;
  try {
    if (!document || further || document.errors.length > 0 || findTwin(document) !== null) return NO_YAML;
    return toChannels(document.toJS());
  } catch (error) {
    return error instanceof GivenFault ? error.message : NO_YAML;
  }
}

function toChannels(given: unknown): ProviderSettings {
  const file = asMap(given ?? {}, 'It');
  const unknown = Object.keys(file).find((name) => !SET_PROVIDERS.some((known) => known.name === name));
  if (unknown !== undefined) throw new GivenFault(() => `knows no channel "${unknown}"`);
  const parts = SET_PROVIDERS.filter(({ name }) => file[name] !== undefined).map((provider) => ({
    provider,
    part: asMap(file[provider.name], provider.name),
  }));
  const read = parts.map(({ provider, part }) => [provider.name, provider.read(part)]);
  return { ...NO_PROVIDERS, ...Object.fromEntries(read) };
}

/** The same of one of them. */
export function readSettingsOf(
  { read }: Pick<SetProvider, 'read'>,
  given: Given,
): { settings: unknown } | GivenFault {
  try {
    return { settings: read(given) };
  } catch (error) {
    if (error instanceof GivenFault) return error;
    throw error;
  }
}
