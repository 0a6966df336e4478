import type { Plugin as BundlePlugin } from 'esbuild';
import type { Plugin as TestPlugin } from 'vitest/config';
import type { Compiled } from '../src/domain/language/speak.ts';

/** `description` begins with the context in brackets, where there is one. */
export interface Entry {
  defaultMessage: string;
  description?: string;
}
/** By id. */
export type Entries = Record<string, Entry>;

export function readCatalogue(name: string): Entries;
export function keyOf(entry: Entry): string;
export function compile(message: string): Compiled;
export function listTranslations(): string[];
export function isOffered(english: Entries, translations: Entries): boolean;
export function compileEnglish(catalogue: Entries): Record<string, Compiled>;
export function compileTranslations(english: Entries, translations: Entries): (Compiled | null)[];
export const languagesOfBundle: BundlePlugin;
export const languagesOfTests: TestPlugin;
