// The service notices when it does not do its work, and says so wherever somebody may look: each case broken for real.
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import sql from 'sql-template-tag';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { FINDINGS, type FindingName } from '../../src/domain/self-watch.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createHeartbeat } from '../../src/engine/self-watch/heartbeat.ts';
import { lookAtService } from '../../src/engine/self-watch/look.ts';
import { measureHost } from '../../src/engine/self-watch/measure-host.ts';
import { recordEnds, releaseItem, selectSetAside } from '../../src/engine/self-watch/program-ends.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { readFigures } from '../../src/engine/self-watch/read-figures.ts';
import { createWatch } from '../../src/engine/self-watch/watch.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { measureHealth } from '../../src/features/health/metrics.ts';
import { readConfig } from '../../src/platform/config.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { hours, seconds } from '../support/movable-clock.ts';
import { refused } from '../support/postbox.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { type House, openHouse } from '../support/watched-house.ts';
import { answers, startWebhookReceiver } from '../support/webhook-receiver.ts';

type Mend = () => Promise<unknown> | unknown;

interface Case {
  /** How it is said everywhere. */
  words: string;
  /** Answers with the way to mend it. */
  breaks: (house: House, server: TestServer) => Promise<Mend>;
  /** After this long it is found, and not ten seconds earlier. */
  afterMs: number;
}

/** Whoever writes to the table fails, each time. */
const raises = async (db: Database, table: string, event: string): Promise<Mend> => {
  await db.transaction((tx) =>
    tx.run(`
      create function break_it() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger break_it before ${event} on ${table} for each statement execute function break_it()`),
  );
  return () => db.transaction((tx) => tx.run('drop function break_it cascade'));
};

/** Somebody holds the rows, and those who would work on them leave them alone. */
async function holds(db: Database, table: string): Promise<Mend> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = () => {};
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const done = db.transaction(async (tx) => {
    await tx.run(`select from ${table} for update`);
    isHeld();
    await held;
  });
  await holding;
  return async () => {
    release();
    await done;
  };
}

const setTimer = (server: TestServer) =>
  server.db.query(sql`update alarm_state set next_due_at = ${server.clock.read()}`);

const tells = async ({ desk }: House) => (await desk.freezer()).warms();

function hireMailer({ desk }: House, { db }: TestServer, url: string, rest = {}) {
  const config = readConfig({ SMTP_URL: url });
  const mailer = openMailer({ settings: settled(config), db });
  onTestFinished(() => mailer.close());
  const transports = { ...desk.postbox.transports, email: createEmailTransport({ mailer }) };
  return desk.hire({ transports, ...rest });
}

const MEBIBYTE = 1024 ** 2;

const CASES: Partial<Record<FindingName, Case>> = {
  no_engine: {
    words: 'No program runs the clock: timers do not fire',
    afterMs: seconds(20),
    breaks: async (house) => {
      house.isRunning.engine = false;
      return () => {
        house.isRunning.engine = true;
      };
    },
  },
  program_ended: {
    words:
      'A program was begun again within the last 24 hours, once because it stood still, in sort (src/a.ts:7)',
    afterMs: seconds(10),
    breaks: async (_, { db, clock }) => {
      const at = new Date(clock.read().getTime() + seconds(5));
      const end = { at: at.toISOString(), cause: 'standstill' as const, how: 'SIGKILL', inHand: [] };
      await recordEnds(db, [{ ...end, places: ['sort (src/a.ts:7)', 'run (src/b.ts:1)'] }], at);
      return async () => void (await db.query(sql`delete from program_end`));
    },
  },
  packing_lost: {
    words: 'The thread that packs readings was lost on',
    afterMs: seconds(10),
    breaks: async (house) => {
      house.isPackingLost = true;
      return () => {
        house.isPackingLost = false;
      };
    },
  },
  set_aside: {
    words: 'Set aside, because it ended the program twice: series 17',
    afterMs: seconds(10),
    breaks: async (_, { db, clock }) => {
      // Long ago: what was set aside stays so when nobody speaks of the ends any more.
      const daysAgo = (days: number) =>
        new Date(clock.read().getTime() - days * 24 * 60 * 60_000).toISOString();
      const end = { cause: 'died' as const, how: 'SIGABRT', places: [] };
      const later = new Date(clock.read().getTime() + seconds(5));
      await recordEnds(db, [{ ...end, at: daysAgo(29), inHand: ['series 17', 'series 18'] }], later);
      expect(await selectSetAside(db)).toEqual([]);
      await recordEnds(db, [{ ...end, at: daysAgo(28), inHand: ['series 17'] }], later);
      return async () => void (await releaseItem(db, 'series 17'));
    },
  },
  timers_late: {
    words: 'Alarms are judged late: a timer has been due for',
    afterMs: seconds(35),
    breaks: async ({ desk }, server) => {
      await desk.freezer();
      await server.road.sweep(server.clock.read());
      await setTimer(server);
      return holds(server.db, 'alarm_state');
    },
  },
  sweep_failing: {
    words: 'No sweep has succeeded for 1 minute',
    afterMs: seconds(65),
    breaks: async ({ desk }, { db }) => {
      await desk.freezer();
      // As of a service not yet looked at: it is not late, and it waits.
      await db.query(sql`update alarm_state set next_due_at = '-infinity'`);
      return raises(db, 'alarm_state', 'update');
    },
  },
  no_deliverer: {
    words: 'No program decides and delivers: nobody is notified of anything',
    afterMs: seconds(20),
    breaks: async (house) => {
      house.isRunning.deliver = false;
      return () => {
        house.isRunning.deliver = true;
      };
    },
  },
  decisions_late: {
    words: 'Notifications are decided late: something has waited for',
    afterMs: seconds(65),
    breaks: async (house, { db }) => {
      await tells(house);
      return holds(db, 'notification_schedule');
    },
  },
  decide_failing: {
    words: 'No decision has succeeded for 1 minute',
    afterMs: seconds(65),
    breaks: async (house, { db }) => {
      await tells(house);
      return raises(db, 'notification', 'update');
    },
  },
  messages_late: {
    words: 'Messages leave late: one has been due for 1 minute 5 seconds without an attempt',
    afterMs: seconds(70),
    breaks: async (house, { db }) => {
      await tells(house);
      return holds(db, 'notification_group');
    },
  },
  deliver_failing: {
    words: 'No delivery has succeeded for 1 minute',
    afterMs: seconds(70),
    breaks: async (house, { db }) => {
      await tells(house);
      return raises(db, 'letter', 'insert');
    },
  },
  mail_kept: {
    words: 'No mail leaves: there is no mail server',
    afterMs: seconds(5),
    breaks: async (house) => {
      await house.desk.freezer();
      house.keepsMail = true;
      return () => {
        house.keepsMail = false;
      };
    },
  },
  settings_unread: {
    words: `A program on ${hostname()} cannot read how messages are to leave: it has not the key`,
    afterMs: seconds(5),
    breaks: async (house) => {
      house.unread = ['smtp_url'];
      return () => {
        house.unread = [];
      };
    },
  },
  mail_stuck: {
    words: 'No mail leaves: one has been tried in vain for 1 minute',
    afterMs: seconds(75),
    breaks: async (house, server) => {
      const receiver = await openSmtpReceiver();
      receiver.behave({ neverAnswers: true });
      house.deliverer = hireMailer(house, server, receiver.url, { timeoutMs: 200 });
      await tells(house);
      return () => {
        receiver.behave({});
        // The connections that hang stay in use for half a minute.
        house.deliverer = hireMailer(house, server, receiver.url);
      };
    },
  },
  mail_delayed: {
    words: 'Mail leaves, but one has been tried in vain for 1 minute',
    afterMs: seconds(75),
    breaks: async (house) => {
      const { postbox } = house.desk;
      const unloved = await house.desk.freezer({ repeat_interval_minutes: 0 });
      const repeating = await house.desk.freezer({ repeat_interval_minutes: 1 });
      postbox.answer = ({ letter }) =>
        letter.notices[0].serviceId === unloved.id ? refused('451 come back later') : { isSent: true };
      await unloved.warms();
      await repeating.warms();
      return async () => {
        postbox.answer = null;
        await repeating.cools();
      };
    },
  },
  webhooks_stuck: {
    words: 'Nothing arrives: a webhook has been tried in vain for 1 minute',
    afterMs: seconds(75),
    breaks: async (house) => {
      const { postbox, lab } = house.desk;
      await lab.group({
        name: 'Cold team',
        emails: [],
        webhooks: [{ kind: 'generic', url: 'https://hook.lab.example' }],
      });
      postbox.answer = () => refused('503');
      await tells(house);
      return () => {
        postbox.answer = null;
      };
    },
  },
  nobody_reached: {
    words: 'An alarm has reached nobody of its group',
    afterMs: seconds(5),
    breaks: async (house) => {
      const { postbox, lab } = house.desk;
      const group = { name: 'Night watch', steps: [{ step: 1, after_minutes: 5 }] };
      await lab.group(group);
      postbox.answer = () => refused('451 come back later');
      const freezer = await house.desk.freezer({ group: 'Night watch' });
      await freezer.warms();
      return async () => {
        postbox.answer = null;
        await freezer.cools();
        // A ladder on which nobody stands would be a finding by itself.
        await lab.group({ ...group, emails: ['night@lab.example'] });
      };
    },
  },
  clock_differs: {
    words: `The clock of ${hostname()} is 1 minute`,
    afterMs: seconds(5),
    breaks: async (house, { db }) => {
      const { measureHost: measured } = house;
      house.measureHost = () =>
        measureHost({ db, clock: () => new Date(Date.now() + 90_000), clusterDir: null });
      return () => {
        house.measureHost = measured;
      };
    },
  },
  disk_full: {
    words: 'The disk of the database is nearly full: 499 MiB of 97.6 GiB are left',
    afterMs: seconds(5),
    breaks: fillsDisk(499 * MEBIBYTE),
  },
  disk_filling: {
    words: 'The disk of the database is filling: 1.9 GiB of 97.6 GiB are left',
    afterMs: seconds(5),
    breaks: fillsDisk(2047 * MEBIBYTE),
  },
};

function fillsDisk(freeBytes: number): Case['breaks'] {
  return async (house, { db }) => {
    const { measureHost: measured } = house;
    const clusterDir = '/var/lib/tocsin/elsewhere/postgres';
    const readDisk = async (folder: string) => ({
      // The log of the database lies on a disk of its own, with more room.
      freeBytes: folder === clusterDir ? freeBytes : 2 * freeBytes,
      totalBytes: 100_000 * MEBIBYTE,
    });
    house.measureHost = () => measureHost({ db, clock: () => new Date(), clusterDir, readDisk });
    return () => {
      house.measureHost = measured;
    };
  };
}

describe('said in the report, by the doctor, in metrics, on pages and in the log; nobody outside is called; over when it is', () => {
  let server: TestServer | undefined;
  test.each(Object.entries(CASES) as [FindingName, Case][])(
    '%s',
    async (name, { words, afterMs, breaks }) => {
      server ??= await startServer();
      const house = await openHouse(server);
      const mend = await breaks(house, server);
      await house.live(afterMs - seconds(10));
      expect((await house.report()).findings).toEqual([]);
      await house.live(seconds(10));
      await house.expectFound(name, words);
      await mend();
      // The pauses between attempts have grown meanwhile.
      await server.db.query(sql`update letter set next_attempt_at = created_at where state = 'queued'`);
      await house.live(seconds(10));
      await house.expectWell();
    },
  );
});

// test/faults/self-watch.test.ts has the database that is away, test/cluster/citus.test.ts the worker.
test('every finding but those of machines that are away has its case above', () => {
  expect(Object.keys(CASES).sort()).toEqual(
    Object.keys(FINDINGS)
      .filter((name) => !name.endsWith('_away'))
      .sort(),
  );
});

describe('nothing is said where nothing is wrong', () => {
  test('a machine that slept for hours gets time to catch up, once', async () => {
    const server = await startServer();
    const house = await openHouse(server);
    await house.desk.freezer();
    await setTimer(server);
    await tells(house);
    const release = await holds(server.db, 'alarm_state');
    const unlock = await holds(server.db, 'notification_schedule');
    server.clock.advance(hours(3));
    await house.live(seconds(5));
    expect((await house.report()).findings).toEqual([]);
    expect([...house.logOf('no_engine'), ...house.logOf('timers_late')]).toEqual([]);
    await house.live(seconds(35));
    expect(namesOf(await house.report())).toEqual(['timers_late']);
    await house.live(seconds(30));
    expect(namesOf(await house.report())).toEqual(['timers_late', 'decisions_late']);
    await release();
    await unlock();
    await house.live(seconds(10));
    await house.expectWell();
  });

  test('a program that starts anew takes over where the last one left', async () => {
    const { db, clock } = await startServer();
    const start = () => enrolProgram(db, ['engine', 'deliver'], clock.read());
    const old = start();
    await old.noting('sweep', async () => {})(clock.read());
    await old.beat(clock.read());
    clock.advance(seconds(20));
    await db.query(sql`update alarm_state set next_due_at = '-infinity'`);
    await start().beat(clock.read());
    expect((await lookAtService(db, clock.read())).findings).toEqual([]);
  });

  test('one that crashes and starts over and over is not believed for ever', async () => {
    const server = await startServer();
    const { db, clock } = server;
    const desk = await openDeliveryDesk(server);
    await desk.freezer();
    await desk.decide();
    await setTimer(server);
    for (let crash = 0; crash < 6; crash += 1) {
      clock.advance(seconds(14));
      await enrolProgram(db, ['engine', 'deliver'], clock.read()).beat(clock.read());
    }
    expect(namesOf(await lookAtService(db, clock.read()))).toEqual(['timers_late', 'sweep_failing']);
  });

  test('a clock that was ahead and is set right leaves nothing behind that passes for a running program', async () => {
    const { db, clock } = await startServer();
    const program = enrolProgram(db, ['engine', 'deliver'], clock.read());
    clock.advance(hours(1));
    await program.beat(clock.read());
    clock.advance(-hours(1));
    expect(namesOf(await lookAtService(db, clock.read()))).toEqual(['no_engine', 'no_deliverer']);
    await program.beat(clock.read());
    expect((await lookAtService(db, clock.read())).findings).toEqual([]);
    expect((await readFigures(db, clock.read())).engine.awakeSince).toEqual(clock.read());
  });
});

test('while the database is away: one line in the log, the metrics say so, nobody outside is called', async () => {
  const db = openPool({ host: '127.0.0.1', port: 1 }, () => {});
  onTestFinished(() => db.close());
  const now = new Date();
  const lines: { finding?: string; level: number; msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const program = enrolProgram(db, ['engine', 'deliver'], now);
  const watch = createWatch({
    db,
    log,
    program,
    measureHost: () => measureHost({ db, clock: () => now, clusterDir: null }),
  });
  await watch.task.run(now);
  await watch.task.run(now);
  expect(watch.findings()).toMatchObject([
    { name: 'database_away', trouble: 'The database does not say how the service fares (ECONNREFUSED)' },
  ]);
  expect(lines.map(({ level, finding, msg }) => [level, finding ?? msg])).toEqual([
    [40, 'the beat of this program could not be written'],
    [50, 'database_away'],
  ]);

  const registry = new Registry();
  measureHealth(registry, { db, log, config: readConfig({}), clock: () => now });
  const metrics = await registry.metrics();
  expect(metrics).toContain(
    'tocsin_finding{finding="database_away",component="database",severity="critical"} 1',
  );
  expect(metrics).toContain('tocsin_health{component="database",fact="ok"} 0');

  const watcher = await startWebhookReceiver(answers(200));
  await createHeartbeat({ db, log, url: new URL(watcher.url) })(now);
  expect(watcher.received).toEqual([]);
});

describe('what a program measures of its host', () => {
  const clusterOf = (user: string) => {
    const { host, port, password } = inject('cluster');
    const db = openPool({ host, port, password, user, database: 'postgres' }, () => {});
    onTestFinished(() => db.close());
    return db;
  };

  test('the disk of a server on the same host, if the role may know where its data are', async () => {
    const clock = () => new Date();
    const asked: string[] = [];
    const readDisk = async (folder: string) => {
      asked.push(folder);
      return { freeBytes: 5, totalBytes: 10 };
    };
    const known = await measureHost({ db: clusterOf('postgres'), clock, clusterDir: null, readDisk });
    expect(known.disk).toEqual({ freeBytes: 5, totalBytes: 10 });
    expect(asked).toEqual([expect.stringMatching(/^\//), expect.stringMatching(/\/pg_wal$/)]);
    const unknown = await measureHost({ db: clusterOf('tocsin'), clock, clusterDir: null, readDisk });
    expect(unknown.disk).toBeNull();
  });

  test('the disk on which a folder really is', async () => {
    const { disk } = await measureHost({
      db: clusterOf('tocsin'),
      clock: () => new Date(),
      clusterDir: projectRoot,
    });
    const { blocks, bsize } = await statfs(projectRoot);
    expect(disk).toEqual({ freeBytes: expect.any(Number), totalBytes: blocks * bsize });
  });

  test('that its clock is right', async () => {
    const { clockAheadMs } = await measureHost({
      db: clusterOf('tocsin'),
      clock: () => new Date(),
      clusterDir: null,
    });
    expect(clockAheadMs).toBe(0);
  });
});

const namesOf = ({ findings }: { findings: readonly { name: string }[] }) => findings.map(({ name }) => name);
