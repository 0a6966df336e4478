import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { SourceKind } from '../../../domain/ways-in/ways.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { routeInflux } from './influx-routes.ts';
import { routeOtlp } from './otlp-routes.ts';
import { routePrometheus } from './prometheus-routes.ts';
import { openWays, type RouteWay, type WayDeps } from './way-route.ts';
import { routeChirpstack, routeJson, routeTts } from './webhook-routes.ts';

/** Where each kind is heard. One without a line here does not compile; null: not over HTTP, or not in a format of others. */
const ROUTES: Record<SourceKind, ((route: RouteWay, room: FastifyInstance) => void) | null> = {
  tocsin: null,
  influx: routeInflux,
  chirpstack: routeChirpstack,
  tts: routeTts,
  json: routeJson,
  prometheus: routePrometheus,
  otlp: routeOtlp,
  mqtt: null,
};

/** Readings in the formats of others; docs/ways-in.md tells how each is connected. */
export function routeWaysIn(app: HttpServer, deps: WayDeps): void {
  app.register(async (room: FastifyInstance) => {
    // Every content type arrives here as it is, and is not read yet: each way tells them apart itself.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', async (_request: unknown, payload: Readable) => payload);
    room.decorateRequest('sender', null);
    const route = openWays(room, deps);
    for (const routeKind of Object.values(ROUTES)) routeKind?.(route, room);
  });
}
