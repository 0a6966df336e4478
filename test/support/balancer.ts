// A load balancer before several programs, as small as one can be: each request goes to the next of them, one that does not
// answer its checks gets none and its connections are cut, and one that cannot be connected to is passed over.
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Balancer {
  url: string;
  /** A program in one of the places; the one before it is gone. */
  put(place: number, url: string): void;
}

interface Place {
  url: string | null;
  isUp: boolean;
  sockets: Set<Socket>;
}

const CHECK_EVERY_MS = 250;
const CHECK_WITHIN_MS = 1_000;

export async function openBalancer(size: number): Promise<Balancer> {
  const places = Array.from({ length: size }, (): Place => ({ url: null, isUp: false, sockets: new Set() }));
  let turn = 0;

  const cut = ({ sockets }: Place) => {
    for (const socket of sockets) socket.destroy();
  };

  async function check(place: Place): Promise<void> {
    const { url } = place;
    if (url === null) return;
    const isUp = await fetch(`${url}/health`, { signal: AbortSignal.timeout(CHECK_WITHIN_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (place.url !== url) return;
    place.isUp = isUp;
    if (!isUp) cut(place);
  }

  function pass(received: IncomingMessage, response: ServerResponse, body: Buffer, tries: number): void {
    const up = places.filter(({ isUp }) => isUp);
    const place = up[turn++ % Math.max(up.length, 1)];
    if (!place?.url || tries === 0) return void response.writeHead(503, { 'retry-after': '1' }).end('{}');
    const { method, headers, url } = received;
    const sent = ask(place.url + url, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.on('close', () => {
        if (!answer.complete) response.destroy();
      });
      answer.pipe(response);
    });
    let isConnected = false;
    sent.on('socket', (socket) => {
      place.sockets.add(socket);
      socket.once('connect', () => {
        isConnected = true;
      });
      socket.once('close', () => place.sockets.delete(socket));
    });
    sent.on('error', () => {
      if (response.headersSent) response.destroy();
      else if (isConnected) response.writeHead(502).end('{}');
      else pass(received, response, body, tries - 1);
    });
    response.on('close', () => sent.destroy());
    sent.end(body);
  }

  const server = createServer(async (received, response) => {
    const parts: Buffer[] = [];
    for await (const part of received) parts.push(part as Buffer);
    pass(received, response, Buffer.concat(parts), size);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const checking = setInterval(() => void places.map(check), CHECK_EVERY_MS);
  onTestFinished(() => {
    clearInterval(checking);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    put(place, url) {
      const one = places[place] as Place;
      cut(one);
      Object.assign(one, { url, isUp: true });
    },
  };
}
