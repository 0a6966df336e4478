// No stage on the way to people depends on how fast another is, nor does one letter on another.
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { claimLetters } from '../../src/engine/delivery/claim-letters.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { createLanes } from '../../src/engine/delivery/lanes.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { breakRows } from '../support/broken-rows.ts';
import { countTrips } from '../support/count-trips.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

/** Warm, decided and formed: the next to work takes it. */
async function makeDue(desk: DeliveryDesk, count = 1) {
  const freezers = await desk.freezers(count);
  await desk.warmAll(freezers);
  await desk.decide();
  server.clock.advance(seconds(2));
  await formLetters(server.db, server.clock.read());
  return freezers;
}

/** The real database, before which something happens while letters are composed. */
const whileComposing = (happen: () => Promise<unknown>): Database => ({
  ...server.db,
  async query<Row>(statement: Sql, access?: 'as_planned' | 'by_index') {
    if (/acknowledge_link/.test(statement.text)) await happen();
    return server.db.query<Row>(statement, access);
  },
});
const minutesPass = async () => server.clock.advance(minutes(2));

const send = async (desk: DeliveryDesk, db: Database) => {
  const program = desk.hire({ db });
  await program.work();
  await program.settle();
};

describe('composing that takes minutes', () => {
  test('does not keep a letter from being sent', async () => {
    const desk = await openDeliveryDesk(server);
    await makeDue(desk);
    await send(desk, whileComposing(minutesPass));
    expect(desk.postbox.arrivals).toHaveLength(1);
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });

  test('is followed by another look: nobody is told what is no longer so', async () => {
    const desk = await openDeliveryDesk(server);
    const [freezer] = await makeDue(desk);
    const recover = async () => {
      await minutesPass();
      await freezer?.cools();
    };
    await send(desk, whileComposing(recover));
    expect(desk.postbox.arrivals).toEqual([]);
    expect(await desk.deliveries()).toMatchObject([
      { state: 'dropped', attempts: 0, dropReason: 'Recovered meanwhile' },
    ]);
  });

  test('leaves a letter alone that another program took meanwhile', async () => {
    const desk = await openDeliveryDesk(server);
    await makeDue(desk);
    const takeOver = async () => {
      await minutesPass();
      await send(desk, server.db);
    };
    await send(desk, whileComposing(takeOver));
    expect(desk.postbox.arrivals).toHaveLength(1);
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });

  test('and fails is an attempt, tried again later', async () => {
    const desk = await openDeliveryDesk(server);
    await makeDue(desk);
    await send(
      desk,
      whileComposing(async () => {
        await minutesPass();
        throw new Error('canceling statement due to statement timeout');
      }),
    );
    expect(await desk.deliveries()).toMatchObject([
      { state: 'queued', attempts: 1, lastError: 'It could not be written, see the log' },
    ]);
    await desk.strike(seconds(5));
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });
});

test('a letter that cannot be marked holds up no other', async () => {
  const desk = await openDeliveryDesk(server, { emails: ['a@lab.example', 'b@lab.example'] });
  await makeDue(desk, 2);
  const [first] = await desk.deliveries();
  const mend = await breakRows(
    server.db,
    'letter',
    `old.id = ${first?.letterId} and new.attempts > old.attempts`,
  );
  const program = desk.hire();
  await program.work();
  const states = async () => (await desk.deliveries()).map(({ state }) => state).sort();
  await expect.poll(states, { timeout: 10_000 }).toEqual(['queued', 'sent', 'sent', 'sent']);
  await mend();
  await program.settle();
  expect(await states()).toEqual(['sent', 'sent', 'sent', 'sent']);
  expect(desk.postbox.arrivals).toHaveLength(4);
});

test('curves that the database does not hand over in time are left out, the mail leaves', async () => {
  const receiver = await openSmtpReceiver();
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: server.db });
  onTestFinished(() => mailer.close());
  const desk = await openDeliveryDesk(server);
  const transports = { ...desk.postbox.transports, email: createEmailTransport({ mailer }) };
  await makeDue(desk);
  const program = desk.hire({ transports });
  await server.db.transaction(async (tx) => {
    // As a schema change or a repair would hold it.
    await tx.query(sql`lock table reading_pack in access exclusive mode`);
    await program.work();
    const mail = await receiver.mail(1);
    expect(mail.subject).toContain('CRITICAL');
    expect(mail.attachments).toEqual([]);
  });
  await program.settle();
  await makeDue(desk);
  await program.work();
  expect((await receiver.mail(2)).attachments).toMatchObject([{ contentType: 'image/png' }]);
  await program.settle();
});

test('what a slow database makes slow takes two round trips: to hold and read, to write', async () => {
  const desk = await openDeliveryDesk(server);
  await desk.warmAll(await desk.freezers(3));
  await desk.decide();
  server.clock.advance(seconds(2));
  const now = server.clock.read();
  const forming = countTrips(server.db);
  await formLetters(forming.db, now);
  const claiming = countTrips(server.db);
  const room = createLanes().room();
  const { letters } = await claimLetters(claiming.db, room, minutes(1), now);
  expect(letters).toHaveLength(3);
  expect([forming.read(), claiming.read()]).toEqual([2, 2]);
});
