// Where passkeys work: at the host that everybody knows the service by, if that is a name and the way there is secure.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { RelyingParty } from '../../platform/auth/passkeys.ts';

export type NoPasskeys =
  | { reason: 'is_an_address'; host: string }
  | { reason: 'is_not_secure' }
  | { reason: 'is_elsewhere'; url: string };

/** A browser lets a page use the passkeys of its own host alone. */
export function findPasskeySite(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: URL | null,
): Result<RelyingParty, NoPasskeys> {
  const opened = URL.canParse(`${protocol}://${host}`) ? new URL(`${protocol}://${host}`) : null;
  const site = publicUrl ?? opened;
  if (!site || isAddress(site.hostname))
    return refuse({ reason: 'is_an_address', host: site?.hostname ?? '' });
  if (site.protocol !== 'https:' && !isThisMachine(site.hostname)) return refuse({ reason: 'is_not_secure' });
  if (publicUrl && opened?.hostname !== publicUrl.hostname)
    return refuse({ reason: 'is_elsewhere', url: publicUrl.origin });
  return ok({ id: site.hostname, origin: site.origin });
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

/** Browsers take it for secure. */
const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost');
