import type { FastifyInstance } from 'fastify';
import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { limitConnections } from './limit-connections.ts';
import { writeAnswer } from './unread.ts';

const REFUSAL = writeAnswer('503 Service Unavailable', 'Too many connections at the moment: try again', [
  'Retry-After: 5',
]);
const SAID_EVERY_MS = 60_000;

/** As many as the configuration says; a proxy that is believed brings the connections of many. */
export function letIn(
  app: FastifyInstance,
  { config, clock, log }: { config: Pick<Config, 'connections' | 'tls'>; clock: Clock; log: Log },
): void {
  const proxies = new Set<string>();
  app.addHook('onRequest', async ({ ips, raw }) => {
    if (ips && ips.length > 1) proxies.add(bucketOf(raw.socket.remoteAddress ?? ''));
  });
  let saidAt = Number.NEGATIVE_INFINITY;
  limitConnections(app.server, {
    limits: config.connections,
    isProxy: (address) => proxies.has(address),
    refusal: config.tls ? null : REFUSAL,
    onCrowded() {
      const now = clock().getTime();
      if (Math.abs(now - saidAt) < SAID_EVERY_MS) return;
      saidAt = now;
      log.warn(config.connections, 'more connections than allowed: those that keep us waiting are ended');
    },
  });
}
