// InfluxDB's own addresses, versions 1 and 2, below one base: what writes to InfluxDB can write to us, Telegraf for one.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { english } from '../../../domain/language/english.ts';
import { sayRefused } from '../../../domain/readings/refused.ts';
import { influx, readPrecision } from '../../../domain/ways-in/influx.ts';
import { BODY_LIMIT } from '../read-body.ts';
import type { RouteWay } from './way-route.ts';

const BASE = '/api/v1/telemetry/influx';

/** Clients of InfluxDB read `message` (version 1: `error`), those of ours `detail`. */
const Fault = Type.Object(
  { code: Type.String(), message: Type.String(), error: Type.String(), detail: Type.String() },
  { description: 'What went wrong' },
);

const CODES: Record<number, string> = {
  400: 'invalid',
  401: 'unauthorized',
  413: 'request too large',
  415: 'invalid',
  503: 'unavailable',
};

const answerFault = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply
    .code(status)
    .send({ code: CODES[status] ?? 'internal error', message: text, error: text, detail: text });

const precisionOf = (request: FastifyRequest) => {
  const { precision } = request.query as Record<string, unknown>;
  return readPrecision(typeof precision === 'string' ? precision : '');
};

export function routeInflux(route: RouteWay, room: FastifyInstance): void {
  for (const url of [`${BASE}/write`, `${BASE}/api/v2/write`])
    route({
      url,
      summary: 'Hand in readings as InfluxDB line protocol',
      description:
        'The secret of a source comes as token (Authorization: Token …), bearer, Basic password or p=. A line is of the ' +
        'device that its tag device names, else dev_eui, name or host; each field is a channel. May be gzipped. 204: all ' +
        'lines are stored and judged, or wait for their device to be adopted. 400: the message names the first bad line, ' +
        'and all good ones are stored. 503, with Retry-After, is our failure: send it again later.',
      response: {
        204: Type.Null({ description: 'Stored and judged' }),
        ...Object.fromEntries([400, 401, 413, 415, 503].map((status) => [status, Fault])),
      },
      mostBytes: BODY_LIMIT,
      findFault: (request) => (precisionOf(request) ? null : [400, 'precision must be ns, us, ms or s']),
      read: influx.read,
      besideOf: (request) => ({ precision: precisionOf(request) ?? { finer: 6 } }),
      sampleOf: lineOf,
      answer: (reply, { refused: [bad, ...more] }) => {
        if (!bad) return reply.code(204).send();
        const others = more.length > 0 ? ` (and ${more.length} more)` : '';
        return answerFault(reply, 400, `line ${bad.index + 1}: ${sayRefused(bad.why, english)}${others}`);
      },
      answerFault,
    });

  const asks = { config: { ignoresCredentials: true } };
  room.route({
    ...asks,
    method: 'GET',
    url: `${BASE}/ping`,
    schema: {
      summary: 'Whether somebody is there, as InfluxDB answers it',
      tags: ['Ways in'],
      response: { 204: Type.Null({ description: 'Somebody is there' }) },
    },
    handler: (_, reply) => reply.code(204).header('x-influxdb-version', 'tocsin').send(),
  });
  room.route({
    ...asks,
    method: 'GET',
    url: `${BASE}/health`,
    schema: {
      summary: 'Whether somebody is there, as InfluxDB 2 answers it',
      tags: ['Ways in'],
      response: {
        200: Type.Object(
          { name: Type.String(), status: Type.String(), message: Type.String() },
          { description: 'Somebody is there' },
        ),
      },
    },
    handler: () => ({ name: 'tocsin', status: 'pass', message: 'ready for writes' }),
  });
}

const LINE_END = 0x0a;

function lineOf(body: Buffer, index: number): Buffer {
  let from = 0;
  for (let line = 0; line < index; line += 1) {
    const end = body.indexOf(LINE_END, from);
    if (end < 0) return body.subarray(from);
    from = end + 1;
  }
  const end = body.indexOf(LINE_END, from);
  return body.subarray(from, end < 0 ? body.length : end);
}
