// Network servers that post each message once and read no answer: it is 200 whatever was in it, and what was refused stands
// on the page of the source.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type PostFault, sayRejected } from '../../../domain/readings/telemetry.ts';
import { readChirpstack } from '../../../domain/ways-in/chirpstack.ts';
import type { WayPost } from '../../../domain/ways-in/gather-readings.ts';
import { readMapped } from '../../../domain/ways-in/mapping.ts';
import type { SourceSettings } from '../../../domain/ways-in/source-settings.ts';
import { readTts } from '../../../domain/ways-in/tts.ts';
import { answerDetail, errors } from '../../../platform/http/answers.ts';
import { sayWaiting, WAITING_FIELDS } from '../answers.ts';
import type { openWays } from './way-route.ts';

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

type ReadMessage = (
  body: Buffer,
  query: (name: string) => string,
  settings: SourceSettings,
  now: Date,
) => WayPost | Generator<void, WayPost | PostFault>;

interface Webhook {
  path: string;
  summary: string;
  read: ReadMessage;
}

const WEBHOOKS: Webhook[] = [
  {
    path: 'chirpstack',
    summary: 'Hand in events of ChirpStack',
    read(body, query, settings, now) {
      const event = query('event') || 'up';
      return readChirpstack(body.toString('utf8'), { event, settings, receivedAt: now.getTime() });
    },
  },
  {
    path: 'tts',
    summary: 'Hand in messages of The Things Stack',
    read(body, query, settings, now) {
      const device = query('device');
      return readTts(body.toString('utf8'), { device, settings, receivedAt: now.getTime() });
    },
  },
  {
    path: 'json',
    summary: 'Hand in any JSON, read by the mapping of its source',
    read: (body, _, settings, now) => readMapped(body, { settings, receivedAt: now.getTime() }),
  },
];

export function routeWebhooks(route: ReturnType<typeof openWays>): void {
  for (const { path, summary, read } of WEBHOOKS)
    route({
      url: `/api/v1/telemetry/${path}`,
      summary,
      description:
        'The token is the secret of a source, as bearer or as Basic password. 200 whatever the message holds, once its ' +
        'readings are stored and judged; what cannot be read is refused, and listed on the page of the source.',
      response: { 200: Answer, ...errors(400, 401, 413, 415, 503) },
      mostBytes: MOST_BYTES,
      findFault: ({ headers }) =>
        /octet-stream|protobuf/i.test(headers['content-type'] ?? '')
          ? [415, 'Choose JSON as the encoding of the payload']
          : null,
      read: (request) =>
        function* (body, { settings }, now) {
          const reading = read(body, (name) => findQuery(request, name), settings, now);
          return 'next' in reading ? yield* reading : reading;
        },
      sampleOf: (body) => body,
      isBodyKept: (request) => ['', 'up'].includes(findQuery(request, 'event')),
      answer: (reply, answer) => {
        const { accepted, duplicates, rejected } = answer;
        const body = { ...sayWaiting(answer), accepted, duplicates, rejected: sayRejected(rejected) };
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
      },
      answerFault: answerDetail,
    });
}

function findQuery({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
