import { mkdirSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import { ASSETS_FOLDER, assetVersion } from '../html/asset-address.ts';
import type { HttpServer } from './server.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const AN_HOUR = 'public, max-age=3600';

/** One route per file: a path without a file stays as unknown as any other. */
export async function serveAssets(app: HttpServer): Promise<void> {
  mkdirSync(ASSETS_FOLDER, { recursive: true });
  await app.register(async (scope) => {
    // The plugin has no option for it, and a stale cookie must not cost a visitor the looks of the sign-in page.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ignoresCredentials: true };
    });
    scope.addHook('onSend', async (request, reply) => {
      if (reply.statusCode >= 400) return;
      const { v } = request.query as { v?: string };
      const name = request.routeOptions.url?.replace('/assets/', '') ?? '';
      // Whoever asks for another version than this program has is between two programs: what it gets must not stay.
      const isLasting = v !== undefined && v === assetVersion(name);
      reply.header('cache-control', isLasting ? FOREVER : AN_HOUR);
      reply.header('vary', 'accept-encoding');
    });
    await scope.register(fastifyStatic, {
      root: ASSETS_FOLDER,
      prefix: '/assets/',
      wildcard: false,
      cacheControl: false,
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz'],
    });
  });
}
