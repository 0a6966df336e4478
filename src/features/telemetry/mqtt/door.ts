// So many connections, in all and from one address. Who has not said yet who it is makes room for whoever comes.
import type { Server, Socket } from 'node:net';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { bucketOf } from '../../../domain/accounts/address-bucket.ts';
import type { Config } from '../../../platform/config.ts';

interface Guest {
  socket: Socket;
  address: string;
  isKnown: boolean;
}

export interface Door {
  watch(server: Server): void;
  /** The client behind this socket, or behind the TLS that it carries, has been let in. */
  know(socket: Socket): void;
}

interface DoorRules extends Pick<Config, 'connections' | 'trustProxy'> {
  onCrowded(): void;
}

export function openDoor({ connections, trustProxy, onCrowded }: DoorRules): Door {
  const guests = new Map<string, Guest>();
  const counts = new Map<string, number>();
  const isProxy = findProxies(trustProxy);

  const leave = (name: string, guest: Guest) => {
    if (guests.get(name) !== guest) return;
    guests.delete(name);
    const left = (counts.get(guest.address) ?? 1) - 1;
    if (left > 0) counts.set(guest.address, left);
    else counts.delete(guest.address);
  };
  const makeRoom = (address: string | null): boolean => {
    onCrowded();
    for (const [name, guest] of guests) {
      if (guest.isKnown || (address !== null && guest.address !== address)) continue;
      leave(name, guest);
      guest.socket.destroy();
      return true;
    }
    return false;
  };
  const isLetIn = (socket: Socket, address: string): boolean => {
    const neighbours = counts.get(address) ?? 0;
    if (neighbours >= connections.perAddress && !isProxy(socket.remoteAddress ?? '') && !makeRoom(address))
      return false;
    return guests.size < connections.inAll || makeRoom(null);
  };

  return {
    watch: (server) =>
      server.prependListener('connection', (socket: Socket) => {
        const address = bucketOf(socket.remoteAddress ?? '');
        if (!isLetIn(socket, address)) return void socket.destroy();
        const name = nameOf(socket);
        const guest: Guest = { socket, address, isKnown: false };
        guests.set(name, guest);
        counts.set(address, (counts.get(address) ?? 0) + 1);
        socket.once('close', () => leave(name, guest));
      }),
    know(socket) {
      const guest = guests.get(nameOf(socket));
      if (guest) guest.isKnown = true;
    },
  };
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

const RANGES: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** A balancer that is believed brings the connections of many. Who else does cannot be told from the connection. */
function findProxies(trustProxy: Config['trustProxy']): (address: string) => boolean {
  const list = new BlockList();
  const trusted = Array.isArray(trustProxy) ? trustProxy : [];
  for (const range of trusted.flatMap((name) => RANGES[name] ?? [name])) {
    const [address = '', bits] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits && /^\d+$/.test(bits)) list.addSubnet(address, Number(bits), family);
    else if (isIPv4(address) || isIPv6(address)) list.addAddress(address, family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return (isIPv4(plain) || isIPv6(plain)) && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}
