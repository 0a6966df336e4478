// Addresses that lead back to the machine on which they are opened: good for whoever sits there, for nobody else.

import type { Language } from './language/speak.ts';

/** `host`: of an address, without a port; a name, or an address in brackets or without. */
function isOnlyHere(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === 'localhost.localdomain') return true;
  if (/^(127|0)\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)) return true;
  // Also as IPv6 writes an address of IPv4: ::ffff:127.0.0.1, which browsers turn into ::ffff:7f00:1.
  return name === '::1' || name === '::' || /^::ffff:(127\.|0\.|7f[0-9a-f]{2}:|0:)/.test(name);
}

/** What is wrong with what links begin with; null: nothing. */
export function findAddressTrouble(linkBase: string, { say }: Language): string | null {
  const { hostname } = new URL(linkBase);
  return isOnlyHere(hostname)
    ? say('Links begin with {linkBase}, which nobody can open on another machine', { linkBase })
    : null;
}
