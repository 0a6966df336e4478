// Packing in a thread, and without one where it is lost.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { encodeBatch } from '../../src/domain/readings/batch.ts';
import { type EntryToPack, packEntries } from '../../src/engine/packing/pack-entries.ts';
import { openPackThread, type PackThread } from '../../src/engine/packing/pack-thread.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-pack-thread-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open: PackThread[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ close }) => close())));

/** With a thread that does this when it is given something; and what was logged of it. */
async function openWith(code?: string, longestMs = 10_000) {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  if (code !== undefined)
    await writeFile(
      file,
      `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${code} });`,
    );
  const thread = openPackThread(log, code !== undefined ? { file, longestMs, memoryMb: 32 } : {});
  open.push(thread);
  return { pack: thread.pack, lostAt: thread.lostAt, logged };
}

const AT = Date.UTC(2026, 10, 17, 3);
const entry = (
  id: string,
  ...readings: [channelId: number, minute: number, value: number][]
): EntryToPack => ({
  id,
  data: encodeBatch({
    serviceIds: Int32Array.from(readings, ([channelId]) => channelId * 10),
    channelIds: Int32Array.from(readings, ([channelId]) => channelId),
    ats: Float64Array.from(readings, ([, minute]) => AT + minute * 60_000),
    values: Float64Array.from(readings, ([, , value]) => value),
  }),
});

const damaged = entry('3', [1, 9, -1]);
damaged.data?.set([255], 20);
const ENTRIES = [
  entry('1', [1, 0, -80], [2, 0, 4.5], [1, 2, -79.9]),
  // Out of order, and one that is stored already.
  entry('2', [1, 1, -80.1], [1, 2, -60]),
  damaged,
  { id: '4', data: null },
];

test('the thread makes the same packs as are made without it, and names what cannot be read', async () => {
  const { pack, logged } = await openWith();
  const expected = await packEntries(ENTRIES);
  expect(expected.packs.map(({ channelId, serviceId, count }) => [channelId, serviceId, count])).toEqual([
    [1, 10, 3],
    [2, 20, 1],
  ]);
  expect([...expected.damaged]).toEqual(['3', '4']);
  // Twice: it waits for the next round.
  for (let round = 0; round < 2; round += 1) expect(await pack(ENTRIES)).toEqual(expected);
  expect(logged).toEqual([]);
});

test('entries that were cut from something larger stay as they are', async () => {
  const { pack } = await openWith();
  const [first] = ENTRIES as [EntryToPack];
  const larger = Buffer.concat([Buffer.alloc(1000, 7), first.data ?? Buffer.alloc(0), Buffer.alloc(1000, 7)]);
  const data = larger.subarray(1000, larger.length - 1000);
  expect(await pack([{ id: '1', data }])).toEqual(await packEntries([first]));
  expect(Buffer.compare(data, Buffer.from(first.data ?? []))).toBe(0);
});

const FAULTS = {
  throws: `throw new Error('no')`,
  ends: 'process.exit(0)',
  'never answers': '',
  'takes all memory': 'const held = []; for (;;) held.push(new Array(1e5).fill({}));',
};
test.for(Object.entries(FAULTS))(
  'a thread that %s is done without, and is not begun for ever',
  { timeout: 60_000 },
  async ([, code]) => {
    const { pack, lostAt, logged } = await openWith(code, code ? 10_000 : 50);
    const later = new Date(Date.now() + 86_400_000);
    expect(lostAt(later)).toBeNull();
    const expected = await packEntries(ENTRIES);
    for (let round = 0; round < 5; round += 1) expect(await pack(ENTRIES)).toEqual(expected);
    expect(logged).toEqual(
      Array(3).fill('the thread that packs readings was lost: this round is packed without it'),
    );
    expect(lostAt(later)).toBe(later);
  },
);

test('a thread that was lost once is begun anew', async () => {
  const { pack, logged } = await openWith(
    `if (!globalThis.asked) { globalThis.asked = true; parentPort.postMessage({ packs: [], damaged: new Set(['it']) }); } else process.exit(1);`,
  );
  expect((await pack(ENTRIES)).damaged).toEqual(new Set(['it']));
  expect((await pack(ENTRIES)).damaged).toEqual(new Set(['3', '4']));
  expect((await pack(ENTRIES)).damaged).toEqual(new Set(['it']));
  expect(logged).toHaveLength(1);
});
