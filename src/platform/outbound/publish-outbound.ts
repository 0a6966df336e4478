// One message to an MQTT broker that somebody typed in, by a connection of its own. The same addresses are out of reach as
// for requests.
import { randomBytes } from 'node:crypto';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ok, type Result, refuse } from '../../domain/result.ts';
import {
  checkedLookup,
  findForbidden,
  forbidAddress,
  nameCause,
  type OutboundFailure,
  type OutboundSettings,
} from './request-outbound.ts';

export interface OutboundMessage {
  /** `mqtt://` or `mqtts://`. */
  url: URL;
  topic: string;
  body: string;
  /** The broker keeps it for whoever comes later. */
  isRetained: boolean;
  credentials: { user: string; password: string } | null;
}

export type PublishFailure = OutboundFailure | { kind: 'not_let_in' };

/** In the words of MQTT 3.1.1: refused because of who we are. */
const NOT_LET_IN = [4, 5];

/** Resolves when the broker has taken it (QoS 1), or to a failure for whatever may happen on the way. */
export async function publishOutbound(
  { url, topic, body, isRetained, credentials }: OutboundMessage,
  { allowPrivate, timeoutMs, resolve }: OutboundSettings,
  signal: AbortSignal,
): Promise<Result<null, PublishFailure>> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const forbidden = isIP(host) === 0 ? null : forbidAddress(host, allowPrivate);
  if (forbidden) return refuse(forbidden);
  const isSecure = url.protocol === 'mqtts:';
  const port = Number(url.port || (isSecure ? 8883 : 1883));
  const reach = { host, port, lookup: checkedLookup(resolve, allowPrivate) };
  // Loaded only where it is used.
  const { MqttClient } = (await import('mqtt')).default;
  const client = new MqttClient(
    () =>
      isSecure ? connectTls({ ...reach, ...(isIP(host) === 0 && { servername: host }) }) : connectTcp(reach),
    {
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: `tocsin-${randomBytes(8).toString('hex')}`,
      clean: true,
      reconnectPeriod: 0,
      // Ours comes first.
      connectTimeout: 2 * timeoutMs,
      keepalive: 30,
      ...(credentials && { username: credentials.user, password: credentials.password }),
    },
  );
  const ending = new AbortController();
  try {
    return await new Promise<Result<null, PublishFailure>>((settle) => {
      const timer = setTimeout(() => settle(refuse({ kind: 'timeout', afterMs: timeoutMs })), timeoutMs);
      const stop = () => settle(refuse({ kind: 'stopped' }));
      ending.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      });
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      client.on('error', (error) => settle(refuse(explain(error))));
      client.on('close', () => settle(refuse({ kind: 'unreachable', code: 'ECONNRESET' })));
      client.on('connect', () =>
        client.publish(topic, body, { qos: 1, retain: isRetained }, (error) =>
          settle(error ? refuse(explain(error)) : ok(null)),
        ),
      );
    });
  } finally {
    ending.abort();
    client.on('error', () => {});
    client.end(true);
  }
}

function explain(error: Error & { code?: unknown }): PublishFailure {
  const forbidden = findForbidden(error);
  if (forbidden) return forbidden;
  if (typeof error.code === 'number')
    return NOT_LET_IN.includes(error.code)
      ? { kind: 'not_let_in' }
      : { kind: 'unreachable', code: `MQTT ${error.code}` };
  return { kind: 'unreachable', code: nameCause(error) };
}
