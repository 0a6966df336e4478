// Whatever others do to the program, an alarm goes out meanwhile.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import pg from 'pg';
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServing } from '../support/program.ts';
import { openServingLab, SECRET, type ServingLab } from '../support/serving-lab.ts';
import { cloneDatabase } from '../support/test-database.ts';

test('fifty page queries that hang: an alarm goes out meanwhile, and pages are there again afterwards', async () => {
  const lab = await openServingLab();
  const { db, connection } = lab.own;
  const other = new pg.Client(connection);
  await other.connect();
  onTestFinished(() => other.end());
  // As a repair of the table would hold it.
  await other.query('begin; lock table audit in access exclusive mode');
  const pages = Promise.all(Array.from({ length: 50 }, async () => (await lab.open('/audit')).status));
  const countHanging = async () =>
    (
      await db.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    ).length;
  await expect.poll(countHanging, { timeout: 60_000 }).toBe(10);
  await lab.expectAlarmToGoOut(1);
  expect(await countHanging()).toBe(10);
  await other.query('rollback');
  await pages;
  expect((await lab.open('/audit')).status).toBe(200);
});

describe('a thousand posts that never end', () => {
  const COUNT = 1_000;
  const SENT_BYTES = 384 * 1024;
  const MEBIBYTE = 1024 ** 2;

  /** Declares much, sends some of it, and then no more. */
  function openSlowPost({ serving }: ServingLab, secret: string): Promise<Socket> {
    const { hostname, port } = new URL(serving.url);
    const head = [
      'POST /api/v1/telemetry HTTP/1.1',
      'Host: tocsin',
      `Authorization: Bearer ${secret}`,
      'Content-Type: application/json',
      `Content-Length: ${16 * MEBIBYTE}`,
    ];
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        socket.write(Buffer.alloc(SENT_BYTES, ' '), () => resolve(socket));
      });
      // The server may well hang up.
      socket.on('error', () => resolve(socket)).resume();
      onTestFinished(() => void socket.destroy());
    });
  }

  async function residentBytes({ serving }: ServingLab): Promise<number> {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(serving.process.pid)]);
    return Number(stdout) * 1024;
  }

  test.each([
    ['with a wrong secret, and some with the right one', (count: number) => (count % 10 ? 'wrong' : SECRET)],
    ['with the right secret', () => SECRET],
  ])('%s: little memory, and an alarm goes out meanwhile', async (_, secretOf) => {
    const lab = await openServingLab();
    const before = await residentBytes(lab);
    const posts = Promise.all(
      Array.from({ length: COUNT }, (_, count) => openSlowPost(lab, secretOf(count))),
    );
    let most = 0;
    const watching = setInterval(async () => {
      most = Math.max(most, await residentBytes(lab));
    }, 100);
    onTestFinished(() => clearInterval(watching));
    await posts;
    expect((await fetch(`${lab.serving.url}/health`)).status).toBe(200);
    await lab.expectAlarmToGoOut(1);
    expect(Math.round((most - before) / MEBIBYTE)).toBeLessThan(200);
  });
});

test('a post as large as it may be: others are answered all the while, and an alarm goes out', async () => {
  const lab = await openServingLab();
  const names = Array.from({ length: 100 }, (_, channel) => `channel ${channel}`);
  const body = Array.from({ length: 1_000 }, (_, entry) => ({
    device: 'freezer-2',
    time: Date.now() - entry * 1000,
    values: Object.fromEntries(names.map((name) => [name, entry])),
  }));
  let isTaken = false;
  const taken = lab.post(body, { 'content-encoding': 'gzip' }).finally(() => {
    isTaken = true;
  });
  const alarm = lab.expectAlarmToGoOut(1);
  let answered = 0;
  while (!isTaken) {
    expect((await fetch(`${lab.serving.url}/health`)).status).toBe(200);
    answered += 1;
  }
  expect(await (await taken).json()).toEqual({ accepted: 100_000, duplicates: 0, rejected: [] });
  expect(answered).toBeGreaterThan(20);
  await alarm;
});

// Where threads can be counted.
test.skipIf(process.platform !== 'linux')(
  'the program has eight threads for names, files and hashes',
  async () => {
    const { url } = await cloneDatabase();
    const countThreads = async (env: Record<string, string>) => {
      const serving = await startServing({ DATABASE_URL: url, ...env });
      const threads = readdirSync(`/proc/${serving.process.pid}/task`).length;
      await serving.stop();
      return threads;
    };
    expect((await countThreads({})) - (await countThreads({ UV_THREADPOOL_SIZE: '2' }))).toBe(6);
  },
);
