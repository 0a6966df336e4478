/** For pages: the whole address is the secret in many cases. The last characters are enough to tell two of them apart. */
export function shortenAddress(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const rest = pathname + search;
  return `${protocol}//${host}/${rest.length > 12 ? `…${rest.slice(-4)}` : rest.length > 1 ? '…' : ''}`;
}
