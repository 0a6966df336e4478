// The languages there are, each a file in `languages/`, and what they lack.
import { catalogues } from 'tocsin:languages';
import { english } from '../../domain/language/english.ts';
import { type Language, speak, type Translations } from '../../domain/language/speak.ts';

const missing = new Map<string, number>();

/** How often something was said in English because a language lacks it, by language. */
export const countMissing = (): ReadonlyMap<string, number> => missing;

const open = (tag: string, catalogue: Translations): Language =>
  speak(tag, catalogue, {
    language: english,
    report: () => void missing.set(tag, (missing.get(tag) ?? 0) + 1),
  });

/** null: nobody has read it yet. */
const spoken = new Map<string, Language | null>(
  Object.keys(catalogues).map((tag) => [tag, tag === english.tag ? english : null]),
);

export const allLanguages = (): Language[] => [...spoken.keys()].flatMap((tag) => findLanguage(tag) ?? []);

/** `en, de`: for the command line and the lab file. */
export const listTags = (): string => [...spoken.keys()].join(', ');

/** In which a native speaker has read what people read. Of any other, people are told where they choose it. */
export const readByNatives: readonly string[] = ['en'];

/** The first of those that were chosen and that there is; null: nobody has translated into any. */
export function findLanguage(...tags: readonly (string | null)[]): Language | null {
  const tag = tags.find((one): one is string => one !== null && spoken.has(one));
  return tag === undefined ? null : (spoken.get(tag) ?? addLanguage(tag, catalogues[tag] ?? {}));
}

export const languageFor = (...tags: readonly (string | null)[]): Language =>
  findLanguage(...tags) ?? english;

/** From its catalogue, or for one that is made up, such as that of a test. */
export function addLanguage(tag: string, catalogue: Translations): Language {
  const language = open(tag, catalogue);
  spoken.set(tag, language);
  return language;
}

/** From now on there are these. For tests, which leave others what they found. */
export function replaceLanguages(languages: readonly Language[]): void {
  spoken.clear();
  for (const language of languages) spoken.set(language.tag, language);
}

/** What somebody reads calls itself: `Deutsch`. */
export const nameOfLanguage = ({ tag }: Language): string => {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
};

/** No header asks for more that anybody means. */
const MOST_ASKED = 20;

/** Browsers write `pt-BR` and `pt-br`. */
const findAsked = (asked: string): Language | null =>
  findLanguage([...spoken.keys()].find((tag) => tag.toLowerCase() === asked) ?? null);

/** By what a browser asks for, `de-CH,de;q=0.9,en;q=0.8`; null: none of it. */
export function chooseLanguage(header: string | undefined): Language | null {
  const asked = (header ?? '')
    .slice(0, 500)
    .split(',')
    .slice(0, MOST_ASKED)
    .map((part) => {
      const [tag = '', ...rest] = part.trim().split(';');
      const quality = rest.map((one) => one.trim()).find((one) => one.startsWith('q='));
      return { tag: tag.trim().toLowerCase(), quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { tag } of asked) {
    const found = findAsked(tag) ?? findAsked(tag.split('-')[0] ?? '');
    if (found) return found;
  }
  return null;
}
