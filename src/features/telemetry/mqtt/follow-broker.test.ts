// The client of the library, as it is installed, against a broker of a few lines: what we take from it by hand is still there.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'mqtt';
import { generate, type Packet, parser } from 'mqtt-packet';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLog } from '../../../platform/log.ts';
import type { Source } from '../queries.ts';
import { type Broker, type FollowDeps, followBroker } from './follow-broker.ts';

type Outcome = Awaited<ReturnType<FollowDeps['takeMessage']>>;

const BROKER = { name: 'lab', secret: 'secret', clientId: 'tocsin', topics: ['#'], version: 4, auth: null };

/** Greets whoever comes, and notes what it is sent. */
async function openBroker() {
  const heard: Packet[] = [];
  const clients: Socket[] = [];
  const server = createServer((socket) => {
    clients.push(socket);
    const input = parser({ protocolVersion: 4 });
    input.on('packet', (packet) => {
      heard.push(packet);
      if (packet.cmd === 'connect')
        socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
      if (packet.cmd === 'subscribe')
        socket.write(generate({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: [1] }));
    });
    socket.on('data', (chunk) => input.parse(chunk)).on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered: () => heard.flatMap((packet) => (packet.cmd === 'puback' ? [packet.messageId] : [])),
    isSubscribed: () => heard.some(({ cmd }) => cmd === 'subscribe'),
    publish(messageId: number) {
      const message = { cmd: 'publish', topic: 'lab/freezer', payload: Buffer.from('-80'), qos: 1 } as const;
      clients[0]?.write(generate({ ...message, messageId, retain: false, dup: false }));
    },
    close() {
      for (const socket of clients) socket.destroy();
      server.close();
    },
  };
}

test('a message is answered when it is taken, and not before those that came before it', async () => {
  const broker = await openBroker();
  const takes: ((outcome: Outcome) => void)[] = [];
  const sender = { secret: '', source: {} as Source };
  const following = followBroker({ ...BROKER, url: broker.url, ca: null, cert: null, key: null } as Broker, {
    connect,
    sources: { find: async () => sender, use: async ({ source }, take) => take(source) },
    takeMessage: () => new Promise((resolve) => takes.push(resolve)),
    log: openLog('silent'),
    metrics: null,
    mayConnect: () => true,
  });
  onTestFinished(async () => {
    await following.leave();
    broker.close();
  });
  following.tend();
  await vi.waitFor(() => expect(broker.isSubscribed()).toBe(true), 10_000);
  broker.publish(7);
  broker.publish(8);
  await vi.waitFor(() => expect(takes).toHaveLength(2), 10_000);

  takes[1]?.('taken');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(broker.answered()).toEqual([]);
  takes[0]?.('taken');
  await vi.waitFor(() => expect(broker.answered()).toEqual([7, 8]), 10_000);
});
