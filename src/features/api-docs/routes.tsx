import swagger from '@fastify/swagger';
import { renderPage } from '../../platform/html/layout.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { version } from '../../platform/project-root.ts';
import { completeDocument } from './complete-document.ts';
import { describeOperations } from './describe-operations.ts';
import { describeSharedShapes } from './describe-schema.ts';
import type { ApiDocument, Tag } from './openapi-document.ts';
import { DocsPage } from './views.tsx';

/** In the order of the contract; those without a route are left out. */
const TAGS: Tag[] = [
  {
    name: 'Token and account',
    description: 'Sign in for a token, see whose it is, and revoke it.',
  },
  { name: 'Alarms', description: 'What is wrong right now, and who has taken it on.' },
  { name: 'Mute', description: 'Keep a service from notifying anyone until it is unmuted.' },
  {
    name: 'Downtimes',
    description: 'Planned windows in which a service is absent from the alarms and notifies nobody.',
  },
  { name: 'On call', description: 'Who is on call in each rota, and who is next.' },
  {
    name: 'Service settings',
    description: 'Limits, notification settings and recommended limits of a service.',
  },
  { name: 'Telemetry', description: 'Hand in readings with the secret of a source.' },
  { name: 'Ways in', description: 'Hand in readings in the formats of others.' },
  { name: 'Health', description: 'Is the program up, and is everything behind it well?' },
];

/** Comes before every other room: it listens to the routes that follow. */
export async function routeApiDocs(app: HttpServer, publicUrl: () => URL | null): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tocsin',
        version,
        description:
          'Alarm monitoring for laboratory equipment. Every error is a JSON object with the key `detail`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: TAGS,
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'From POST /api/v1/auth/token' },
        },
      },
      security: [{ token: [] }],
    },
    transformObject: (gathered) =>
      completeDocument((gathered as unknown as { openapiObject: ApiDocument }).openapiObject) as object,
  });

  const describe = () => {
    const url = publicUrl();
    return { ...app.swagger(), ...(url && { servers: [{ url: url.origin }] }) };
  };

  app.route({
    method: 'GET',
    url: '/api/v1/openapi.json',
    config: { ignoresCredentials: true },
    schema: { hide: true },
    handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(describe()),
  });

  let page: { of: URL | null; text: string } | undefined;
  app.route({
    method: 'GET',
    url: '/docs',
    config: { ignoresCredentials: true },
    schema: { hide: true },
    handler: async (_request, reply) => {
      if (page?.of !== publicUrl())
        page = { of: publicUrl(), text: renderDocs(describe() as unknown as ApiDocument) };
      return reply.type('text/html; charset=utf-8').send(page?.text);
    },
  });
}

const renderDocs = (document: ApiDocument): string =>
  renderPage(
    <DocsPage
      server={document.servers?.[0]?.url ?? 'https://tocsin.example'}
      sections={describeOperations(document)}
      shapes={describeSharedShapes(document)}
    />,
  );
