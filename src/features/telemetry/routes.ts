import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MOST_ENTRIES, MOST_READINGS } from '../../domain/readings/telemetry.ts';
import { findBearer } from '../../engine/requests/find-signed-in.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { isRequestsFault, RETRY_AFTER_SECONDS } from '../../platform/http/errors.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { answerOutcome, NOT_STORED, type TelemetryAnswer, WAITING_FIELDS, WORDS } from './answers.ts';
import type { Bodies } from './bodies.ts';
import type { HandIn } from './hand-in.ts';
import { findBodyFault } from './read-body.ts';
import { type ShortWay, TELEMETRY_PATH } from './short-way.ts';
import type { Sender, Sources } from './sources.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose secret came with a post. */
    sender: Sender | null;
  }
}

const Answer = Type.Object({
  ...WAITING_FIELDS,
  accepted: Type.Integer({ description: 'Readings stored, judged and visible in the alarms list' }),
  duplicates: Type.Integer({ description: 'Readings that were there already' }),
  rejected: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() })),
  rejected_omitted: Type.Optional(
    Type.Integer({ description: 'How many more were rejected than stand here; only if there are any' }),
  ),
});

export interface TelemetryDeps {
  sources: Sources;
  bodies: Bodies;
  handIn: HandIn;
  shortWay: ShortWay;
}

export function routeTelemetry(app: HttpServer, { sources, bodies, handIn, shortWay }: TelemetryDeps): void {
  app.addHook('preClose', async () => shortWay.close());
  app.register(async (room: FastifyInstance) => {
    // Every content type arrives here as it is, and is not read yet: this route tells them apart itself.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', async (_request: unknown, payload: Readable) => payload);
    room.decorateRequest('sender', null);
    room.route({
      method: 'POST',
      url: TELEMETRY_PATH,
      config: { ignoresCredentials: true },
      schema: {
        summary: 'Hand in readings',
        description:
          'The token is the secret of a source. The body is one object or an array of {"device": key} or ' +
          '{"service_id": n}, with "time" (ISO 8601 or epoch milliseconds; now when left out) and "values" ' +
          '{"temperature": -71.2, "door": false}. May be gzipped. A retry of the same body changes nothing. ' +
          `At most ${MOST_ENTRIES} entries and ${MOST_READINGS} readings, 16 MiB unpacked. ` +
          '503, with Retry-After, is our failure and none of the post: send it again later.',
        tags: ['Telemetry'],
        response: { 200: Answer, ...errors(400, 401, 413, 415, 422, 503) },
      },
      errorHandler: answerFailure,
      // Before anything is read: whoever has no secret costs no memory.
      onRequest: async (request, reply) => {
        const secret = findBearer(request);
        if (secret === null) return answerDetail(reply, 401, WORDS.noSecret);
        request.sender = await sources.find(secret);
        if (!request.sender) return answerDetail(reply, 401, WORDS.unknownSecret);
        const fault = findBodyFault(request.headers);
        if (fault) return answerDetail(reply, fault.status, fault.detail);
      },
      handler: async (request, reply) => {
        const { headers, now } = request;
        const sender = request.sender as Sender;
        const payload = (request.body as Readable | undefined) ?? Readable.from([]);
        const outcome = await bodies.receive(payload, sender.source.organizationId, (body) =>
          handIn(sender, { body, headers, now }),
        );
        if (typeof outcome === 'object') shortWay.know(request.raw, sender);
        return answer(reply, answerOutcome(outcome));
      },
    });
  });
}

function answer(reply: FastifyReply, { status, body, isForLater }: TelemetryAnswer): FastifyReply {
  if (isForLater) reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  // As text: what is written by a schema has what may be left out at its end, where nobody sees it.
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Whatever failed here: gateways keep what they have and send it again. */
function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isRequestsFault(error)) throw error;
  request.log.error({ err: error }, 'readings could not be stored');
  return answer(reply, NOT_STORED);
}
