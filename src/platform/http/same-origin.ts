export interface OriginHeaders {
  'sec-fetch-site'?: string | undefined;
  origin?: string | undefined;
  host?: string | undefined;
}

/**
 * Whether a browser says that another site made it send this request. Its cookie then counts for nothing.
 * A sibling host (`same-site`) may belong to somebody else, so it counts as another site too.
 */
export function isFromAnotherSite(headers: OriginHeaders, publicUrl: URL | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { host } = new URL(origin);
  return host !== headers.host?.toLowerCase() && host !== publicUrl?.host;
}
