// A listener for MQTT beside a test server, and clients that say exactly what a test wants to have said.
import { connect as connectSocket, type Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { generate, type Packet, parser } from 'mqtt-packet';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { startReceiving } from '../../src/features/telemetry/mqtt/receiving.ts';
import { type Config, readConfig } from '../../src/platform/config.ts';
import type { TestServer } from './test-server.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

export interface TestListener {
  url: string;
  port: number;
  stop(): Promise<void>;
}

export async function startMqtt(server: TestServer, overrides: Partial<Config> = {}): Promise<TestListener> {
  const log = pino({ level: 'debug' }, { write: (line: string) => void server.logLines.push(line) });
  const { tls } = overrides;
  const mqtt = { host: '127.0.0.1', plainPort: tls ? null : 0, tlsPort: tls ? 0 : null };
  const config = { ...readConfig({}), mqtt, ...overrides };
  const { db, road, clock } = server;
  const receiving = await startReceiving({ config, clock: clock.read, log, db, road, metrics: null });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await receiving.stop();
    isStopped = true;
  };
  whenFileIsDone(stop);
  const url = receiving.urls[0] ?? '';
  return { url, port: Number(new URL(url.replace(/^mqtts?:/, 'http:')).port), stop };
}

/** A client as devices have it. */
export async function connectMqtt(url: string, options: IClientOptions): Promise<MqttClient> {
  const client = await connectAsync(url, { username: 'any', reconnectPeriod: 0, ...options });
  client.on('error', () => {});
  onTestFinished(() => void client.end(true));
  return client;
}

export interface BareClient {
  socket: Socket;
  send(packet: Packet | Buffer): void;
  /** The packets that came, in order. */
  heard: Packet[];
  /** Waits for the next one of this kind that nobody has waited for. */
  next(cmd: Packet['cmd']): Promise<Packet>;
  closed: Promise<void>;
}

export async function openBareClient(port: number, protocolVersion: 3 | 4 | 5 = 4): Promise<BareClient> {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  const heard: Packet[] = [];
  const unread: Packet[] = [];
  const waiting: { cmd: string; resolve: (packet: Packet) => void }[] = [];
  const input = parser({ protocolVersion });
  input.on('packet', (packet) => {
    heard.push(packet);
    const index = waiting.findIndex(({ cmd }) => cmd === packet.cmd);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(packet);
    else unread.push(packet);
  });
  socket.on('data', (chunk) => void input.parse(chunk));
  return {
    socket,
    heard,
    send: (packet) =>
      void socket.write(Buffer.isBuffer(packet) ? packet : generate(packet, { protocolVersion })),
    next(cmd) {
      const index = unread.findIndex((packet) => packet.cmd === cmd);
      if (index >= 0) return Promise.resolve(unread.splice(index, 1)[0] as Packet);
      return new Promise((resolve) => waiting.push({ cmd, resolve }));
    },
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}

/** Connected, and let in. */
export async function greetAs(
  port: number,
  secret: string,
  { version = 4, ...packet }: { version?: 3 | 4 | 5 } & Partial<Extract<Packet, { cmd: 'connect' }>> = {},
): Promise<BareClient> {
  const client = await openBareClient(port, version);
  client.send({
    cmd: 'connect',
    protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
    protocolVersion: version,
    clean: true,
    clientId: 'probe',
    keepalive: 60,
    username: 'any',
    password: Buffer.from(secret),
    ...packet,
  });
  await client.next('connack');
  return client;
}
