/**
 * Made of the files in `languages/` by `bin/languages.mjs`, for the bundle as for tests. Each is read anew whenever it is asked for:
 * once, by whoever speaks it.
 */
declare module 'tocsin:languages' {
  export const catalogues: Record<string, import('./speak.ts').Translations>;
}
