// The worker thread of an analysis: what breaks there ends in a reason, and nothing else of the program notices.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { type AdvisorDeps, createAdvisor, startAdvising } from '../../src/engine/advice/advising.ts';
import { startAnalyst } from '../../src/engine/advice/start-analyst.ts';
import { first } from '../../src/platform/db/database.ts';
import { openLog } from '../../src/platform/log.ts';
import { MONTH_OF_MINUTES, readFreezer, storeReadings } from '../support/history.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { neverAnswers, startLlmServer } from '../support/llm-server.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
});

async function writeAnalyst(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-analyst-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'analyst.mjs');
  await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${code}`);
  return file;
}
const onQuestion = (code: string) => `parentPort.on('message', () => { ${code} });`;

const depsOf = (settings: Partial<AdvisorDeps> = {}): AdvisorDeps => ({
  db: server.db,
  clock: server.clock.read,
  log: openLog('silent'),
  config: { llm: null },
  ...settings,
});

const recommendationOf = async (serviceId: ServiceId) =>
  first(
    await server.db.query<{ state: string; reason: string | null; attempts: number }>(sql`
      select state, failure_reason as "reason", attempts from recommendation where service_id = ${serviceId}`),
  );

async function requestFor(count: number): Promise<ServiceId> {
  const { id } = await lab.freezer();
  await storeReadings(server, id, { count, value: readFreezer });
  await lab.ada.post(`/api/v1/services/${id}/recommend`);
  return id;
}

describe('failed with a reason', () => {
  test.each([
    ['throws', onQuestion("throw new Error('no more memory')"), 'The analysis broke off: no more memory'],
    ['leaves', onQuestion('process.exit(3)'), 'The analysis broke off.'],
    ['cannot be loaded', "throw new Error('bad build')", 'The analysis broke off: bad build'],
    ['never answers', onQuestion('for (;;);'), 'The analysis took longer than 1 seconds.'],
  ])('an analyst that %s', async (_, code, reason) => {
    const id = await requestFor(10);
    const advisor = createAdvisor(depsOf({ analyst: { file: await writeAnalyst(code), longestMs: 1_000 } }));
    await advisor.work();
    expect(await recommendationOf(id)).toEqual({ state: 'failed', reason, attempts: 1 });
  });

  test('an analyst that is gone when the next question comes', async () => {
    const file = await writeAnalyst(onQuestion('parentPort.postMessage({}); process.exit(0)'));
    const analyst = startAnalyst(new Map(), { signal: new AbortController().signal, file });
    const task = { channel: 'x', label: null, unit: null, ignored: [], now: 0 };
    await analyst.advise(task);
    const ask = () => analyst.backtest({ limits: [], window: { from: 0, to: 1 } });
    await expect(ask()).rejects.toThrow('The analysis broke off.');
    await expect(ask()).rejects.toThrow('The analysis broke off.');
  });
});

test('while 30 days are analysed, others are answered without a pause', async () => {
  const id = await requestFor(MONTH_OF_MINUTES);
  let isDone = false;
  const work = createAdvisor(depsOf())
    .work()
    .finally(() => {
      isDone = true;
    });
  let answered = 0;
  while (!isDone) {
    expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200);
    answered += 1;
  }
  await work;
  expect((await recommendationOf(id))?.state).toBe('completed');
  expect(answered).toBeGreaterThan(20);
});

describe('a program that stops', () => {
  test('does not wait for an answer that may never come; the request stays for the next one', async () => {
    const id = await requestFor(MONTH_OF_MINUTES);
    const { url, asked } = await startLlmServer(neverAnswers);
    const llm = { url, key: null, model: 'small', timeoutSeconds: 300 };
    const advising = startAdvising(depsOf({ config: { llm } }));
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(1);
    // Were it to wait for the model, the test would time out.
    await advising.stop();
    expect(await recommendationOf(id)).toEqual({ state: 'pending', reason: null, attempts: 1 });
  });

  test('finishes what is nearly done', async () => {
    // The one that was dropped above is still leased.
    const id = await requestFor(10);
    const advising = startAdvising(depsOf());
    await expect.poll(async () => (await recommendationOf(id))?.attempts, { timeout: 60_000 }).toBe(1);
    await advising.stop();
    expect((await recommendationOf(id))?.state).toBe('failed');
  });
});
