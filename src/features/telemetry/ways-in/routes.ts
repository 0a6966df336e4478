import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { HttpServer } from '../../../platform/http/server.ts';
import { routeInflux } from './influx-routes.ts';
import { routeOtlp } from './otlp-routes.ts';
import { routePrometheus } from './prometheus-routes.ts';
import { openWays, type WayDeps } from './way-route.ts';
import { routeWebhooks } from './webhook-routes.ts';

/** Readings in the formats of others; docs/ways-in.md tells how each is connected. */
export function routeWaysIn(app: HttpServer, deps: WayDeps): void {
  app.register(async (room: FastifyInstance) => {
    // Every content type arrives here as it is, and is not read yet: each way tells them apart itself.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', async (_request: unknown, payload: Readable) => payload);
    room.decorateRequest('source', null);
    const route = openWays(room, deps);
    routeInflux(room, route);
    routeWebhooks(route);
    routePrometheus(route);
    routeOtlp(route);
  });
}
