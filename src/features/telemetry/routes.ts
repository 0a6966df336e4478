import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MOST_ENTRIES, readTelemetry } from '../../domain/telemetry.ts';
import type { PostOutcome } from '../../engine/ingest.ts';
import type { SentPost } from '../../engine/sort-readings.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { findBearer } from '../../platform/http/caller.ts';
import { answerError, RETRY_AFTER_SECONDS } from '../../platform/http/errors.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { BODY_LIMIT, readBody } from './read-body.ts';
import type { Sources } from './sources.ts';

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

export function routeTelemetry(app: HttpServer, { sources, take }: TelemetryDeps): void {
  app.register(async (room: FastifyInstance) => {
    // Every content type arrives here as it is: this route tells them apart itself.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
    room.route({
      method: 'POST',
      url: '/api/v1/telemetry',
      bodyLimit: BODY_LIMIT,
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
      handler: async (request, reply) => {
        const secret = findBearer(request);
        if (secret === null) return answerDetail(reply, 401, 'Authentication required');
        const source = await sources.find(secret);
        if (!source) return answerDetail(reply, 401, 'Could not validate credentials');

        const body = await readBody((request.body as Buffer | undefined) ?? Buffer.alloc(0), request.headers);
        if (!('json' in body)) return answerDetail(reply, body.status, body.detail);
        const post = readTelemetry(body.json, request.now.getTime());
        if (post === 'too_many')
          return answerDetail(reply, 413, `A post may hold at most ${MOST_ENTRIES} entries`);
        if (post === 'not_a_post') return answerDetail(reply, 422, [NOT_A_POST]);

        const { sourceId, organizationId } = source;
        const { entries, rejected } = post;
        const size = entries.reduce((sum, { values }) => sum + values.length, 0);
        const outcome = await take({ sourceId, organizationId, entries, rejected }, size);
        if (outcome !== 'unknown_source') return outcome;
        sources.forget(secret);
        return answerDetail(reply, 401, 'Could not validate credentials');
      },
    });
  });
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
