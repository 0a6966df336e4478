import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MOST_ENTRIES, MOST_READINGS } from '../../domain/readings/telemetry.ts';
import type { PostAnswer } from '../../engine/ingest/sort-readings.ts';
import { findBearer } from '../../engine/requests/find-signed-in.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { isRequestsFault, RETRY_AFTER_SECONDS } from '../../platform/http/errors.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { openInbox } from './inbox.ts';
import type { Source } from './queries.ts';
import { findBodyFault, TOO_LARGE } from './read-body.ts';
import { MOST_ENTRY_BYTES } from './read-in-pieces.ts';
import type { Sources } from './sources.ts';
import { openDesk, type Take, type TakeFault } from './take-post.ts';

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
  rejected_omitted: Type.Optional(
    Type.Integer({ description: 'How many more were rejected than stand here; only if there are any' }),
  ),
});

export interface TelemetryDeps {
  sources: Sources;
  take: Take;
}

export function routeTelemetry(app: HttpServer, { sources, take }: TelemetryDeps): void {
  const takePost = openDesk(take);
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
          `At most ${MOST_ENTRIES} entries and ${MOST_READINGS} readings, 16 MiB unpacked. ` +
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
        const { headers, now } = request;
        const source = request.source as Source;
        const payload = (request.body as Readable | undefined) ?? Readable.from([]);
        const outcome = await inbox.receive(payload, (body) => takePost({ body, headers, source, now }));
        if (typeof outcome === 'object') return shorten(outcome);
        if (outcome === 'no_room') return answerBusy(reply);
        if (outcome !== 'unknown_source') return answerDetail(reply, ...FAULTS[outcome]);
        sources.forget(findBearer(request) ?? '');
        return answerDetail(reply, 401, 'Could not validate credentials');
      },
    });
  });
}

const MOST_REJECTED = 1_000;

/** In the order of the entries, and no more of them than anybody reads. */
function shorten({ accepted, duplicates, rejected }: PostAnswer) {
  const sorted = rejected.toSorted((one, other) => one.index - other.index);
  const omitted = sorted.length - MOST_REJECTED;
  if (omitted <= 0) return { accepted, duplicates, rejected: sorted };
  return { accepted, duplicates, rejected: sorted.slice(0, MOST_REJECTED), rejected_omitted: omitted };
}

const FAULTS: Record<TakeFault, [status: number, detail: string | object[]]> = {
  not_json: [400, 'The request body is not valid JSON'],
  too_large: [TOO_LARGE.status, TOO_LARGE.detail],
  entry_too_large: [413, `An entry may take at most ${MOST_ENTRY_BYTES / 1024} kB`],
  too_many: [413, `A post may hold at most ${MOST_ENTRIES} entries`],
  too_many_readings: [413, `A post may hold at most ${MOST_READINGS} readings`],
  not_a_post: [
    422,
    [
      {
        type: 'object',
        loc: ['body', ''],
        msg: 'The body must be an object or an array of objects',
        input: null,
      },
    ],
  ],
};

function answerBusy(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  return answerDetail(reply, 503, 'Too much is being handed in at the moment: send this again later');
}

/** Whatever failed here: gateways keep what they have and send it again. */
function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isRequestsFault(error)) throw error;
  request.log.error({ err: error }, 'readings could not be stored');
  reply.header('retry-after', RETRY_AFTER_SECONDS);
  return answerDetail(reply, 503, 'The readings could not be stored at the moment: send them again');
}
