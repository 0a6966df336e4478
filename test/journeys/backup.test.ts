// `tocsin backup` and `tocsin restore`: what was there is there again, and goes on.
import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { tablesOf } from '../../src/features/backup/inspect-target.ts';
import { takeSnapshot } from '../../src/features/backup/take-snapshot.ts';
import { writeBackup } from '../../src/features/backup/write-backup.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { makeSchema } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { writeWholeFile } from '../../src/platform/whole-file.ts';
import {
  type BackupDesk,
  cloneSmallDatabase,
  describeSchema,
  hashTables,
  openBackupDesk,
} from '../support/backup-desk.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, minutes, STORY_BEGINS_AT, seconds } from '../support/movable-clock.ts';
import { packAll } from '../support/stored-readings.ts';
import { createEmptyDatabase, isSplit } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let backups: BackupDesk;
let desk: DeliveryDesk;
let warm: ToldFreezer;
let waiting: ToldFreezer;
beforeAll(async () => {
  server = await startServerOn(await cloneSmallDatabase());
  backups = await openBackupDesk(server.clock);
  desk = await openDeliveryDesk(server, {
    emails: ['cold@lab.example'],
    webhooks: [{ kind: 'generic', url: 'https://hooks.example/cold', secret: 'the secret of the hook' }],
  });
  const { lab } = desk;
  const [first, second, third, fourth] = (await desk.freezers(4, { repeat_interval_minutes: 60 })) as [
    ToldFreezer,
    ToldFreezer,
    ToldFreezer,
    ToldFreezer,
  ];
  [warm, waiting] = [first, second];
  const at = (days: number) => server.clock.read().getTime() - days * hours(24);
  await lab.post(
    [40, 10, 1].map((days) => ({
      device: first.device,
      time: at(days),
      values: { temperature: -80.1, 'door\t"°"\\N': true },
    })),
  );
  await first.warms();
  await third.warms();
  await desk.strike();
  await desk.strike(minutes(1));
  await lab.oscar.post(`/api/v1/alarms/${third.id}/acknowledge`, { comment: 'on it\nin two lines \\.' });
  await lab.oscar.post(`/api/v1/services/${third.id}/mute`, { reason: 'noisy' });
  await lab.oscar.post('/api/v1/downtimes', {
    service_id: String(fourth.id),
    start_time: '2026-11-20T10:00',
    end_time: '2026-11-20T12:00',
    reason: 'defrost',
  });
  // Its message is due, and not delivered yet.
  await second.warms();
  await desk.decide();
  await untilSourceIsNoted(server.db, server.clock.read());
});

/** A moment after its post. */
const untilSourceIsNoted = (db: Database, now: Date) =>
  vi.waitUntil(
    async () => (await db.query(sql`select from source where last_seen_at = ${now}`)).length === 1,
    { timeout: 30_000 },
  );

async function restoreElsewhere(file: string): Promise<Database> {
  const { db } = await createEmptyDatabase();
  expect(await backups.restore(db, file)).toMatchObject({ code: 0, stderr: [] });
  return db;
}

describe('a restored database', () => {
  let file: string;
  let copy: Database;
  beforeAll(async () => {
    file = backups.newPath();
    const told = await backups.backUp(server.db, file);
    expect(told).toMatchObject({ code: 0, stderr: [] });
    expect(JSON.parse(told.stdout[0] ?? '')).toMatchObject({
      tables: expect.any(Number),
      bytes: (await stat(file)).size,
    });
    copy = await restoreElsewhere(file);
  });

  test('holds the same rows in every table', async () => {
    const hashes = await hashTables(server.db);
    expect(await hashTables(copy)).toEqual(hashes);
    for (const table of ['reading_inbox', 'alarm_event', 'delivery', 'acknowledgement', 'mute', 'downtime'])
      expect(hashes[table], table).not.toMatch(/^0 /);
  });

  // A copy is on one machine, without what Citus brings along.
  test.skipIf(isSplit())('has the same shape, to the letter', async () => {
    expect(await describeSchema(copy)).toEqual(await describeSchema(server.db));
  });

  test('says in the audit of every organization that it was restored', async () => {
    const organizations = await copy.query(sql`select id from organization`);
    const records = await copy.query<{ detail: unknown }>(
      sql`select detail from audit where action = 'database.restore'`,
    );
    expect(records).toHaveLength(organizations.length);
    expect(records[0]?.detail).toEqual({ taken_at: server.clock.read().toISOString() });
  });

  test('goes on: the alarm is shown and repeated, what waited leaves, readings are judged, numbers continue', async () => {
    const second = await startServerOn(copy);
    second.clock.advance(server.clock.read().getTime() - second.clock.read().getTime());
    const { lab, postbox } = desk;
    const ask = async (url: string, path: string, init: RequestInit = {}) => {
      const token = await server.signer.issue(
        { accountId: lab.oscar.id, generation: 1 },
        server.clock.read(),
      );
      return fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
    };
    const alarms = async (url: string) =>
      (await (await ask(url, '/api/v1/alarms')).json()) as { service_name: string }[];
    expect(await alarms(second.url)).toEqual(await alarms(server.url));

    const deliverer = desk.hire({ db: copy, clock: second.clock.read });
    const strike = async (ms: number) => {
      second.clock.advance(ms);
      postbox.arrivals.length = 0;
      await second.road.sweep(second.clock.read());
      await decideDue(copy, second.clock.read());
      await formLetters(copy, second.clock.read());
      await deliverer.work();
      await deliverer.settle();
      return postbox.tellAll().sort();
    };
    const told = ({ name }: ToldFreezer) => [
      `cold@lab.example: ${name}`,
      `https://hooks.example/cold: ${name}`,
    ];
    expect(await strike(minutes(1))).toEqual(told(waiting));
    expect(await strike(minutes(59))).toEqual([]);
    expect(await strike(seconds(2))).toEqual([...told(warm), ...told(waiting)].sort());

    const cool = { device: warm.device, time: second.clock.read().getTime(), values: { temperature: -80 } };
    const posted = await fetch(`${second.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(cool),
    });
    expect(await posted.json()).toMatchObject({ accepted: 1 });
    expect((await alarms(second.url)).map(({ service_name }) => service_name)).not.toContain(warm.name);

    const last = sql`select max(id)::int as "id" from acknowledgement`;
    const [before] = await copy.query<{ id: number }>(last);
    const acknowledged = await ask(second.url, `/api/v1/alarms/${waiting.id}/acknowledge`, {
      method: 'POST',
    });
    expect(acknowledged.status).toBe(200);
    expect(await copy.query(last)).toEqual([{ id: (before?.id ?? 0) + 1 }]);
    await untilSourceIsNoted(copy, second.clock.read());
  });

  test('is as good a source of the next backup', async () => {
    const again = backups.newPath();
    await backups.backUp(copy, again);
    expect(await hashTables(await restoreElsewhere(again))).toEqual(await hashTables(copy));
  });
});

test('a backup is one moment: what changes while it is read out is not in it', async () => {
  const db = await cloneSmallDatabase();
  const other = await startServerOn(db);
  const otherDesk = await openDeliveryDesk(other);
  const [first, second] = (await otherDesk.freezers(2)) as [ToldFreezer, ToldFreezer];
  await first.warms();
  // When a source was last heard is noted a moment after the answer.
  await expect.poll(() => db.query(sql`select from source where last_seen_at is not null`)).toHaveLength(1);
  await packAll(db, other.clock.read());
  const before = await hashTables(db);
  const file = backups.newPath();
  const watch = { onRead: () => {}, signal: new AbortController().signal };
  await db.alone(async (session) => {
    const snapshot = await takeSnapshot(session, other.clock.read());
    await second.warms();
    await otherDesk.strike();
    await otherDesk.lab.ada.post(`/api/v1/alarms/${first.id}/acknowledge`);
    // The months of readings cannot be dropped under it.
    await expect(
      db.transaction((tx) => tx.run(`set local lock_timeout = '100ms'; drop table reading_pack_2026_11`)),
    ).rejects.toThrow('lock timeout');
    await writeWholeFile(file, (sink) => writeBackup(session, snapshot, sink, watch));
  });
  expect(await hashTables(db)).not.toEqual(before);
  expect(await hashTables(await restoreElsewhere(file))).toEqual(before);
});

describe('a file that is not whole is refused, and nothing is changed', () => {
  let whole: Buffer;
  let target: Database;
  let before: Record<string, string>;
  beforeAll(async () => {
    const file = backups.newPath();
    await backups.backUp(server.db, file);
    whole = await readFile(file);
    target = await restoreElsewhere(file);
    before = await hashTables(target);
  });
  const flip = (from: 'start' | 'middle' | 'end', by: number) => () => {
    const at = { start: 0, middle: whole.length >> 1, end: whole.length }[from] + by;
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const DAMAGED = /damaged|cut short|not a backup/;

  test.each<[string, () => Buffer, RegExp]>([
    ['empty', () => Buffer.alloc(0), /^\S+ is empty$/],
    ['a text', () => Buffer.from('Dear lab,\n'.repeat(100)), /^\S+ is not a backup of Tocsin$/],
    ['another gzip', () => gzipSync(randomBytes(1000)), /no(t a)? backup of Tocsin$/],
    ['one bit at the beginning', flip('start', 4), DAMAGED],
    ['one bit in the first lines', flip('start', 200), DAMAGED],
    ['one bit in the middle', flip('middle', 0), DAMAGED],
    ['one bit in the last rows', flip('end', -300), DAMAGED],
    ['one bit in the checksum', flip('end', -30), DAMAGED],
    ['one bit in the last byte', flip('end', -1), DAMAGED],
    ['cut after a few bytes', () => whole.subarray(0, 50), DAMAGED],
    ['cut in the middle', () => whole.subarray(0, whole.length >> 1), DAMAGED],
    ['without its checksum', () => whole.subarray(0, -98), DAMAGED],
    ['without its last byte', () => whole.subarray(0, -1), DAMAGED],
    ['with something behind it', () => Buffer.concat([whole, Buffer.from('\n')]), DAMAGED],
  ])('%s', async (_, make, complaint) => {
    const content = make();
    const file = backups.newPath();
    await writeFile(file, content);
    const replacing = { isReplacing: true, isSure: true };
    const refused = { code: 1, stdout: [], stderr: [expect.stringMatching(complaint)] };
    expect(await backups.verify(file)).toEqual(refused);
    expect(await backups.restore(target, file, replacing)).toEqual(refused);
    // Read only once, it is known at the end.
    const piped = await backups.restore(target, '-', { ...replacing, input: content });
    expect(piped).toMatchObject({ code: 1, stdout: [] });
    expect(await hashTables(target)).toEqual(before);
  });

  test('the whole one is taken, from standard input too', async () => {
    expect((await backups.restore(target, '-', { isReplacing: true, isSure: true, input: whole })).code).toBe(
      0,
    );
    expect(await hashTables(target)).toEqual(before);
  });
});

describe('what is there is not lost by accident', () => {
  let file: string;
  beforeAll(async () => {
    file = backups.newPath();
    await backups.backUp(server.db, file);
  });
  const refusal = (line: RegExp) => ({ code: 1, stdout: [], stderr: [expect.stringMatching(line)] });
  /** A database of its own with an organization in it. */
  const inUse = async () => {
    const db = await cloneSmallDatabase();
    await db.query(sql`insert into organization (name, created_at) values ('Virology', ${STORY_BEGINS_AT})`);
    return db;
  };

  test('a schema without people and equipment is replaced without a question', async () => {
    const db = await cloneSmallDatabase();
    expect((await backups.restore(db, file)).code).toBe(0);
  });

  test('one with data asks for --replace, then asks again', async () => {
    const db = await inUse();
    const before = await hashTables(db);
    expect(await backups.restore(db, file)).toEqual(
      refusal(/^The database holds 1 organization\(s\) and 0 account\(s\) .* --replace/),
    );
    expect(await backups.restore(db, file, { isReplacing: true })).toEqual(refusal(/ --yes /));
    const questions: string[] = [];
    const answering = (answer: string) => async (question: string) => {
      questions.push(question);
      return answer;
    };
    expect(await backups.restore(db, file, { isReplacing: true, ask: answering('no') })).toEqual(
      refusal(/^Nothing was changed\.$/),
    );
    expect(questions).toEqual([expect.stringContaining('Type yes to go on: ')]);
    expect(await hashTables(db)).toEqual(before);
    expect((await backups.restore(db, file, { isReplacing: true, ask: answering('yes') })).code).toBe(0);
    expect(await hashTables(db)).toEqual(await hashTables(server.db));
  });

  test('not while a program runs on it', async () => {
    const db = await inUse();
    await db.query(sql`
      insert into program (id, host, pid, version, roles, started_at, beat_at)
      values (gen_random_uuid(), 'lab-server', 4711, '0.1.0', '{web}', ${server.clock.read()}, ${server.clock.read()})`);
    expect(await backups.restore(db, file, { isReplacing: true, isSure: true })).toEqual(
      refusal(/^A program of Tocsin runs on this database \(lab-server, process 4711\)/),
    );
    await db.query(sql`update program set beat_at = ${new Date(server.clock.read().getTime() - minutes(1))}`);
    expect((await backups.restore(db, file, { isReplacing: true, isSure: true })).code).toBe(0);
  });

  test('not while a backup is read out of it', async () => {
    const db = await inUse();
    const restored = await db.alone(async (session) => {
      await takeSnapshot(session, server.clock.read());
      return backups.restore(db, file, { isReplacing: true, isSure: true });
    });
    expect(restored).toEqual(refusal(/^Somebody is using the database/));
  });

  test("not while somebody else's tables would go too", async () => {
    const { db } = await createEmptyDatabase();
    await db.transaction((tx) => tx.run('create table orders (id integer)'));
    expect(await backups.restore(db, file, { isReplacing: true, isSure: true })).toEqual(
      refusal(/tables that are not Tocsin's \(orders\)/),
    );
  });

  test('which tables are its own is known from the migrations', async () => {
    const own = tablesOf(await readMigrations());
    expect(Object.keys(await hashTables(server.db)).filter((name) => !own.has(name))).toEqual([]);
  });
});

describe('between versions', () => {
  /** A database as an older version left it. */
  async function makeOlder() {
    const { db } = await createEmptyDatabase();
    const migrations = (await readMigrations()).slice(0, 10);
    await db.alone((session) => makeSchema(session, migrations, STORY_BEGINS_AT));
    await db.query(sql`insert into organization (name, created_at) values ('Virology', ${STORY_BEGINS_AT})`);
    return { db, migrations };
  }

  test.skipIf(isSplit())('an older backup is restored as it was, then migrated', async () => {
    const { db, migrations } = await makeOlder();
    const file = backups.newPath();
    await backups.backUp(db, file);
    const { db: copy } = await createEmptyDatabase();
    const told = await backups.restore(copy, file, { isJson: true });
    const all = await readMigrations();
    expect(JSON.parse(told.stdout[0] ?? '')).toMatchObject({
      migrations_applied: all.length - migrations.length,
    });
    expect(await copy.query(sql`select name from organization`)).toEqual([{ name: 'Virology' }]);
    const withoutPartitions = async (db: Database) =>
      (await describeSchema(db)).filter(({ thing }) => !/reading(_minute|_hour)?_\d/.test(thing));
    expect(await withoutPartitions(copy)).toEqual(await withoutPartitions(server.db));
  });

  test.each([
    [
      'newer',
      { name: '9999_later.sql', checksum: 'x' },
      /comes from a newer version of Tocsin .*9999_later\.sql/,
    ],
    ['another', null, /was made by another migration 0001_people\.sql/],
  ])('a backup of %s version is refused', async (_, later, complaint) => {
    const db = await cloneSmallDatabase();
    if (later)
      await db.query(
        sql`insert into schema_migration values (${later.name}, ${later.checksum}, ${STORY_BEGINS_AT})`,
      );
    else await db.query(sql`update schema_migration set checksum = 'y' where name = '0001_people.sql'`);
    const file = backups.newPath();
    await backups.backUp(db, file);
    const { db: target } = await createEmptyDatabase();
    expect(await backups.restore(target, file)).toEqual({
      code: 1,
      stdout: [],
      stderr: [expect.stringMatching(complaint)],
    });
  });

  test('a backup takes the place of what a newer version made', async () => {
    const { db, migrations } = await makeOlder();
    expect(migrations).not.toEqual([]);
    const file = backups.newPath();
    await backups.backUp(db, file);
    const newer = await cloneSmallDatabase();
    await newer.transaction((tx) =>
      tx.run(`
        create table later (id integer generated always as identity primary key);
        create function later() returns integer language sql as 'select 1';
        create view latest as select * from later;
        create type mood as enum ('fine');
        insert into schema_migration values ('9999_later.sql', 'x', '2026-11-15');
        insert into account (email, name, created_at) values ('vera@lab.example', 'Vera', '2026-11-15')`),
    );
    expect((await backups.restore(newer, file, { isReplacing: true, isSure: true })).code).toBe(0);
    const left = await newer.query(
      raw(`select relname from pg_class where relname in ('later', 'latest')
      union all select proname from pg_proc where proname = 'later' union all select typname from pg_type where typname = 'mood'`),
    );
    expect(left).toEqual([]);
  });
});

test('an empty database cannot be backed up', async () => {
  const { db } = await createEmptyDatabase();
  expect(await backups.backUp(db, backups.newPath())).toEqual({
    code: 1,
    stdout: [],
    stderr: ['The database is empty: there is nothing to back up.'],
  });
});

test('a backup that cannot be written says why, and leaves nothing behind', async () => {
  const told = await backups.backUp(server.db, join(backups.folder, 'no such folder', 'backup.gz'));
  expect(told).toEqual({
    code: 1,
    stdout: [],
    stderr: [expect.stringMatching(/backup\.gz cannot be written: ENOENT/)],
  });
});
