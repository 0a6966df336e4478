import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MOST_ENTRIES, readTelemetry } from '../../domain/telemetry.ts';
import type { PostOutcome } from '../../engine/ingest.ts';
import type { SentPost } from '../../engine/sort-readings.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { findBearer } from '../../platform/http/caller.ts';
import { answerError, RETRY_AFTER_SECONDS } from '../../platform/http/errors.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { openInbox } from './inbox.ts';
import type { Source } from './queries.ts';
import { findBodyFault, readBody, TOO_LARGE } from './read-body.ts';
import type { Sources } from './sources.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose secret came with a post. */
    source: Source | null;
  }
}

const Answer = Type.Object({
  accepted: Type.Integer({ description: 'Readings stored, judged and visible in the alarms list' }),
  duplicates: Type.Integer({ description: 'Readings that were there already' }),
  rejected: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() })),
});

export interface TelemetryDeps {
  sources: Sources;
  /** Answers when the post is committed. */
  take(post: SentPost, size: number): Promise<PostOutcome>;
}

export function routeTelemetry(app: HttpServer, deps: TelemetryDeps): void {
  const { sources } = deps;
  app.register(async (room: FastifyInstance) => {
    const inbox = openInbox();
    // Every content type arrives here as it is, and is not read yet: this route tells them apart itself.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', async (_request: unknown, payload: Readable) => payload);
    room.decorateRequest('source', null);
    room.route({
      method: 'POST',
      url: '/api/v1/telemetry',
      config: { ignoresCredentials: true },
      schema: {
        summary: 'Hand in readings',
        description:
          'The token is the secret of a source. The body is one object or an array of {"device": key} or ' +
          '{"service_id": n}, with "time" (ISO 8601 or epoch milliseconds; now when left out) and "values" ' +
          '{"temperature": -71.2, "door": false}. May be gzipped. A retry of the same body changes nothing. ' +
          '503, with Retry-After, is our failure and none of the post: send it again later.',
        tags: ['Telemetry'],
        response: { 200: Answer, ...errors(400, 401, 413, 415, 422, 503) },
      },
      errorHandler: answerFailure,
      // Before anything is read: whoever has no secret costs no memory.
      onRequest: async (request, reply) => {
        const secret = findBearer(request);
        if (secret === null) return answerDetail(reply, 401, 'Authentication required');
        request.source = await sources.find(secret);
        if (!request.source) return answerDetail(reply, 401, 'Could not validate credentials');
        const fault = findBodyFault(request.headers);
        if (fault) return answerDetail(reply, fault.status, fault.detail);
      },
      handler: async (request, reply) => {
        const payload = (request.body as Readable | undefined) ?? Readable.from([]);
        const received = await inbox.receive(payload, (body) => takeBody(deps, request, reply, body));
        if (received === 'too_large') return answerDetail(reply, TOO_LARGE.status, TOO_LARGE.detail);
        if (received === 'no_room') return answerBusy(reply);
        return received;
      },
    });
  });
}

async function takeBody(
  { sources, take }: TelemetryDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: Buffer,
) {
  const body = await readBody(sent, request.headers);
  if (!('json' in body)) return answerDetail(reply, body.status, body.detail);
  const post = readTelemetry(body.json, request.now.getTime());
  if (post === 'too_many') return answerDetail(reply, 413, `A post may hold at most ${MOST_ENTRIES} entries`);
  if (post === 'not_a_post') return answerDetail(reply, 422, [NOT_A_POST]);

  const { sourceId, organizationId } = request.source as Source;
  const { entries, rejected } = post;
  const size = entries.reduce((sum, { values }) => sum + values.length, 0);
  const outcome = await take({ sourceId, organizationId, entries, rejected }, size);
  if (outcome !== 'unknown_source') return outcome;
  sources.forget(findBearer(request) ?? '');
  return answerDetail(reply, 401, 'Could not validate credentials');
}

function answerBusy(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  return answerDetail(reply, 503, 'Too much is being handed in at the moment: send this again later');
}

/** Whatever failed here: gateways keep what they have and send it again. */
function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.statusCode !== undefined && error.statusCode < 500) return answerError(error, request, reply);
  request.log.error({ err: error }, 'readings could not be stored');
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  return answerDetail(reply, 503, 'The readings could not be stored at the moment: send them again');
}

const NOT_A_POST = {
  type: 'object',
  loc: ['body', ''],
  msg: 'The body must be an object or an array of objects',
  input: null,
};
