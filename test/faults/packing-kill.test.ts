// Readings keep coming while whoever packs them, or the database, is killed at every stage of packing and merging.
// Afterwards everything that was answered is there, once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import sql from 'sql-template-tag';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../../src/engine/readings/merge-parts.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { hold, letGo, PACKING_STAGES, prepareStages, untilHeld } from '../support/packing-stages.ts';
import { makeDataDir, runCommand, startServing } from '../support/program.ts';
import { listStored, packAll } from '../support/stored-readings.ts';
import { cloneDatabase, isSplit } from '../support/test-database.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

const SECRET = 'the secret of the gateway';
const FREEZERS = ['Freezer 1', 'Freezer 2'];
const LAB = JSON.stringify({
  organizations: [
    {
      name: 'Cell Biology',
      sources: [{ name: 'gateway', secret: SECRET }],
      services: FREEZERS.map((name) => ({ name, device: { key: name } })),
    },
  ],
});

async function prepareLab(place: Record<string, string>) {
  const env = { ...place, LOG_LEVEL: 'silent' };
  const applied = await runCommand(['apply', '-', '--json'], env, LAB);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  return env;
}

/** Gateways that send what got no answer again: readings of yesterday and of today, in turns, so that many are late. */
function startGateways(url: string) {
  const beganAt = Date.now() - 10 * 60_000;
  const answered = new Map(FREEZERS.map((name) => [name, [] as [at: number, value: number][]]));
  const surprises: unknown[] = [];
  let posts = 0;
  let isOver = false;

  async function insist(body: string): Promise<{ answer: unknown; isFirst: boolean }> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const response = await fetch(`${url}/api/v1/telemetry`, {
          method: 'POST',
          headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
          body,
          signal: AbortSignal.timeout(5_000),
        });
        if (response.status === 200) return { answer: await response.json(), isFirst };
      } catch {
        // Not there again yet.
      }
      await sleep(20);
    }
  }

  async function run(device: string): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const at = beganAt + number * 11 - (number % 3) * 40 - (number % 2) * DAY_MS;
      const { answer, isFirst } = await insist(
        JSON.stringify({ device, time: at, values: { temperature: number } }),
      );
      const { accepted, duplicates } = answer as { accepted: number; duplicates: number };
      const known = answered.get(device) ?? [];
      const isKnown = known.some(([time]) => time === at);
      if (accepted + duplicates !== 1 || (isFirst && isKnown !== (duplicates === 1)))
        surprises.push({ device, number, answer });
      if (!isKnown) known.push([at, number]);
      posts += 1;
    }
  }

  const running = FREEZERS.map(run);
  onTestFinished(() => {
    isOver = true;
  });
  return {
    async untilAnswered(more: number) {
      const goal = posts + more;
      await expect.poll(() => posts, { timeout: 60_000 }).toBeGreaterThanOrEqual(goal);
    },
    async finish() {
      isOver = true;
      await Promise.all(running);
      expect(surprises).toEqual([]);
      return answered;
    },
  };
}

async function expectEverythingOnce(
  db: Database,
  answered: ReadonlyMap<string, readonly [number, number][]>,
): Promise<void> {
  const services = await db.query<{ id: number; name: string }>(sql`select id, name from service`);
  for (const { id, name } of services) {
    const stored = await listStored(db, id);
    const wanted = [...(answered.get(name) ?? [])].sort(([one], [other]) => one - other);
    expect(stored.map(({ at, value }) => [at.getTime(), value])).toEqual(wanted);
    // Readers would not tell what is there twice.
    const [count] = await db.query<{ stored: number }>(sql`
      select (select coalesce(sum(count), 0) from reading_pack where service_id = ${id})::int
        + (select coalesce(sum(count), 0) from reading_inbox where service_ids = array[${id}::int])::int as "stored"`);
    expect(count).toEqual({ stored: wanted.length });
  }
}

let packer: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-packer-'));
  whenFileIsDone(() => rm(folder, { recursive: true, force: true }));
  packer = join(folder, 'packing-program.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../support/packing-program.ts', import.meta.url))],
    outfile: packer,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native', 'pg-cloudflare'],
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    logLevel: 'error',
  });
});

function startPacker(url: string): () => Promise<unknown> {
  const child = spawn(process.execPath, [packer, url], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  return () => {
    child.kill('SIGKILL');
    return ended;
  };
}

// Where packs are split there are no triggers to hold it by: test/cluster/citus.test.ts ends it otherwise.
test.skipIf(isSplit())('kill -9 of the program that packs, at every stage, and of two at once', async () => {
  const { db, url } = await cloneDatabase();
  const env = await prepareLab({ DATABASE_URL: url });
  const gateways = startGateways((await startServing(env)).url);
  await prepareStages(db);
  for (const stage of PACKING_STAGES) {
    await gateways.untilAnswered(10);
    await hold(db, stage);
    const kill = startPacker(url);
    await untilHeld(db);
    // Nobody who sends readings waits for the one that packs them, nor does another one.
    await gateways.untilAnswered(10);
    expect(await packInbox(db, new Date(), { atOnce: true })).toBe('another_program_does');
    expect(await mergeParts(db, new Date())).toBe('another_program_does');
    await kill();
    await letGo(db);
  }
  const killBoth = [startPacker(url), startPacker(url)];
  await gateways.untilAnswered(100);
  for (const kill of killBoth) await kill();
  const answered = await gateways.finish();
  await packAll(db, new Date());
  await expectEverythingOnce(db, answered);
});

test('kill -9 of the database, and of one of its processes, at every stage', async () => {
  const dataDir = await makeDataDir();
  const env = await prepareLab({ TOCSIN_DATA: dataDir });
  const gateways = startGateways((await startServing(env)).url);
  const database = await openEmbedded({ dataDir });
  const db = openPool(database.connection, () => {});
  onTestFinished(async () => {
    await db.close();
    await database.close();
  });
  await prepareStages(db);
  for (const [index, stage] of PACKING_STAGES.entries()) {
    await gateways.untilAnswered(10);
    await insist(() => hold(db, stage));
    const packing = packUntilKilled(db);
    const backend = await untilHeld(db);
    await gateways.untilAnswered(4);
    process.kill(index % 2 === 0 ? backend : postmasterOf(dataDir), 'SIGKILL');
    await packing;
    await insist(() => letGo(db));
  }
  await gateways.untilAnswered(10);
  const answered = await gateways.finish();
  await packAll(db, new Date());
  await expectEverythingOnce(db, answered);
});

const postmasterOf = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

async function packUntilKilled(db: Database): Promise<void> {
  try {
    for (;;) {
      await packInbox(db, new Date(), { atOnce: true });
      await mergeParts(db, new Date());
    }
  } catch {
    // Killed.
  }
}

/** While the server comes back. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let isDone = false; !isDone; )
    isDone = await work().then(
      () => true,
      () => sleep(50, false),
    );
}
