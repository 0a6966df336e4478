// Every route of the application with what it says about itself, heard as it is registered.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Schema } from '../../../src/features/api-docs/openapi-document.ts';

export interface Route {
  method: string;
  /** `/services/:service_id` */
  path: string;
  params: Schema;
  query: Schema;
  body: Schema;
  /** By status. */
  answers: Record<string, Schema & { content?: Record<string, { schema: Schema }> }>;
}

export async function hearRoutes<Value>(
  start: () => Promise<Value>,
): Promise<{ routes: Route[]; value: Value }> {
  const routes: Route[] = [];
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url, schema = {} }) => {
      for (const name of [method].flat())
        if (name !== 'HEAD' && !url.startsWith('/assets/'))
          routes.push({
            method: name,
            path: url,
            params: (schema.params ?? {}) as Schema,
            query: (schema.querystring ?? {}) as Schema,
            body: (schema.body ?? {}) as Schema,
            answers: (schema.response ?? {}) as Route['answers'],
          });
    });
  subscribe('fastify.initialization', listen);
  const value = await start();
  unsubscribe('fastify.initialization', listen);
  return { routes, value };
}
