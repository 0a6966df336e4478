import { h } from 'preact';
import { Type } from 'typebox';
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { formatInstant } from '../../domain/instant.ts';
import type { DeliverySettings } from '../../engine/delivery-settings/delivery-settings.ts';
import { FindingList } from '../../engine/pages/banner.tsx';
import { isAdministrator } from '../../engine/pages/page.tsx';
import { languageOf } from '../../engine/requests/language-of.ts';
import { answerFragment, renderFragment } from '../../platform/html/fragment.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { orNull, wordOf } from '../../platform/http/schemas.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { version } from '../../platform/project-root.ts';
import { describeDelivery } from './describe-delivery.ts';
import { keepByOrganizations } from './keep-by-organizations.ts';
import { keepReport } from './keep-report.ts';
import type { HealthDeps } from './report.ts';
import { selectSilent } from './silent-services.ts';
import { readUnreached } from './unreached-groups.ts';

const Liveness = Type.Object({
  status: Type.Literal('ok'),
  service: Type.String(),
  mode: Type.Literal('live'),
  version: Type.String(),
  started_at: Type.String({ format: 'date-time' }),
});

const Report = Type.Object({
  status: wordOf('healthy', 'degraded'),
  degraded: Type.Array(Type.String(), { description: 'The components that need attention' }),
  findings: Type.Array(
    Type.Object({
      name: Type.String(),
      component: Type.String(),
      severity: wordOf('critical', 'warning'),
      trouble: Type.String(),
      advice: Type.String(),
    }),
    { description: 'What the service finds wrong with itself, and what to do about it' },
  ),
  components: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
  services: orNull(
    Type.Array(
      Type.Object({
        organization: Type.String(),
        told_to_nobody: Type.Integer(),
        told_to_nobody_names: Type.Array(Type.String()),
        not_watched_yet: Type.Integer(),
        not_watched_yet_names: Type.Array(Type.String()),
      }),
      {
        description:
          'Of your organizations: services that tell nobody (no group, or everything switched off), and services without limits or readings; up to ten names each. null: the database does not say',
      },
    ),
  ),
  groups: orNull(
    Type.Array(
      Type.Object({
        organization_id: Type.Integer(),
        group: Type.String(),
        times: Type.Integer(),
        from: Type.String({ format: 'date-time' }),
        until: Type.String({ format: 'date-time' }),
      }),
      {
        description:
          'Of your organizations: groups that a service tells and that reach nobody within 15 minutes at some hour of the next week, how often, and the first time. Up to a minute old. null: it is not known yet',
      },
    ),
  ),
  delivery: Type.Object(
    {
      mail: wordOf('server', 'kept', 'unread'),
      links_begin_with: Type.String(),
      warnings: Type.Array(Type.String()),
    },
    {
      description:
        'How messages leave by the program that answers: by a mail server, not at all (kept), or it has not the key to say (unread); and what nobody else can reach',
    },
  ),
});

interface HealthRouteDeps extends HealthDeps {
  startedAt: Date;
  delivery: Pick<DeliverySettings, 'inForce'>;
  linkBase: () => string;
}

export function routeHealth(app: HttpServer, deps: HealthRouteDeps): void {
  const reportOf = keepReport(deps);
  const silentOf = keepByOrganizations(5_000, (ids) => selectSilent(deps.db, ids));
  const unreachedOf = keepByOrganizations(60_000, (ids, now) => readUnreached(deps.db, ids, now));
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
    config: { isForBadTimes: true },
    schema: {
      summary: 'A report on every component, up to five seconds old',
      tags: ['Health'],
      response: { 200: Report, ...errors(401) },
    },
    handler: async (request, reply) => {
      if (!request.signedIn && !request.isVouchedFor)
        return answerDetail(reply, 401, 'Authentication required');
      const { signedIn, now } = request;
      const ids = signedIn && organizationIdsOf(signedIn);
      const [report, services, groups] = await Promise.all([
        reportOf(now),
        ids && silentOf(ids, now),
        ids && unreachedOf(ids, now),
      ]);
      return {
        ...report,
        services,
        groups,
        delivery: describeDelivery(deps.delivery.inForce(), deps.linkBase()),
      };
    },
  });

  // What the pages' script asks for again and again; quietly nothing for those who have no banner.
  app.route({
    method: 'GET',
    url: '/banner',
    config: { isPage: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { signedIn } = request;
      reply.header('cache-control', 'no-store');
      if (!signedIn || !isAdministrator(signedIn)) return reply.code(204).send();
      const list = h(FindingList, { findings: app.findings() });
      return answerFragment(reply, renderFragment(list, languageOf(request)));
    },
  });
}
