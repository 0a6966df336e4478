// Readings split over the workers of a Citus. One of them is killed under a lab at work, stands in doubt between keeping and
// showing, and gets company.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { readStored } from '../../src/engine/readings/read-stored.ts';
import { makeMonths, selectMonths } from '../../src/engine/readings/reading-months.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import {
  asAdministratorOf,
  type CitusServers,
  hasCitus,
  joinNodes,
  NO_CITUS,
  startCitus,
} from '../support/citus-servers.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts';
import { urlOf } from '../support/postgres-server.ts';
import { makeDataDir, runCommand } from '../support/program.ts';
import { findQuietPorts } from '../support/quiet-ports.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';
import { openWatchedLab } from './watched-lab.ts';

if (!hasCitus()) process.stderr.write(`The tests of Citus are skipped: ${NO_CITUS}\n`);
const NOW = new Date('2026-11-17T12:00:00Z');
const say = (line: string) => process.stderr.write(`${line}\n`);

let servers: CitusServers;
beforeAll(async () => {
  if (!hasCitus()) return;
  servers = await startCitus();
  whenFileIsDone(() => servers.stop());
});

interface Split {
  db: Database;
  env: { DATABASE_URL: string };
  /** On the way to the second worker. */
  proxy: DatabaseProxy;
}

/** A database on all machines, and nothing in it. */
async function createDatabase(name: string): Promise<Split> {
  const { coordinator, workers } = servers;
  for (const node of [coordinator, ...workers])
    await asAdministratorOf(node, 'postgres', `create database ${name} owner tocsin`);
  const [one, other] = workers.map(({ connection }) => connection) as [Connection, Connection];
  const proxy = await openDatabaseProxy(other);
  await joinNodes(coordinator.connection, [one, { ...other, port: proxy.port }], name);
  const db = openPool({ ...coordinator.connection, user: 'tocsin', database: name }, () => {});
  whenFileIsDone(() => db.close());
  return { db, proxy, env: { DATABASE_URL: urlOf(coordinator.connection, name) } };
}

type Connection = CitusServers['coordinator']['connection'];

const SERVICES = 20;
const PER_SERVICE = 50;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A reading a minute of services that nobody made. */
async function enterReadings(db: Database, beginAt: number): Promise<void> {
  const places = numbers(SERVICES * PER_SERVICE);
  const ids = places.map((place) => 1 + Math.floor(place / PER_SERVICE));
  await db.query(
    appendHistory(
      1 as OrganizationId,
      {
        serviceIds: ids as ServiceId[],
        channelIds: ids,
        ats: places.map((place) => beginAt + (place % PER_SERVICE) * 60_000),
        values: places,
      },
      NOW,
    ),
  );
}

async function countReadings(db: Database): Promise<number> {
  const channels = numbers(SERVICES).map((number) => ({
    serviceId: (number + 1) as ServiceId,
    channelId: number + 1,
  }));
  const { byChannel } = await readStored(db, channels, { from: 0, to: NOW.getTime() + DAY_MS });
  return [...byChannel.values()].reduce((sum, { ats }) => sum + ats.length, 0);
}

const inPacks = async (db: Database) =>
  (await db.query<{ count: number }>(sql`select coalesce(sum(count), 0)::int as count from reading_pack`))[0]
    ?.count;
const inInbox = async (db: Database) =>
  (await db.query<{ count: number }>(sql`select coalesce(sum(count), 0)::int as count from reading_inbox`))[0]
    ?.count;

test.runIf(hasCitus())('readings move to the workers, and months and migrations go on', async () => {
  const { db, env } = await createDatabase('moved');
  await migrate(db, NOW);
  await enterReadings(db, NOW.getTime() - 40 * DAY_MS);
  await enterReadings(db, NOW.getTime() - DAY_MS);
  await packInbox(db, NOW, { atOnce: true });

  const moved = await runCommand(['distribute', '--shards', '6'], env);
  expect(moved).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/are distributed:\n.*: 3 shards\n.*: 3 shards/),
  });
  expect(moved.stderr).toContain('Moving readings to the workers: month 2 of 2.');
  const again = await runCommand(['distribute', '--json'], env);
  expect(JSON.parse(again.stdout)).toMatchObject({
    distributed: false,
    workers: [{ shards: 3 }, { shards: 3 }],
  });
  expect(await countReadings(db)).toBe(2 * SERVICES * PER_SERVICE);
  const left = await db.query(sql`
    select from pg_inherits where inhparent = 'reading_pack'::regclass and pg_relation_size(inhrelid) > 0`);
  expect(left).toEqual([]);

  await enterReadings(db, NOW.getTime() - 80 * DAY_MS);
  await packInbox(db, NOW, { atOnce: true });
  expect(await countReadings(db)).toBe(3 * SERVICES * PER_SERVICE);
  expect((await selectMonths(db)).length).toBe(3);
  await db.transaction((tx) => makeMonths(tx, [0]));
  for (const text of [
    'alter table reading_pack add column note text',
    'create index reading_pack_note on reading_pack (service_id) where note is not null',
  ])
    await db.transaction((tx) => tx.run(text));
  await db.query(sql`update reading_pack set note = 'seen' where service_id = 7`);
  await db.transaction((tx) => tx.run('drop table reading_pack_2026_10'));
  expect(await countReadings(db)).toBe(2 * SERVICES * PER_SERVICE);
});

test.runIf(hasCitus())('a backup is whole, and what is restored is split again', async () => {
  const { db, env } = await createDatabase('restored');
  await migrate(db, NOW);
  await runCommand(['distribute', '--shards', '6'], env);
  await db.query(sql`insert into organization (name, created_at) values ('Cell Biology', ${NOW})`);
  await enterReadings(db, NOW.getTime() - 40 * DAY_MS);
  await packInbox(db, NOW, { atOnce: true });
  await enterReadings(db, NOW.getTime() - DAY_MS);
  const folder = await makeDataDir();
  await mkdir(folder);
  const file = join(folder, 'backup.gz');
  expect(await runCommand(['backup', file], env)).toMatchObject({ code: 0 });
  await enterReadings(db, NOW.getTime() - 2 * DAY_MS);
  expect(await runCommand(['restore', file, '--replace', '--yes'], env)).toMatchObject({ code: 0 });
  expect(await countReadings(db)).toBe(2 * SERVICES * PER_SERVICE);
  const { stdout } = await runCommand(['distribute', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ distributed: false, workers: [{ shards: 3 }, { shards: 3 }] });
});

test.runIf(hasCitus())('pages of a service ask one shard, and nobody asks more than one needs', async () => {
  const { db, env } = await createDatabase('planned');
  await migrate(db, NOW);
  await runCommand(['distribute'], env);
  const explain = async (condition: string) =>
    (
      await db.query<{ 'QUERY PLAN': string }>(
        sql`explain select * from reading_pack where ${raw(condition)} and day between '2026-11-01' and '2026-11-17'`,
      )
    )
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  expect(await explain('service_id = any(array[7])')).toContain('Task Count: 1');
  expect(await explain('service_id = any(array[7]) and channel_id = any(array[1, 2, 3])')).toContain(
    'Task Count: 1',
  );
});

test.runIf(hasCitus())(
  'what a worker keeps and does not show yet is still read, and in the end each is there once',
  async () => {
    const { db, env, proxy } = await createDatabase('doubted');
    await migrate(db, NOW);
    await runCommand(['distribute'], env);
    await enterReadings(db, NOW.getTime() - DAY_MS);
    let isCut = false;
    proxy.onSent = (sent) => {
      if (!isCut && sent.includes('COMMIT PREPARED')) isCut = true;
      return isCut ? 'cut_before' : 'pass';
    };
    await packInbox(db, NOW, { atOnce: true });
    expect(isCut).toBe(true);
    expect(await inInbox(db)).toBe(SERVICES * PER_SERVICE);
    proxy.onSent = () => 'pass';
    expect(await countReadings(db)).toBe(SERVICES * PER_SERVICE);
    await expect
      .poll(async () => {
        await packInbox(db, NOW, { atOnce: true });
        return inInbox(db);
      })
      .toBe(0);
    expect(await inPacks(db)).toBe(SERVICES * PER_SERVICE);
    expect(await countReadings(db)).toBe(SERVICES * PER_SERVICE);
  },
);

test.runIf(hasCitus())(
  'a worker is killed, comes back and gets company, and nothing that was answered is lost',
  async () => {
    const { db, env, proxy } = await createDatabase('lab');
    const [port = 0] = await findQuietPorts(1);
    const lab = await openWatchedLab({
      url: env.DATABASE_URL,
      web: { url: `http://127.0.0.1:${port}`, ports: [port] },
    });
    await lab.untilWell();
    const distributed = await runCommand(['distribute', '--json'], env);
    expect(distributed).toMatchObject({ code: 0 });
    await lab.untilWell();
    await packInbox(db, new Date(), { atOnce: true });

    const [, worker] = servers.workers as [unknown, CitusServers['workers'][number]];
    lab.beginRound();
    await worker.kill();
    await lab.untilWell();
    const doctor = await runCommand(['doctor'], env);
    expect(doctor.stdout).toMatch(
      /database: The coordinator of the database does not reach 127\.0\.0\.1:\d+\. Alarms go on/,
    );
    await expect(packInbox(db, new Date(), { atOnce: true })).rejects.toThrow();
    const [lost] = await db.query<{ id: number }>(sql`
      select service_id as id from channel cross join lateral
        (select get_shard_id_for_distribution_column('reading_pack', service_id) as shardid offset 0) shard
      join pg_dist_shard_placement using (shardid) where nodeport = ${proxy.port} limit 1`);
    expect(await lab.look(`/services/${lost?.id}`)).toBe(503);
    expect(await lab.look('/services')).toBe(200);
    await lab.untilWell();
    await worker.start();
    await expect.poll(async () => (await runCommand(['doctor'], env)).stdout).not.toContain('does not reach');
    say(`worker killed: ${JSON.stringify(lab.round())}`);

    lab.beginRound();
    const company = await servers.startWorker();
    const { host, port: newPort } = company.connection;
    await asAdministratorOf(company, 'postgres', 'create database lab owner tocsin');
    await asAdministratorOf(company, 'lab', 'create extension citus');
    await asAdministratorOf(
      servers.coordinator,
      'lab',
      `select citus_add_node('${host}', ${newPort})`,
      'select citus_rebalance_start()',
      'select citus_rebalance_wait()',
    );
    await lab.untilWell();
    const after = JSON.parse((await runCommand(['distribute', '--json'], env)).stdout);
    expect(after.workers.map(({ shards }: { shards: number }) => shards > 0)).toEqual([true, true, true]);
    say(`worker added: ${JSON.stringify(lab.round())}`);

    await lab.finish();
    const tolls = await lab.count(db);
    say(`of ${JSON.stringify(lab.answered())}: ${JSON.stringify(tolls)}`);
    expect(lab.surprises).toEqual([]);
    for (const toll of tolls)
      expect(toll).toMatchObject({
        lostReadings: 0,
        lostAcknowledgements: 0,
        lostAlarms: 0,
        doubledReadings: 0,
      });
  },
);
