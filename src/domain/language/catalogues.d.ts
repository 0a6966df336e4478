/** Made of the files in `languages/` by `bin/languages.mjs`, for the bundle as for tests. */
declare module 'tocsin:languages' {
  export const catalogues: Record<string, import('./speak.ts').Translations>;
}
