// Nobody pays for another's fault, and nobody waits for what is only another's business.
import sql, { raw } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const openFreezer = async (lab: Lab) => {
  const freezer = await lab.freezer();
  await freezer.reads(-80);
  return freezer;
};

test('an organization whose services are held holds up no other', async () => {
  const ours = await openFreezer(await openLab(server));
  const theirs = await openFreezer(await openLab(server));
  server.clock.advance(1000);
  const held: Promise<Response>[] = [];
  await server.db.transaction(async (tx) => {
    await tx.query(sql`select from alarm_state where service_id = ${theirs.id} for no key update`);
    for (let count = 1; count <= 40; count += 1) {
      const time = server.clock.read().getTime() - count;
      held.push(theirs.sends({ time, values: { temperature: -80 } }));
      expect((await ours.sends({ time, values: { temperature: -80 } })).status).toBe(200);
    }
  });
  for (const answer of await Promise.all(held)) expect(answer.status).toBe(200);
});

test('a post that we cannot store is 503 and to be sent again; those beside it are taken', async () => {
  const lab = await openLab(server);
  const freezers = await Promise.all(Array.from({ length: 6 }, () => openFreezer(lab)));
  await server.db.query(
    raw(`create function refuse_reading() returns trigger language plpgsql as $$
      begin raise exception 'not this one'; end $$`),
  );
  await server.db.query(
    raw(`create trigger refuse_reading before insert on reading_inbox
      for each row when (${freezers[3]?.id} = any(new.service_ids)) execute function refuse_reading()`),
  );
  server.clock.advance(1000);
  const answers = await Promise.all(freezers.map((freezer) => freezer.reads(-81)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503, 200, 200]);
  expect(answers[3]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await answers[3]?.json()).toEqual({
    detail: 'The readings could not be stored at the moment: send them again',
  });
  for (const [index, { id }] of freezers.entries()) {
    const stored = await listStored(server.db, id);
    expect(stored.map(({ value }) => value)).toEqual(index === 3 ? [-80] : [-80, -81]);
  }
});
