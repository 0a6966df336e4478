/**
 * An address on this server to go to next, as path and query; null for anything that a browser could take elsewhere.
 * Not the HTTP interface: no sign-in should end in a logout.
 */
export function readOwnPath(text: string | undefined): string | null {
  // Browsers read a backslash as a slash, and drop tabs and line breaks.
  if (!text || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null;
  const base = 'http://own.invalid';
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  const isOwn = url.origin === base && !/^\/(\/|api(\/|$)|login$)/.test(url.pathname);
  return isOwn ? url.pathname + url.search : null;
}
