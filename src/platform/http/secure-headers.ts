// What every answer tells browsers to refrain from. Written out once: a library would put them together for each request.
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { isInstallable } from '../installable.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
};

export interface HeaderSettings {
  tls: Config['tls'];
  publicUrl: () => URL | null;
}

/** Made anew only when the public address changes. */
export function openHeaders<Made>(
  { tls, publicUrl }: HeaderSettings,
  make: (headers: Record<string, string>) => Made,
): () => Made {
  let known: { of: URL | null; made: Made } | null = null;
  return () => {
    const url = publicUrl();
    if (known?.of !== url) known = { of: url, made: make(headersOf(tls, url)) };
    return known.made;
  };
}

function headersOf(tls: Config['tls'], publicUrl: URL | null): Record<string, string> {
  const isHttps = tls !== null || publicUrl?.protocol === 'https:';
  return {
    ...HEADERS,
    'content-security-policy': [
      ...POLICY,
      ...(isInstallable(publicUrl) ? ["manifest-src 'self'"] : []),
      ...(isHttps ? ['upgrade-insecure-requests'] : []),
    ].join(';'),
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

export function secureHeaders(app: Pick<FastifyInstance, 'addHook'>, settings: HeaderSettings): void {
  const headers = openHeaders(settings, (made) => made);
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers());
    next();
  });
}
