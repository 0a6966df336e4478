declare module 'pg/lib/utils.js' {
  /** A value as the driver sends it: text, or bytes. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
