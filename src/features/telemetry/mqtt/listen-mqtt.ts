// A receiver of MQTT for devices and bridges: it takes messages, and sends and keeps none.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { Log } from '../../../platform/log.ts';
import { StartError } from '../../../platform/start-error.ts';
import type { Sources } from '../sources.ts';
import { type Connection, serveConnection } from './connection.ts';
import { openDoor } from './door.ts';
import { openMessageRoom } from './message-room.ts';
import type { MqttMetrics } from './mqtt-metrics.ts';
import { nameClient, type TakeMessage } from './take-message.ts';
import { openWills } from './wills.ts';

interface ListenerDeps {
  config: Pick<Config, 'tls' | 'connections' | 'trustProxy'>;
  listen: { host: string; tlsPort: number | null; plainPort: number | null };
  sources: Sources;
  takeMessage: TakeMessage;
  ledger: SourceLedger;
  clock: Clock;
  log: Log;
  metrics: MqttMetrics | null;
}

export interface MqttListener {
  /** `mqtts://…` first, if both are there. */
  urls: string[];
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 500;
const HANDSHAKE_WITHIN_MS = 10_000;
const LEAVE_WITHIN_MS = 10_000;
const HANG_UP_WITHIN_MS = 1_000;
const SAID_EVERY_MS = 60_000;

export async function listenMqtt(deps: ListenerDeps): Promise<MqttListener> {
  const { config, listen, log, metrics, clock } = deps;
  const connections = new Set<Connection>();
  /** By source and name: who connects anew takes the place of its earlier connection. */
  const clients = new Map<string, Connection>();
  /** Those that were let in, each as whom. */
  const admitted = new Map<Connection, { name: string; sourceId: number }>();
  const wills = openWills(deps);
  const room = openMessageRoom();
  let saidAt = Number.NEGATIVE_INFINITY;
  const door = openDoor({
    ...config,
    onCrowded() {
      const now = clock().getTime();
      if (Math.abs(now - saidAt) < SAID_EVERY_MS) return;
      saidAt = now;
      log.warn(config.connections, 'more MQTT connections than allowed: some are refused');
    },
  });
  const mostPerSource = Math.ceil(config.connections.inAll / 2);

  const counts = new Map<number, number>();
  const countOf = (sourceId: number) => counts.get(sourceId) ?? 0;
  const count = (sourceId: number, change: 1 | -1) => {
    const sum = countOf(sourceId) + change;
    if (sum > 0) counts.set(sourceId, sum);
    else counts.delete(sourceId);
  };

  function serve(socket: Socket): void {
    const connection = serveConnection(socket, {
      ...deps,
      room,
      admit(one, greeted) {
        const { sourceId } = greeted.sender.source;
        const name = nameClient(greeted.sender);
        const earlier = clients.get(name);
        if (countOf(sourceId) >= mostPerSource && !earlier) return 'too_many';
        clients.set(name, one);
        wills.withdraw(name);
        earlier?.close('taken_over');
        admitted.set(one, { name, sourceId });
        count(sourceId, 1);
        door.know(socket);
        log.info({ sourceId, from: socket.remoteAddress }, 'an MQTT client connected');
        return null;
      },
      onClosed(one, { leavesWill }) {
        connections.delete(one);
        metrics?.countConnections(connections.size);
        const known = admitted.get(one);
        if (!known || !one.greeted) return;
        admitted.delete(one);
        count(known.sourceId, -1);
        const isLast = clients.get(known.name) === one;
        if (isLast) clients.delete(known.name);
        if (leavesWill && isLast) wills.leave(one.greeted, known.name);
      },
    });
    connections.add(connection);
    metrics?.countConnections(connections.size);
  }

  const servers: Server[] = [];
  const urls: string[] = [];
  const open = async (protocol: 'mqtt' | 'mqtts', server: Server, port: number) => {
    door.watch(server);
    servers.push(server);
    urls.push(`${protocol}://${await listenOn(server, listen.host, port)}`);
  };
  const { tlsPort, plainPort } = listen;
  if (tlsPort !== null) {
    const options = { ...config.tls, handshakeTimeout: HANDSHAKE_WITHIN_MS };
    const server = createTlsServer(options, serve).on('tlsClientError', (_, socket) => socket.destroy());
    await open('mqtts', server, tlsPort);
  }
  if (plainPort !== null) await open('mqtt', createServer(serve), plainPort);

  const looking = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.look(now);
  }, LOOK_EVERY_MS);
  looking.unref();

  return {
    urls,
    async close() {
      clearInterval(looking);
      const executed = wills.close();
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      const leaving = Promise.all([...[...connections].map((one) => one.leave()), executed]);
      await Promise.race([leaving, pause(LEAVE_WITHIN_MS, undefined, { ref: false })]);
      const gone = Promise.all(closed);
      await Promise.race([gone, pause(HANG_UP_WITHIN_MS, undefined, { ref: false })]);
      for (const connection of connections) connection.destroy();
      await gone;
    },
  };
}

async function listenOn(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  }).catch((error: Error) => {
    throw new StartError(`Cannot listen for MQTT on ${host}:${port}: ${error.message}`);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}
