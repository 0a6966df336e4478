import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { HttpServer } from '../http/server.ts';
import { projectRoot } from '../project-root.ts';

/** One route per file of assets/: a path without a file stays as unknown as any other. */
export async function serveAssets(app: HttpServer): Promise<void> {
  await app.register(async (scope) => {
    // The plugin has no option for it, and a stale cookie must not cost a visitor the looks of the sign-in page.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ignoresCredentials: true };
    });
    await scope.register(fastifyStatic, {
      root: join(projectRoot, 'assets'),
      prefix: '/assets/',
      wildcard: false,
      maxAge: '1h',
    });
  });
}
