// OTLP over HTTP: the answer is in the encoding of the request, and says how many points were not taken. Senders keep what
// was answered with 503, and drop what was answered with anything else.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { english } from '../../../domain/language/english.ts';
import { sayRefused } from '../../../domain/readings/refused.ts';
import { type OtlpEncoding, otlp } from '../../../domain/ways-in/otlp.ts';
import { bytesField, wholeField, writeMessage } from '../../../domain/ways-in/write-protobuf.ts';
import { BODY_LIMIT } from '../read-body.ts';
import type { RouteWay } from './way-route.ts';

const TYPES: Record<OtlpEncoding, string> = { protobuf: 'application/x-protobuf', json: 'application/json' };

/** null: it is something else. */
function encodingOf({ headers }: FastifyRequest): OtlpEncoding | null {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === TYPES.protobuf) return 'protobuf';
  return type === TYPES.json ? 'json' : null;
}

/** Of google.rpc.Code. */
const CODES: Record<number, number> = { 400: 3, 401: 16, 413: 8, 415: 3, 503: 14 };

function answerFault(reply: FastifyReply, status: number, text: string): FastifyReply {
  const code = CODES[status] ?? 2;
  reply.code(status);
  if (encodingOf(reply.request) !== 'protobuf')
    return reply.type(TYPES.json).send(JSON.stringify({ code, message: text, detail: text }));
  const message = writeMessage(wholeField(1, code), bytesField(2, text));
  return reply.type(TYPES.protobuf).send(Buffer.from(message));
}

function answerTaken(reply: FastifyReply, rejected: number, text: string): FastifyReply {
  reply.code(200);
  if (encodingOf(reply.request) === 'json') {
    const partialSuccess = { rejectedDataPoints: String(rejected), errorMessage: text };
    return reply.type(TYPES.json).send(JSON.stringify(rejected > 0 ? { partialSuccess } : {}));
  }
  const partial = writeMessage(wholeField(1, rejected), bytesField(2, text));
  return reply
    .type(TYPES.protobuf)
    .send(Buffer.from(rejected > 0 ? bytesField(1, partial) : new Uint8Array()));
}

const Answer = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object({ rejectedDataPoints: Type.String(), errorMessage: Type.String() }),
    ),
  },
  { description: 'Stored and judged, but for the points that were rejected' },
);
const Status = Type.Object(
  { code: Type.Integer(), message: Type.String(), detail: Type.String() },
  { description: 'What went wrong' },
);

export function routeOtlp(route: RouteWay): void {
  route({
    url: '/api/v1/telemetry/otlp/v1/metrics',
    summary: 'Hand in metrics of OpenTelemetry',
    description:
      'OTLP over HTTP, in protocol buffers or JSON; the answer is in the same. The token is the secret of a source, as ' +
      'bearer or as Basic password. Gauges and sums are channels, of the device that the attribute device, device.id, ' +
      'host.name or service.name names. May be gzipped. 200 with a partial success says how many points were not taken, ' +
      'and why the first was not. 503, with Retry-After, is our failure: send it again later.',
    response: {
      200: Answer,
      ...Object.fromEntries([400, 401, 413, 415, 503].map((status) => [status, Status])),
    },
    mostBytes: BODY_LIMIT,
    findFault: (request) =>
      encodingOf(request) ? null : [415, 'Content-Type must be application/x-protobuf or application/json'],
    read: otlp.read,
    besideOf: (request) => ({ encoding: encodingOf(request) ?? 'protobuf' }),
    sampleOf: (body) => body,
    answer: (reply, { refused }) => {
      const [bad] = refused;
      return answerTaken(reply, refused.length, bad ? sayRefused(bad.why, english) : '');
    },
    answerFault,
  });
}
