// A program that stands still in the middle of its work, as one does that was stopped or whose machine hangs, keeps what it
// has locked and what it has claimed. Whatever it was at, others go on after a few seconds: an alarm is told in time.

import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { changeGroup } from '../../src/engine/groups/change-group.ts';
import { addEmails, removeEmail } from '../../src/engine/groups/group-recipients.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { BLANK_EDIT } from '../support/limits-desk.ts';
import type { Person } from '../support/people.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

const STILL_MS = 12_000;
/** How often each of the five loops looks. One may have just missed what another will see at once. */
const LOOK_EVERY_MS = 200;
const LONGEST_MS = 5_000 + 5 * LOOK_EVERY_MS;

/** The same database for a program that does all of a transaction and then stands still, before it is committed. */
function standingStill(db: Database, onStill: () => void): Database {
  return {
    ...db,
    transaction: (work, access) =>
      db.transaction(async (tx) => {
        const value = await work(tx);
        await tx.query(sql`select 1`);
        onStill();
        await sleep(STILL_MS, undefined, { ref: false });
        return value;
      }, access),
  };
}

interface Stage {
  db: Database;
  desk: DeliveryDesk;
  freezer: ToldFreezer;
  /** Those of a program that will stand still. */
  engine: Database;
  pages: Database;
  now: Date;
}

/** What the program that stands still was at. `isWarm`: there is something to be told already. */
interface Work {
  isWarm?: boolean;
  begin(stage: Stage): Promise<unknown>;
}

const actsOn = async (db: Database, person: Person, path: string, form: Record<string, string> = {}) => {
  const { url } = await startServerOn(db);
  await fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${await person.token()}` },
    body: new URLSearchParams(form),
  });
};

const WORKS: Record<string, Work> = {
  'taking readings': {
    async begin({ engine, desk, freezer }) {
      const { url } = await startServerOn(engine);
      const headers = { authorization: `Bearer ${desk.lab.secret}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ device: freezer.device, values: { temperature: -80 } });
      await fetch(`${url}/api/v1/telemetry`, { method: 'POST', headers, body });
    },
  },
  'letting somebody mute': {
    begin: ({ pages, desk, freezer }) => actsOn(pages, desk.lab.oscar, `/api/v1/services/${freezer.id}/mute`),
  },
  'letting somebody edit limits': {
    begin: ({ pages, desk, freezer }) =>
      actsOn(pages, desk.lab.ada, `/api/v1/services/${freezer.id}/edit`, { ...BLANK_EDIT, ch_high: '-50' }),
  },
  'changing a group': {
    isWarm: true,
    begin: ({ pages, desk, now }) =>
      pages.transaction(async (tx) => {
        await tx.query(sql`select from notification_group where id = ${desk.groupId} for update`);
        await changeGroup(tx, now, (changing) => addEmails(changing, desk.groupId, ['night@lab.example']));
        await changeGroup(tx, now, (changing) => removeEmail(changing, desk.groupId, 'night@lab.example'));
      }),
  },
  'deciding what is notified': { isWarm: true, begin: ({ engine, now }) => decideDue(engine, now) },
  'forming letters': {
    isWarm: true,
    async begin({ db, engine, now }) {
      await decideDue(db, now);
      await formLetters(engine, new Date(now.getTime() + 3_000));
    },
  },
  'claiming letters': {
    isWarm: true,
    async begin({ db, engine, desk, now }) {
      await decideDue(db, now);
      await formLetters(db, new Date(now.getTime() + 3_000));
      await desk.hire({ db: engine, clock: () => new Date(now.getTime() + 3_000) }).work();
    },
  },
};

async function openStage(): Promise<Stage & { server: TestServer; untilStill: Promise<void> }> {
  const own: TestDatabase = await cloneDatabase();
  const server = await startServerOn(own.db);
  const desk = await openDeliveryDesk(server);
  const freezer = await desk.freezer();
  const pool = openPool(own.connection, () => {});
  whenFileIsDone(() => pool.close().catch(() => {}));
  let onStill = () => {};
  const untilStill = new Promise<void>((resolve) => {
    onStill = resolve;
  });
  return {
    server,
    db: own.db,
    desk,
    freezer,
    engine: standingStill(pool, onStill),
    pages: standingStill(pool.forPages, onStill),
    now: server.clock.read(),
    untilStill,
  };
}

/** The other program, with a clock that goes: milliseconds until the alarm has been told. */
async function tellInTime({ server, desk, freezer, db }: Stage & { server: TestServer }): Promise<number> {
  const beganAt = performance.now();
  let isOver = false;
  const isTold = () =>
    desk.postbox.arrivals.some(({ letter }) =>
      letter.notices.some(({ serviceId }) => serviceId === freezer.id),
    );
  const warming = freezer.warms();
  const repeat = async (everyMs: number, work: (now: Date) => Promise<unknown>) => {
    while (!isOver) {
      await Promise.all([work(server.clock.read()), sleep(everyMs)]);
    }
  };
  let passedMs = 0;
  const loops = [
    repeat(20, async () => {
      const elapsed = performance.now() - beganAt;
      server.clock.advance(elapsed - passedMs);
      passedMs = elapsed;
    }),
    repeat(LOOK_EVERY_MS, server.road.sweep),
    repeat(LOOK_EVERY_MS, (now) => decideDue(db, now)),
    repeat(LOOK_EVERY_MS, (now) => formLetters(db, now)),
    repeat(LOOK_EVERY_MS, desk.deliverer.hold),
    repeat(LOOK_EVERY_MS, () => desk.deliverer.work()),
  ];
  while (!isTold() && performance.now() - beganAt < 30_000) await sleep(20);
  const took = performance.now() - beganAt;
  isOver = true;
  await Promise.all([warming, ...loops]);
  return took;
}

test('whatever a program was at when it stood still, an alarm comes no more than five seconds later', async () => {
  const usual = tellInTime(await openStage());
  const took = Object.entries(WORKS).map(async ([name, { isWarm, begin }]): Promise<[string, number]> => {
    const stage = await openStage();
    if (isWarm) await stage.freezer.warms();
    void begin(stage).catch(() => {});
    await stage.untilStill;
    return [name, (await tellInTime(stage)) - (await usual)];
  });
  const late = (await Promise.all(took)).filter(([, ms]) => ms > LONGEST_MS);
  expect(late).toEqual([]);
});

test('a letter that a program has claimed and never sends is sent by another; the first, once awake, does not send it', async () => {
  const stage = await openStage();
  const { db, desk, freezer, server } = stage;
  await freezer.warms();
  await decideDue(db, server.clock.read());
  server.clock.advance(2_000);
  await formLetters(db, server.clock.read());
  const sent: string[] = [];
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  // It stands still between the claim and the sending.
  const sleeper: Database = {
    ...db,
    transaction: async (work, access) => {
      const value = await db.transaction(work, access);
      await asleep;
      return value;
    },
  };
  const first = desk.hire({
    db: sleeper,
    transports: {
      ...desk.postbox.transports,
      email: {
        send: async ({ id }) => {
          sent.push(id);
          return { isSent: true };
        },
      },
    },
  });
  const working = first.work();
  const claimed = () => db.query(sql`select from letter where leased_until is not null`);
  await expect.poll(claimed).toHaveLength(1);
  expect(await tellInTime(stage)).toBeLessThan(5_500);
  wake();
  await working;
  await first.settle();
  expect(sent).toEqual([]);
});
