// A real disk that runs full under the program and its embedded database, and has room again. Needs somebody who may mount:
// elsewhere the server's words are played by test/faults/disk-full.test.ts.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { runCommand, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { listStored } from '../support/stored-readings.ts';

const SECRET = 'the secret of the gateway';
const LAB = JSON.stringify({
  organizations: [
    {
      name: 'Cell Biology',
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: [{ name: 'Cold team', emails: ['cold@lab.example'] }],
      services: [1, 2].map((number) => ({
        name: `Freezer ${number}`,
        device: { key: `freezer-${number}` },
        limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        notifications: { group: 'Cold team', send_critical: true },
      })),
    },
  ],
});
const MEGABYTE = 1024 * 1024;

/** null: whoever runs the tests may not mount. */
function mountSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-disk-'));
  chmodSync(folder, 0o755);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Leaves nothing but crumbs. */
function fillUp(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  const chunk = Buffer.alloc(MEGABYTE / 16);
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(ballast, '');
  try {
    for (let left = bavail * bsize; left > 0; left -= chunk.length)
      writeFileSync(ballast, chunk, { flag: 'a' });
  } catch (error) {
    expect((error as { code?: string }).code).toBe('ENOSPC');
  }
  return () => rmSync(ballast);
}

test('what is answered is there afterwards, the rest is refused, and alarms go out again by themselves', async ({
  skip,
}) => {
  const disk = mountSmallDisk();
  if (!disk) return skip('nobody here may mount a disk of a size of its own');
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  const smtp = await openSmtpReceiver();
  const env = { TOCSIN_DATA: dataDir, SMTP_URL: smtp.url, LOG_LEVEL: 'silent' };
  expect(await runCommand(['apply', '-'], env, LAB)).toMatchObject({ code: 0 });
  const serving = await startServing(env);
  const send = async (device: number, temperature: number, time: number) => {
    try {
      const answer = await fetch(`${serving.url}/api/v1/telemetry`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ device: `freezer-${device}`, time, values: { temperature } }),
      });
      return answer.status;
    } catch {
      return 0;
    }
  };
  let time = Date.now() - 3_600_000;
  const answered: number[] = [];
  const sendMany = async (count: number) => {
    const statuses = new Set<number>();
    for (let index = 0; index < count; index += 1) {
      time += 100;
      const status = await send(1, -80, time);
      statuses.add(status);
      if (status === 200) answered.push(time);
    }
    return statuses;
  };
  expect(await sendMany(20)).toEqual(new Set([200]));

  const makeRoom = fillUp(disk);
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        for (const status of await sendMany(50)) seen.add(status);
        return seen.has(503);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(await (await fetch(`${serving.url}/health`)).json()).toMatchObject({ service: 'tocsin' });

  makeRoom();
  await expect.poll(() => send(2, -40, Date.now()), { timeout: 90_000, interval: 1_000 }).toBe(200);
  await expect.poll(() => smtp.subjects.length, { timeout: 90_000 }).toBe(1);
  expect(smtp.subjects[0]).toContain('Freezer 2');
  expect(await sendMany(5)).toEqual(new Set([200]));
  const database = await openEmbedded({ dataDir });
  const db = openPool({ ...database.connection, database: 'tocsin' }, () => {});
  const [freezer] = await db.query<{ id: number }>(sql`select id from service where name = 'Freezer 1'`);
  const stored = await listStored(db, freezer?.id as number);
  expect(stored.map(({ at }) => at.getTime())).toEqual(answered);
  await db.close();
  await database.close();
});
