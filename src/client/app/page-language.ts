// The language of the page: its scripts say what they say in the same.
import { catalogues } from 'tocsin:languages';
import { english } from '../../domain/language/english.ts';
import { type Language, speak } from '../../domain/language/speak.ts';

/** Of a page, or of a browser: `de`, `de-CH`. */
export function speakAs(asked: string): Language {
  const tag = [asked, asked.split('-')[0] ?? ''].find((one) => Object.hasOwn(catalogues, one));
  const catalogue = tag === undefined || tag === 'en' ? undefined : catalogues[tag];
  return tag && catalogue ? speak(tag, catalogue, { language: english, report: () => {} }) : english;
}

export const pageLanguage = speakAs(globalThis.document?.documentElement.lang ?? '');
