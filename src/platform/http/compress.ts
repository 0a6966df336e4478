// Pages travel compressed: tables of alarms say the same words over and over.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** Below that it is not worth the while. */
const LEAST_CHARACTERS = 1024;

export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isPage || !isWhole || payload.length < LEAST_CHARACTERS) return payload;
    reply.header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return payload;
    reply.header('content-encoding', 'gzip');
    reply.removeHeader('content-length');
    return compress(payload);
  });
}
