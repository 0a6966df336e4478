// One organization hands in as much as it may; what another one sends finds a place.
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

/** A few KB that become 20,000 readings. */
const bomb = (device: string, now: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    gzipSync(
      JSON.stringify(
        Array.from({ length: 2_000 }, (_, entry) => ({
          device,
          time: now - entry * 1000,
          values: Object.fromEntries(Array.from({ length: 10 }, (_, channel) => [`c${channel}`, 1])),
        })),
      ),
    ),
  );

/** More than 64 KB, and not packed. */
const batch = (device: string, now: number) =>
  JSON.stringify(
    Array.from({ length: 1_100 }, (_, entry) => ({
      device,
      time: now - entry * 1000,
      values: { temperature: -80 },
    })),
  );

const packed = { 'content-encoding': 'gzip' };

async function openTwo(): Promise<{
  theirs: Lab;
  ours: Lab;
  bombed: Uint8Array<ArrayBuffer>;
  large: string;
}> {
  const [theirs, ours] = [await openLab(server), await openLab(server)];
  const now = server.clock.read().getTime();
  const [a, b] = [await theirs.freezer(), await ours.freezer()];
  return { theirs, ours, bombed: bomb(a.device, now), large: batch(b.device, now) };
}

test('A sends many large posts: that of B waits for no more than a few of them', async () => {
  const { theirs, ours, bombed, large } = await openTwo();
  const served: string[] = [];
  const send = async (name: string, sending: Promise<Response>) => {
    expect((await sending).status).toBe(200);
    served.push(name);
  };
  const all = Array.from({ length: 8 }, () => send('A', theirs.send(bombed, packed)));
  // They have come, and wait.
  expect(await theirs.alarms()).toEqual([]);
  all.push(send('B', ours.send(large)));
  await Promise.all(all);
  expect(served.slice(0, 3)).toContain('B');
});
