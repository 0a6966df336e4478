import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Below those that the system gives to whoever connects: a server that is away for a while finds its own free. */
export async function findQuietPorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); found.length < count; port += 1)
    if (await isFree(port)) found.push(port);
  return found;
}

export async function findQuietPort(): Promise<number> {
  const [port] = await findQuietPorts(1);
  return port as number;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
