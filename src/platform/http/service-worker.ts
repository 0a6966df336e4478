import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ASSETS_FOLDER } from '../html/asset-address.ts';
import type { HttpServer } from './server.ts';

/** At the root, for a worker sees the pages beside and below it; asked for anew every time, so that it can be replaced. */
export const serveWorker = (app: HttpServer): void =>
  void app.route({
    method: 'GET',
    url: '/worker.js',
    config: { ignoresCredentials: true },
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('text/javascript; charset=utf-8')
        .send(await readFile(join(ASSETS_FOLDER, 'service-worker.js'), 'utf8')),
  });
