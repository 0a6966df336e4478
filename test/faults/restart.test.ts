// A serving program and its parent, as people start them: whatever becomes of the program, another is begun, and whatever
// becomes of the parent, none is left behind.

import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../support/embedded-probes.ts';
import { programOf, untilBegunTimes, urlsOf } from '../support/kept-program.ts';
import { openLab } from '../support/lab.ts';
import { runCommand, startServing } from '../support/program.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn } from '../support/test-server.ts';

const PRELOADED = fileURLToPath(new URL('../support/stand-still-on-signal.cjs', import.meta.url));
const SETTINGS = {
  TOCSIN_RESTART: 'true',
  NODE_OPTIONS: `--require=${PRELOADED}`,
  SMTP_URL: 'smtp://127.0.0.1:9',
};

async function startKept(env: Record<string, string> = {}) {
  const { url } = await cloneDatabase();
  const settings = { DATABASE_URL: url, ...SETTINGS, ...env };
  return { settings, serving: await startServing(settings) };
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

test('a program that stands still is ended, begun again and counted', async () => {
  const { settings, serving } = await startKept();
  const pid = programOf(serving);
  process.kill(pid, 'SIGUSR2');
  await untilBegunTimes(serving, 2);
  expect(await isRunning(pid)).toBe(false);
  expect((await fetch(`${urlsOf(serving)[1]}/health`)).status).toBe(200);

  const doctor = await runCommand(['doctor', '--json'], settings);
  const { findings } = JSON.parse(doctor.stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({
      name: 'program_ended',
      trouble: expect.stringMatching(
        /^A program was begun again within the last 24 hours, once because it stood still, in standStill \(\S+\); last on \S+ at /,
      ),
    }),
  );
  const { code, stdout, stderr } = await serving.stop('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).toContain('Stopped.');
  expect(linesOf(stderr)).toEqual([
    expect.objectContaining({
      level: 60,
      where: expect.arrayContaining([expect.stringMatching(/^standStill/)]),
    }),
    expect.objectContaining({
      level: 50,
      cause: 'standstill',
      msg: 'the program stood still: it is begun again',
    }),
    expect.objectContaining({ finding: 'program_ended' }),
  ]);
});

test('one that dies again and again is given up with a word', async () => {
  const { serving } = await startKept();
  for (let times = 1; times <= 6; times += 1) {
    await untilBegunTimes(serving, times);
    process.kill(programOf(serving), 'SIGKILL');
  }
  const { code, stderr } = await serving.stop('SIGCONT');
  expect(code).toBe(70);
  expect(linesOf(stderr).at(-1)).toMatchObject({
    level: 60,
    msg: expect.stringContaining(
      'the program ended 6 times within 10 minutes: it is not begun again. Read above',
    ),
  });
});

test('work that ended it twice is set aside, named, and comes again when somebody says so', async () => {
  const { db, url } = await cloneDatabase();
  const lab = await openLab(await startServerOn(db));
  const freezer = await lab.freezer();
  const [{ id } = { id: 0 }] = await db.query<{ id: number }>(sql`
    insert into downtime_series (service_id, first_day, local_start, minutes, timezone, rule, until_day, reason,
      created_by_id, created_by_name, created_at)
    select ${freezer.id}, ${new Date()}::date, '02:30', 60, 'UTC', 'FREQ=DAILY', ${new Date()}::date + 90, 'Defrost',
      id, name, ${new Date()} from account limit 1
    returning id`);
  // Whoever plans it is at it for long.
  await db.transaction((tx) =>
    tx.run(`
      create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return new; end $$;
      create trigger wait before insert on downtime for each row execute function wait()`),
  );
  const findWaiting = () =>
    db.query<{ pid: number }>(sql`
      select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`);
  const settings = { DATABASE_URL: url, ...SETTINGS };
  const serving = await startServing(settings);
  for (let times = 1; times <= 2; times += 1) {
    await untilBegunTimes(serving, times);
    await expect.poll(findWaiting).toHaveLength(1);
    const [waiting] = await findWaiting();
    process.kill(programOf(serving), 'SIGKILL');
    await db.query(sql`select pg_terminate_backend(${waiting?.pid}::int, 10000)`);
  }
  await untilBegunTimes(serving, 3);
  const doctor = async () => JSON.parse((await runCommand(['doctor', '--json'], settings)).stdout).findings;
  expect(await doctor()).toContainEqual(
    expect.objectContaining({
      name: 'set_aside',
      trouble: `Set aside, because it ended the program twice: series ${id}`,
    }),
  );
  expect(await findWaiting()).toEqual([]);

  expect(await runCommand(['release', 'series 0'], settings)).toMatchObject({
    code: 1,
    stderr: `series 0 is not set aside. These are: series ${id}\n`,
  });
  expect((await runCommand(['release', `series ${id}`], settings)).code).toBe(0);
  expect(await doctor()).not.toContainEqual(expect.objectContaining({ name: 'set_aside' }));
});

test('one that stands still when it is told to stop is ended, and no other is begun', async () => {
  const { serving } = await startKept();
  process.kill(programOf(serving), 'SIGUSR2');
  const { code } = await serving.stop('SIGTERM');
  expect(code).toBe(1);
  expect(urlsOf(serving)).toHaveLength(1);
});

test('a terminal tells both, and both stop in order', async () => {
  const { serving } = await startKept();
  process.kill(programOf(serving), 'SIGINT');
  const { code, stdout } = await serving.stop('SIGINT');
  expect(code).toBe(0);
  expect(stdout.match(/Stopp/g)).toHaveLength(2);
});

test('npm passes on what a terminal has said to all of them: it is one word', async () => {
  const { serving } = await startKept();
  process.kill(programOf(serving), 'SIGINT');
  process.kill(serving.process.pid ?? 0, 'SIGINT');
  // Two at the same moment would arrive as one.
  await sleep(10);
  const { code, stdout } = await serving.stop('SIGINT');
  expect(code).toBe(0);
  expect(stdout).toContain('Stopped.');
});

test('a parent that is killed leaves nothing behind', async () => {
  const { serving } = await startKept();
  const pid = programOf(serving);
  await serving.stop('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('who cannot start says so once, and ends as ever', async () => {
  const { serving, settings } = await startKept();
  const port = new URL(serving.url).port;
  expect(await runCommand(['serve'], { ...settings, PORT: port })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Cannot listen on 127\.0\.0\.1:\d+: [^\n]* Set HOST or PORT to another\.\n$/,
    ),
  });
  expect(await runCommand(['serve', '--roles', 'cook'], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Unknown role "cook" in --roles: [^\n]*\n$/),
  });
  expect(await runCommand(['serve'], { ...settings, PORT: 'first' })).toMatchObject({
    code: 1,
    stderr: 'PORT must be a whole number from 0 to 65535, not "first"\n',
  });
});

test('the watchdog of systemd hears of it for as long as the program turns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-watchdog-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const heard = join(folder, 'heard');
  await writeFile(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${heard}\n`);
  await chmod(join(folder, 'systemd-notify'), 0o755);
  const PATH = `${folder}:${process.env.PATH}`;
  const { serving } = await startKept({ PATH, WATCHDOG_USEC: '6000000' });
  const times = () => (existsSync(heard) ? readFileSync(heard, 'utf8').split('\n').length - 1 : 0);
  await expect.poll(times).toBeGreaterThan(1);
  expect(readFileSync(heard, 'utf8')).toMatch(/^(WATCHDOG=1\n)+$/);
  const pid = programOf(serving);
  process.kill(pid, 'SIGSTOP');
  // What it said before is passed on once more.
  await expect
    .poll(async () => {
      const before = times();
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return times() - before;
    })
    .toBe(0);
  process.kill(pid, 'SIGCONT');
});
