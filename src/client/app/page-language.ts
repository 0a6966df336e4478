// The language of the page: its scripts say what they say in the same.
import { catalogues } from 'tocsin:languages';
import { english } from '../../domain/language/english.ts';
import { speak } from '../../domain/language/speak.ts';

const tag = globalThis.document?.documentElement.lang ?? '';
const catalogue = catalogues[tag];

export const pageLanguage =
  tag === 'en' || !catalogue ? english : speak(tag, catalogue, { language: english, report: () => {} });
