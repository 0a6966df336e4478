// Codecs of one organization that do whatever a codec can; those of another decode meanwhile. In the real thread.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCodecs } from '../../src/engine/codecs/codecs.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

const codecs = openCodecs();
whenFileIsDone(() => codecs.close());

const UPLINK = { bytes: [1, 2, 3], fPort: 1, recvTime: 0, variables: {} };
const GOOD = 'function decodeUplink(i) { return { data: { temperature: i.bytes.length } }; }';
const decodes = (body: string) => `function decodeUplink() { ${body} }`;
const [A, B] = [1, 2];

/** What the interpreter cannot interrupt. */
const BUILT_INS: [string, string][] = [
  ['indexOf', '[].indexOf.call({ length: 2 ** 53 - 1 }, 1);'],
  ['join', 'var a = []; a.length = 4e9; a.join();'],
  ['repeat', 'for (;;) "x".repeat(4e6).replaceAll("x", "y");'],
  ['power', '7n ** (7n ** 7n);'],
];

test.each(BUILT_INS)('%s takes 50 ms like any other loop, and the thread goes on', async (_, body) => {
  const outcome = await codecs.decode({ sourceId: 1, organizationId: A, code: decodes(body) }, UPLINK);
  expect(outcome).toEqual({ failure: 'it takes longer than 50 ms' });
  expect(await codecs.decode({ sourceId: 2, organizationId: B, code: GOOD }, UPLINK)).toMatchObject({
    errors: [],
  });
});

test('however many codecs of A hang, B is the next but those under way', async () => {
  const served: string[] = [];
  const decode = async (name: string, organizationId: number, sourceId: number, code: string) => {
    await codecs.decode({ sourceId, organizationId, code }, UPLINK);
    served.push(name);
  };
  const theirs = Array.from({ length: 20 }, (_, index) =>
    decode('A', A, 100 + index, decodes(BUILT_INS[index % 4]?.[1] ?? '')),
  );
  await Promise.all([...theirs, decode('B', B, 2, GOOD)]);
  expect(served).toHaveLength(21);
  expect(served.slice(0, 5)).toContain('B');
});

test('once codecs of A took too long, B waits for one of them at most', async () => {
  const served: string[] = [];
  const decode = async (name: string, organizationId: number, sourceId: number, code: string) => {
    await codecs.decode({ sourceId, organizationId, code }, UPLINK);
    served.push(name);
  };
  const theirs = Array.from({ length: 12 }, (_, index) =>
    decode('A', A, 300 + index, decodes(BUILT_INS[index % 4]?.[1] ?? '')),
  );
  await expect.poll(() => served.length, { interval: 1, timeout: 20_000 }).toBeGreaterThanOrEqual(4);
  const before = served.length;
  await decode('B', B, 2, GOOD);
  expect(served.slice(before).length).toBeLessThanOrEqual(2);
  await Promise.all(theirs);
});

test('what codecs keep of their memory is bounded for all of them together', async () => {
  const hoard =
    'var kept = new Uint8Array(7e6).fill(1); function decodeUplink() { return { data: { kept: kept.length } }; }';
  await codecs.decode({ sourceId: 1, organizationId: A, code: GOOD }, UPLINK);
  const before = process.memoryUsage.rss();
  for (let sourceId = 200; sourceId < 232; sourceId += 1) {
    const outcome = await codecs.decode({ sourceId, organizationId: A, code: hoard }, UPLINK);
    expect(outcome).toMatchObject({ errors: [] });
  }
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(100);
});

test('should a thread be lost all the same, whoever it was lost to is named, and the others go on in the next one', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tocsin-thread-')), 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ id, code }) => {
       if (code === 'hang') for (;;);
       parentPort.postMessage({ id, output: '{"data":{}}', failure: '' });
     });
     parentPort.postMessage('ready');`,
  );
  const lost = openCodecs({ file, hungMs: 100 });
  onTestFinished(() => lost.close());
  const decode = (organizationId: number, sourceId: number, code: string) =>
    lost.decode({ sourceId, organizationId, code }, UPLINK).then(
      () => 'answered',
      ({ isItsFault }: { isItsFault: boolean }) => `lost${isItsFault ? ', by its fault' : ''}`,
    );
  const all = [decode(A, 1, 'hang'), decode(A, 2, 'good'), decode(A, 1, 'hang'), decode(B, 3, 'good')];
  expect(await Promise.all(all)).toEqual([
    'lost, by its fault',
    'answered',
    'lost, by its fault',
    'answered',
  ]);
});

test('a thread that is lost once, on a machine that stood still, costs nobody anything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-thread-'));
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const seen = ${JSON.stringify(join(folder, 'seen'))};
     parentPort.on('message', ({ id }) => {
       if (!existsSync(seen)) { writeFileSync(seen, ''); for (;;); }
       parentPort.postMessage({ id, output: '{"data":{}}', failure: '' });
     });
     parentPort.postMessage('ready');`,
  );
  const stood = openCodecs({ file, hungMs: 100 });
  onTestFinished(() => stood.close());
  const all = [A, B].map((organizationId) =>
    stood.decode({ sourceId: organizationId, organizationId, code: GOOD }, UPLINK),
  );
  expect(await Promise.all(all)).toMatchObject([{ errors: [] }, { errors: [] }]);
});
