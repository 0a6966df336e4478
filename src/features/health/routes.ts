import { Type } from 'typebox';
import { formatInstant } from '../../domain/instant.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { version } from '../../platform/project-root.ts';
import { type HealthDeps, reportHealth } from './report.ts';

const Liveness = Type.Object({
  status: Type.Literal('ok'),
  service: Type.String(),
  mode: Type.Literal('live'),
  version: Type.String(),
  started_at: Type.String({ format: 'date-time' }),
});

const Report = Type.Object({
  status: Type.Union([Type.Literal('healthy'), Type.Literal('degraded')]),
  degraded: Type.Array(Type.String(), { description: 'The components that need attention' }),
  components: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
});

export function routeHealth(app: HttpServer, deps: HealthDeps & { startedAt: Date }): void {
  app.route({
    method: 'GET',
    url: '/health',
    config: { ignoresCredentials: true },
    schema: { summary: 'Is the program up?', tags: ['Health'], security: [], response: { 200: Liveness } },
    handler: async () => ({
      status: 'ok' as const,
      service: 'tocsin',
      mode: 'live' as const,
      version,
      started_at: formatInstant(deps.startedAt),
    }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/health',
    config: { ignoresCredentials: true },
    schema: {
      summary: 'Does the web application answer?',
      tags: ['Health'],
      security: [],
      response: { 200: Type.Object({ status: Type.Literal('healthy') }) },
    },
    handler: async () => ({ status: 'healthy' as const }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/health/detailed',
    schema: {
      summary: 'A report on every component',
      tags: ['Health'],
      response: { 200: Report, ...errors(401, 500, 503) },
    },
    handler: async (request, reply) => {
      if (!request.caller) return answerDetail(reply, 401, 'Authentication required');
      return reportHealth(deps, request.now);
    },
  });
}
