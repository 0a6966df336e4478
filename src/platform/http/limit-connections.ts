// So many connections, in all and from one address. Whoever only holds one makes room for whoever comes: a crowd that sends
// slowly keeps nobody out.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bucketOf } from '../../domain/accounts/address-bucket.ts';

interface ConnectionLimits {
  inAll: number;
  perAddress: number;
}

interface Guest {
  socket: Socket;
  /** At once: that the socket is closed is heard of later. */
  leave: () => void;
  /** The last request, and what it was answered with so far. */
  exchange: { request: IncomingMessage; response: ServerResponse } | null;
}

interface Door {
  limits: ConnectionLimits;
  /** Many people come from the address of a proxy. */
  isProxy: (address: string) => boolean;
  /** What is said to whoever is not let in; null where it could not be read. */
  refusal: string | null;
  onCrowded: () => void;
}

export function limitConnections(server: Server, { limits, isProxy, refusal, onCrowded }: Door): void {
  const guests = new Map<string, Guest>();
  const byAddress = new Map<string, Set<Guest>>();

  const makeRoom = (among: Iterable<Guest>): boolean => {
    onCrowded();
    const idler = findIdler(among);
    idler?.leave();
    idler?.socket.destroy();
    return idler !== null;
  };

  server.on('connection', (socket: Socket) => {
    const address = bucketOf(socket.remoteAddress ?? '');
    const neighbours = byAddress.get(address) ?? new Set();
    const isFull =
      (neighbours.size >= limits.perAddress && !isProxy(address) && !makeRoom(neighbours)) ||
      (guests.size >= limits.inAll && !makeRoom(guests.values()));
    if (isFull) return void (refusal === null ? socket.destroy() : socket.end(refusal));

    const name = nameOf(socket);
    const leave = () => {
      if (guests.get(name) === guest) guests.delete(name);
      neighbours.delete(guest);
      if (neighbours.size === 0 && byAddress.get(address) === neighbours) byAddress.delete(address);
    };
    const guest: Guest = { socket, leave, exchange: null };
    guests.set(name, guest);
    byAddress.set(address, neighbours.add(guest));
    socket.once('close', leave);
  });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const guest = guests.get(nameOf(request.socket));
    if (guest) guest.exchange = { request, response };
  });
}

/** The same for what travels inside TLS. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Who has been sending for longest without an end, else who has been doing nothing; null: all wait for us. */
function findIdler(guests: Iterable<Guest>): Guest | null {
  let idler: Guest | null = null;
  for (const guest of guests) {
    const { exchange } = guest;
    if (exchange && !exchange.request.complete) return guest;
    if (!exchange || exchange.response.writableFinished) idler ??= guest;
  }
  return idler;
}
