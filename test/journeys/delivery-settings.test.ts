// How messages leave, set on one program and in force in all of them.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDeliverySettings } from '../../src/engine/delivery-settings/delivery-settings.ts';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { deleteSetting, selectSealed, upsertSetting } from '../../src/engine/delivery-settings/stored.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { type HouseKey, openHouseKey } from '../../src/platform/auth/house-key.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import type { Mail } from '../../src/platform/mail/mail.ts';
import { cloneSmallDatabase, openBackupDesk } from '../support/backup-desk.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { openSmtpReceiver, type SmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase, createEmptyDatabase } from '../support/test-database.ts';

const MAIL: Mail = {
  id: '1',
  threadId: null,
  to: { name: null, address: 'cold@lab.example' },
  subject: 'Freezer 3',
  body: { text: 'Too warm', html: '<p>Too warm</p>', pictures: [] },
  headers: {},
  isUrgent: false,
};

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
});
beforeEach(() => db.query(sql`delete from delivery_setting`));

const keyOf = (text: string): HouseKey =>
  openHouseKey({ key: Buffer.from(text.repeat(40)), dataDir: '/none', databaseUrl: null });

const startProgram = (key = keyOf('k'), env: Record<string, string> = {}) =>
  openDeliverySettings({ db, environment: readEnvironment(env), key }, now);

const storeServer = async ({ port }: Pick<SmtpReceiver, 'port'>, key = keyOf('k')) => {
  const sealing = await key.readOrMake();
  if (typeof sealing === 'string') throw new Error(sealing);
  const auth = { user: 'tocsin', password: 'the password of the mail server' };
  const value = { host: '127.0.0.1', port, tls: 'offered' as const, auth, ca: null };
  await db.transaction((tx) => upsertSetting(tx, sealing, { name: 'mail_server', value, by: 'Ada' }, now));
};

const send = (mailer: ReturnType<typeof openMailer>) =>
  mailer.send(MAIL, { organizationName: 'Cell Biology' }, now, new AbortController().signal);

test('what is set is in force in every program with the key, without a restart, and over when it is removed', async () => {
  const auth = { user: 'tocsin', password: 'the password of the mail server' };
  const receiver = await openSmtpReceiver({ auth });
  const [one, two] = [await startProgram(), await startProgram()];
  const mailer = openMailer({ settings: two.inForce, db });
  onTestFinished(() => mailer.close());
  expect(mailer.choose().isKept).toBe(true);

  await storeServer(receiver);
  await Promise.all([one, two].map((program) => program.task.run(now)));
  expect([one, two].map((program) => program.inForce().mail.kind)).toEqual(['server', 'server']);
  expect(await send(mailer)).toEqual({ isSent: true, handedTo: '127.0.0.1' });
  expect(receiver.mails).toMatchObject([{ user: 'tocsin', from_: 'tocsin@localhost' }]);

  await db.transaction((tx) => deleteSetting(tx, 'mail_server'));
  await two.refresh();
  expect(mailer.choose().isKept).toBe(true);
  await expect.poll(receiver.connections).toBe(0);
});

test('connections are kept as long as nothing changes, and made anew for another server', async () => {
  const auth = { user: 'tocsin', password: 'the password of the mail server' };
  const [before, after] = [await openSmtpReceiver({ auth }), await openSmtpReceiver({ auth })];
  await storeServer(before);
  const program = await startProgram();
  const mailer = openMailer({ settings: program.inForce, db });
  onTestFinished(() => mailer.close());
  await send(mailer);
  await program.refresh();
  await send(mailer);
  expect([before.mails.length, before.connections()]).toEqual([2, 1]);
  await storeServer(after);
  await program.refresh();
  await send(mailer);
  expect([before.mails.length, after.mails.length]).toEqual([2, 1]);
  await expect.poll(before.connections).toBe(0);
});

test('the environment wins, and is what is sent by', async () => {
  const [stored, given] = [await openSmtpReceiver(), await openSmtpReceiver()];
  await storeServer(stored);
  const program = await startProgram(keyOf('k'), { SMTP_URL: given.url });
  const mailer = openMailer({ settings: program.inForce, db });
  onTestFinished(() => mailer.close());
  await send(mailer);
  expect([stored.count, given.count]).toEqual([0, 1]);
});

describe('without the key', () => {
  test('a mail waits for a program that has it, and is not kept as if there were no server', async () => {
    await storeServer({ port: 1 });
    const program = await startProgram(keyOf('x'));
    expect(program.inForce()).toMatchObject({ mail: { kind: 'unread' }, unread: ['mail_server'] });
    const mailer = openMailer({ settings: program.inForce, db });
    expect(await send(mailer)).toEqual({
      isSent: false,
      isFinal: false,
      error: 'This program has not the key to the settings of the mail server',
    });
    expect(await db.query(sql`select 1 from kept_mail`)).toEqual([]);
  });

  test('nothing of it can be read in the database', async () => {
    await storeServer({ port: 1 });
    const [row] = await selectSealed(db);
    expect(row?.sealed.toString('latin1')).not.toMatch(/password|tocsin|127/);
  });
});

describe('the key in a file', () => {
  const makeFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-key-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  };

  test('is made when it is first needed, for its owner only, and stays', async () => {
    const dataDir = join(await makeFolder(), 'data');
    const key = openHouseKey({ key: null, dataDir, databaseUrl: null });
    expect(key.read()).toBeNull();
    const made = await key.readOrMake();
    expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect((await stat(join(dataDir, 'delivery.key'))).mode & 0o777).toBe(0o600);
    expect(openHouseKey({ key: null, dataDir, databaseUrl: null }).read()).toEqual(made);
  });

  test('of several programs that begin at the same time all have the same', async () => {
    const dataDir = await makeFolder();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => openHouseKey({ key: null, dataDir, databaseUrl: null }).readOrMake()),
    );
    expect(new Set(made.map((key) => (typeof key === 'string' ? key : key.id))).size).toBe(1);
  });

  test('is found by a program that runs already, once somebody brought it', async () => {
    const [mine, theirs] = [await makeFolder(), await makeFolder()];
    await storeServer({ port: 1 }, openHouseKey({ key: null, dataDir: theirs, databaseUrl: null }));
    const program = await startProgram(openHouseKey({ key: null, dataDir: mine, databaseUrl: null }));
    expect(program.inForce().mail.kind).toBe('unread');
    await writeFile(join(mine, 'delivery.key'), await readFile(join(theirs, 'delivery.key')));
    await program.refresh();
    expect(program.inForce().mail.kind).toBe('server');
  });

  test('is not made in a folder that a restart may empty, where the database stays', async () => {
    const place = { key: null, dataDir: await makeFolder(), databaseUrl: 'postgres://db.lab.example/tocsin' };
    expect(await openHouseKey(place).readOrMake()).toMatch(/may be empty after a restart/);
    expect(openHouseKey(place).read()).toBeNull();
  });

  test('that cannot be written is a sentence', async () => {
    const file = join(await makeFolder(), 'file');
    await writeFile(file, '');
    expect(await openHouseKey({ key: null, dataDir: file, databaseUrl: null }).readOrMake()).toMatch(
      /delivery\.key cannot be written: /,
    );
  });
});

test('the administrator who is there longest becomes keeper of a house from before', async () => {
  const own = await cloneDatabase();
  await own.db.query(sql`alter table account drop column is_keeper`);
  await own.db.query(sql`delete from schema_migration where name like '0058%'`);
  await own.db.query(sql`
    with place as (insert into organization (name, created_at) values ('Cell Biology', ${now}) returning id),
    person as (
      insert into account (email, name, is_active, created_at)
      select name || '@lab.example', name, name <> 'gone', ${now}::timestamptz + age * interval '1 day'
      from (values ('vera', 1), ('gone', 2), ('ada', 3), ('olga', 4)) as one (name, age) returning id, name)
    insert into membership (account_id, organization_id, role, created_at)
    select person.id, place.id, case when name = 'vera' then 'viewer' else 'administrator' end, ${now} from person, place`);
  await migrate(own.db, now);
  expect(await own.db.query(sql`select name from account where is_keeper`)).toEqual([{ name: 'ada' }]);
});

test('a restore says what it cannot read without the key', async () => {
  const [from, to] = [await cloneSmallDatabase(), await createEmptyDatabase()];
  const key = await keyOf('k').readOrMake();
  if (typeof key === 'string') throw new Error(key);
  const value = { token: 'the token of the application' };
  await from.transaction((tx) => upsertSetting(tx, key, { name: 'pushover', value, by: 'Ada' }, now));
  const desk = await openBackupDesk();
  const file = desk.newPath();
  await desk.backUp(from, file);
  const told = await desk.restore(to.db, file);
  expect(told.stderr.join()).toMatch(/with a key that is not here \(pushover\)\. Bring it back: TOCSIN_KEY/);
});
