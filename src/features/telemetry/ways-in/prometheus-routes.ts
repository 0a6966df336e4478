// Prometheus remote write, as its specifications 1.0 and 2.0 have it: a sender drops what was answered with 4xx, keeps what
// was answered with 5xx, and reads from the headers how much was written.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { english } from '../../../domain/language/english.ts';
import { sayRefused } from '../../../domain/readings/refused.ts';
import { prometheus, type RemoteWriteVersion } from '../../../domain/ways-in/prometheus.ts';
import { BODY_LIMIT } from '../read-body.ts';
import type { RouteWay } from './way-route.ts';

const VERSIONS: Record<string, RemoteWriteVersion> = {
  'prometheus.writerequest': 1,
  'io.prometheus.write.v2.request': 2,
};

/** null: it is something else. */
function versionOf({ headers }: FastifyRequest): RemoteWriteVersion | null {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-protobuf') return null;
  const proto = parameters.map((one) => one.trim()).find((one) => one.startsWith('proto='));
  return VERSIONS[proto?.slice('proto='.length).replaceAll('"', '') ?? 'prometheus.writerequest'] ?? null;
}

const Text = Type.String({ description: 'What went wrong' });

const answerFault = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`);

export function routePrometheus(route: RouteWay): void {
  route({
    url: '/api/v1/telemetry/prometheus',
    summary: 'Hand in readings as Prometheus remote write',
    description:
      'The token is the secret of a source, as bearer or as Basic password. Version 1.0 or 2.0 by content type, packed by ' +
      'snappy. Metrics that the settings of the source list are channels, of the device that the label device, dev_eui or ' +
      'instance names; others are left out. 204: all listed samples are stored and judged, or wait for their device to be ' +
      'adopted. 400: the text names the first bad series, and all good ones are stored. 503, with Retry-After, is our ' +
      'failure: send it again later.',
    response: {
      204: Type.Null({ description: 'Stored and judged' }),
      ...Object.fromEntries([400, 401, 413, 415, 503].map((status) => [status, Text])),
    },
    packing: 'snappy',
    mostBytes: BODY_LIMIT,
    findFault: (request) =>
      versionOf(request) ? null : [415, 'Content-Type must be that of Prometheus remote write 1.0 or 2.0'],
    read: prometheus.read,
    besideOf: (request) => ({ version: versionOf(request) ?? 1 }),
    sampleOf: () => Buffer.alloc(0),
    answer: (reply, { refused, counted }) => {
      const { samples = 0, histograms = 0, exemplars = 0 } = counted ?? {};
      // What is left out or was there already counts too: a sender takes 0 for a failure.
      reply.headers({
        'x-prometheus-remote-write-samples-written': samples,
        'x-prometheus-remote-write-histograms-written': histograms,
        'x-prometheus-remote-write-exemplars-written': exemplars,
      });
      const [bad, ...more] = refused;
      if (!bad) return reply.code(204).send();
      const others = more.length > 0 ? ` (and ${more.length} more)` : '';
      return answerFault(reply, 400, `series ${bad.index + 1}: ${sayRefused(bad.why, english)}${others}`);
    },
    answerFault,
  });
}
