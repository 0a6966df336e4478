// Stands before a real PostgreSQL, as a network does: it can be cut, be slow, fall dumb, and lead elsewhere.
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { whenFileIsDone } from './when-file-is-done.ts';

interface Target {
  /** A folder with a socket in it, or an address. */
  host: string;
  port: number;
}

export interface DatabaseProxy {
  port: number;
  /** Where new connections lead. */
  target: Target;
  /** Nothing passes any more, and nobody is told. */
  isDumb: boolean;
  /** How much later answers come. */
  delayMs: number;
  /** What clients send passes here; `cut` ends the connection, before it gets there or once the server has answered it. */
  onSent: (sent: Buffer) => 'pass' | 'swallow' | 'cut_before' | 'cut_after';
  /** The server has answered, and nobody will hear of it. */
  onSwallowed: () => void;
  /** Ends all connections. */
  cut(): void;
}

export async function openDatabaseProxy(target: Target): Promise<DatabaseProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const { host, port } = proxy.target;
    const database = host.startsWith('/')
      ? createConnection(`${host}/.s.PGSQL.${port}`)
      : createConnection({ host, port });
    const end = () => {
      client.destroy();
      database.destroy();
    };
    let isLast = false;
    client.on('data', (sent) => {
      if (proxy.isDumb) return;
      const fate = proxy.onSent(sent);
      if (fate === 'swallow') return;
      if (fate === 'cut_before') return end();
      isLast = fate === 'cut_after';
      database.write(sent);
    });
    database.on('data', (answer) => {
      if (isLast) {
        proxy.onSwallowed();
        return end();
      }
      if (proxy.isDumb) return;
      if (proxy.delayMs === 0) client.write(answer);
      else setTimeout(() => client.write(answer), proxy.delayMs);
    });
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  whenFileIsDone(async () => {
    cut();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const proxy: DatabaseProxy = {
    port,
    target,
    isDumb: false,
    delayMs: 0,
    onSent: () => 'pass',
    onSwallowed: () => {},
    cut,
  };
  return proxy;
}
