// Several programs, slow receivers, programs that vanish or leave, a database that goes away: nothing is lost, and what
// comes twice can be told by its id.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import type { SendOutcome } from '../../src/engine/letters/letter.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { startDelivering } from '../../src/engine/program/delivering.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

/** Receivers that answer when they are let. */
function holdAnswers(desk: DeliveryDesk, isHeld: (to: string) => boolean = () => true) {
  const held: ((outcome: SendOutcome) => void)[] = [];
  desk.postbox.answer = ({ to }) =>
    isHeld(to) ? new Promise<SendOutcome>((resolve) => held.push(resolve)) : { isSent: true };
  return {
    held,
    release: () => {
      desk.postbox.answer = null;
      for (const resolve of held.splice(0)) resolve({ isSent: true });
    },
  };
}

/** Warm, decided and held long enough: the next to work sends it. */
async function makeDue(desk: DeliveryDesk, count = 1) {
  const freezers = await desk.freezers(count);
  await desk.warmAll(freezers);
  await desk.decide();
  server.clock.advance(seconds(2));
  await formLetters(server.db, server.clock.read());
  return freezers;
}

const work = (desk: DeliveryDesk) => desk.deliverer.work();
const countSent = async (desk: DeliveryDesk) =>
  (await desk.deliveries()).filter(({ state }) => state === 'sent').length;

test('500 services that fail at the same second are one digest per recipient, in a fixed number of statements', async () => {
  const emails = ['a@lab.example', 'b@lab.example'];
  const webhooks = [{ kind: 'slack', url: 'https://chat.example/storm' }];
  const counts: number[] = [];
  for (const size of [10, 500]) {
    const desk = await openDeliveryDesk(server, { emails, webhooks });
    const freezers = await desk.freezers(size);
    await desk.warmAll(freezers);
    await desk.strike();
    const counting = countStatements(server.db);
    await desk.strike(seconds(2), desk.hire({ db: counting.db }));
    counts.push(counting.statements.length);
    expect(desk.postbox.arrivals.map(({ to }) => to).sort()).toEqual([...emails, webhooks[0]?.url]);
    for (const { letter } of desk.postbox.arrivals) {
      expect(new Set(letter.notices.map(({ serviceId }) => serviceId)).size).toBe(size);
    }
    expect(await countSent(desk)).toBe(3 * size);
    await desk.strike(hours(1));
    expect(desk.postbox.arrivals).toHaveLength(3);
  }
  expect(counts[0]).toBe(counts[1]);
});

test('a receiver that hangs holds up nobody else', async () => {
  const slow = 'https://slow.example/hook';
  const fast = 'https://fast.example/hook';
  const desk = await openDeliveryDesk(server, {
    emails: ['a@lab.example'],
    webhooks: [slow, fast].map((url) => ({ kind: 'generic', url })),
  });
  const { held, release } = holdAnswers(desk, (to) => to === slow);
  for (let round = 0; round < 6; round += 1) {
    await makeDue(desk, 5);
    await work(desk);
    server.clock.advance(minutes(1));
  }
  // What was taken ahead when the clock moved went back, and is taken again with the next tick.
  const tick = async () => {
    await work(desk);
    return countSent(desk);
  };
  await expect.poll(tick, { timeout: 60_000 }).toBe(60);
  const arrivedAt = (url: string) => desk.postbox.arrivals.filter(({ to }) => to === url).length;
  expect(arrivedAt(fast)).toBe(30);
  expect(arrivedAt(slow)).toBe(4);
  expect(held).toHaveLength(4);
  release();
  await desk.deliverer.settle();
  await desk.strike(seconds(1));
  await expect.poll(tick, { timeout: 60_000 }).toBe(90);
  expect(arrivedAt(slow)).toBe(30);
});

test('a receiver that never answers is a failed attempt, and is tried again', async () => {
  const desk = await openDeliveryDesk(server);
  const { release } = holdAnswers(desk);
  const impatient = desk.hire({ timeoutMs: 100 });
  await makeDue(desk);
  await desk.strike(0, impatient);
  expect(await desk.deliveries()).toMatchObject([
    { state: 'queued', attempts: 1, lastError: 'No answer within 0 seconds' },
  ]);
  release();
  await desk.strike(seconds(5), impatient);
  expect(await countSent(desk)).toBe(1);
});

test('several programs share the work: each letter leaves once', async () => {
  const desk = await openDeliveryDesk(server, { emails: ['a@lab.example', 'b@lab.example'] });
  const programs = [desk.deliverer, desk.hire(), desk.hire()];
  for (let round = 0; round < 5; round += 1) {
    await makeDue(desk, 5);
    await Promise.all(programs.map((program) => program.work()));
    await Promise.all(programs.map((program) => program.settle()));
    server.clock.advance(minutes(1));
  }
  expect(desk.postbox.arrivals).toHaveLength(50);
  expect(new Set(desk.postbox.arrivals.map(({ letter }) => letter.id)).size).toBe(50);
  expect(await countSent(desk)).toBe(50);
});

describe('a program that vanishes between sending and marking', () => {
  test('leaves its letters to others when its lease ends, under the same id', async () => {
    const desk = await openDeliveryDesk(server);
    const { release } = holdAnswers(desk);
    await makeDue(desk);
    await work(desk);
    expect(desk.postbox.arrivals).toHaveLength(1);
    desk.postbox.answer = null;
    const other = desk.hire();
    await desk.strike(seconds(30), other);
    expect(desk.postbox.arrivals).toHaveLength(1);
    await desk.strike(seconds(10), other);
    const ids = desk.postbox.arrivals.map(({ letter }) => letter.id);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await countSent(desk)).toBe(1);
    // It comes to itself too late: what stands, stands.
    release();
    await desk.deliverer.settle();
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });
});

describe('a program that leaves', () => {
  test('finishes what is under way and takes nothing more', async () => {
    const desk = await openDeliveryDesk(server);
    const { held, release } = holdAnswers(desk);
    await makeDue(desk);
    await work(desk);
    expect(held).toHaveLength(1);
    const left = desk.deliverer.leave();
    await makeDue(desk);
    release();
    await left;
    expect(await countSent(desk)).toBe(1);
    await work(desk);
    expect(desk.postbox.arrivals).toHaveLength(1);
    await desk.strike(0, desk.hire());
    expect(await countSent(desk)).toBe(2);
  });

  test('counts no attempt for what it breaks off: others send it at once', async () => {
    const desk = await openDeliveryDesk(server);
    const { release } = holdAnswers(desk);
    const program = desk.hire({ finishWithinMs: 20 });
    await makeDue(desk);
    await program.work();
    await program.leave();
    expect(await desk.deliveries()).toMatchObject([{ state: 'queued', attempts: 0, lastError: null }]);
    release();
    desk.postbox.answer = null;
    await desk.strike();
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });

  test('has in hand what it is sending until that is done: nobody else sends it', async () => {
    const to = 'leaving@lab.example';
    const desk = await openDeliveryDesk(server, { emails: [to] });
    const { held, release } = holdAnswers(desk, (address) => address === to);
    await makeDue(desk);
    const beganAt = performance.now();
    const { read } = server.clock;
    const leaving = startDelivering({
      db: server.db,
      clock: () => new Date(read().getTime() + performance.now() - beganAt),
      log: pino({ level: 'silent' }),
      transports: desk.postbox.transports,
      publicUrl: () => 'https://tocsin.lab.example',
      signer: server.signer,
      metrics: null,
      finishWithinMs: 60_000,
      mailer: openMailer({ settings: settled(readConfig({})), db: server.db }),
      program: enrolProgram(server.db, ['deliver'], read()),
      heartbeatUrl: null,
      outbound: { allowPrivate: false },
    });
    await expect.poll(() => held).toHaveLength(1);
    const left = leaving.stop();
    const other = desk.hire();
    for (let look = 0; look < 6; look += 1) {
      await Promise.all([other.hold(read()), sleep(1_000)]);
      await other.work();
    }
    release();
    await left;
    await other.settle();
    expect(desk.postbox.arrivals.filter((arrival) => arrival.to === to)).toHaveLength(1);
  });

  test('hands back what it had only taken: others send it at once', async () => {
    const url = 'https://slow.example/hook';
    const desk = await openDeliveryDesk(server, { webhooks: [{ kind: 'generic', url }] });
    const { held, release } = holdAnswers(desk);
    await makeDue(desk, 5);
    await work(desk);
    expect(held).toHaveLength(4);
    const left = desk.deliverer.leave();
    desk.postbox.answer = null;
    await expect
      .poll(
        async () => {
          await desk.strike(0, desk.hire());
          return desk.postbox.arrivals.length;
        },
        { timeout: 60_000 },
      )
      .toBe(5);
    release();
    await left;
    expect(await countSent(desk)).toBe(5);
  });
});

test('a database that is lost between sending and marking costs no double', async () => {
  const desk = await openDeliveryDesk(server);
  const fuse = { blowsAfter: null as RegExp | null };
  const program = desk.hire({ db: failingDatabase(server.db, fuse) });
  await makeDue(desk);
  desk.postbox.answer = () => {
    fuse.blowsAfter = /update letter set state = attempt/;
    setTimeout(() => {
      fuse.blowsAfter = null;
    }, 200);
    return { isSent: true };
  };
  await program.work();
  server.clock.advance(minutes(2));
  await expect.poll(() => countSent(desk), { timeout: 60_000 }).toBe(1);
  await desk.strike(minutes(2), program);
  expect(desk.postbox.arrivals).toHaveLength(1);
});

function countStatements(db: Database): { db: Database; statements: string[] } {
  const statements: string[] = [];
  const note = ({ text }: Sql) => void statements.push(text);
  return {
    statements,
    db: {
      ...db,
      query(statement) {
        note(statement);
        return db.query(statement);
      },
      transaction: (run, access) =>
        db.transaction(
          (tx) =>
            run({
              ...tx,
              query(statement) {
                note(statement);
                return tx.query(statement);
              },
              queryAll(all) {
                Object.values<Sql>(all).forEach(note);
                return tx.queryAll(all);
              },
              later(statement) {
                note(statement);
                tx.later(statement);
              },
            }),
          access,
        ),
    },
  };
}
