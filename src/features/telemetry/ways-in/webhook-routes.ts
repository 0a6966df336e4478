// Network servers that post each message once and read no answer: it is 200 whatever was in it, and what was refused stands
// on the page of the source.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sayRejected } from '../../../domain/readings/telemetry.ts';
import { chirpstack } from '../../../domain/ways-in/chirpstack.ts';
import { json } from '../../../domain/ways-in/mapping.ts';
import { tts } from '../../../domain/ways-in/tts.ts';
import { answerDetail, errors } from '../../../platform/http/answers.ts';
import { sayWaiting, WAITING_FIELDS } from '../answers.ts';
import type { RouteWay, WayRoute } from './way-route.ts';

const MOST_BYTES = 1024 * 1024;

const Answer = Type.Object(
  {
    ...WAITING_FIELDS,
    accepted: Type.Integer({ description: 'Readings stored, judged and visible in the alarms list' }),
    duplicates: Type.Integer({ description: 'Readings that were there already' }),
    rejected: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() })),
  },
  { description: 'Taken, as far as it could be read' },
);

interface Webhook<Beside> extends Pick<WayRoute<Beside>, 'summary' | 'read' | 'besideOf'> {
  path: string;
}

const routeWebhook = <Beside>(route: RouteWay, { path, ...webhook }: Webhook<Beside>): void =>
  route({
    ...webhook,
    url: `/api/v1/telemetry/${path}`,
    description:
      'The token is the secret of a source, as bearer or as Basic password. 200 whatever the message holds, once its ' +
      'readings are stored and judged; what cannot be read is refused, and listed on the page of the source.',
    response: { 200: Answer, ...errors(400, 401, 413, 415, 503) },
    mostBytes: MOST_BYTES,
    findFault: ({ headers }) =>
      /octet-stream|protobuf/i.test(headers['content-type'] ?? '')
        ? [415, 'Choose JSON as the encoding of the payload']
        : null,
    sampleOf: (body) => body,
    isBodyKept: (request) => ['', 'up'].includes(findQuery(request, 'event')),
    answer: (reply, answer) => {
      const { accepted, duplicates, rejected } = answer;
      const body = { ...sayWaiting(answer), accepted, duplicates, rejected: sayRejected(rejected) };
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
    answerFault: answerDetail,
  });

export const routeChirpstack = (route: RouteWay): void =>
  routeWebhook(route, {
    path: 'chirpstack',
    summary: 'Hand in events of ChirpStack',
    read: chirpstack.read,
    besideOf: (request) => ({ event: findQuery(request, 'event') || 'up' }),
  });

export const routeTts = (route: RouteWay): void =>
  routeWebhook(route, {
    path: 'tts',
    summary: 'Hand in messages of The Things Stack',
    read: tts.read,
    besideOf: (request) => ({ device: findQuery(request, 'device') }),
  });

export const routeJson = (route: RouteWay): void =>
  routeWebhook(route, {
    path: 'json',
    summary: 'Hand in any JSON, read by the mapping of its source',
    read: json.read,
    besideOf: () => ({}),
  });

function findQuery({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
