// Readings on their way into packs. test/journeys/stored-model.test.ts has whatever order they may come in.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import { mergePartsBehind, packReadingsBehind } from '../../src/engine/packing/pack-behind.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { mergeParts, takePacking } from '../../src/engine/readings/merge-parts.ts';
import { readStored } from '../../src/engine/readings/read-stored.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { listStored, packAll } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

type Freezer = Awaited<ReturnType<Lab['freezer']>>;
let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const now = () => server.clock.read();
const readBack = async ({ id }: Freezer) =>
  (await listStored(server.db, id)).map(({ at, value }) => [at.getTime(), value]);
const waiting = async () =>
  (await server.db.query<{ count: number }>(sql`select count(*)::int as count from reading_inbox`))[0]?.count;
const partsOf = ({ id }: Freezer) =>
  server.db.query<{ day: string; isMerged: boolean; count: number }>(sql`
    select day::text as "day", is_merged as "isMerged", count from reading_pack
    where service_id = ${id} order by day, first_at`);

describe('a freezer over two days', () => {
  test('few and young readings wait; old ones become parts, and parts of a day that is over its pack', async () => {
    const freezer = await lab.freezer();
    await packAll(server.db, now());
    server.clock.advance(DAY_MS - (now().getTime() % DAY_MS) + hours(1));
    const sent: number[][] = [];
    const send = async (temperature: number) => {
      sent.push([now().getTime(), temperature]);
      expect((await freezer.reads(temperature)).status).toBe(200);
    };
    await send(-80);
    expect(await packInbox(server.db, now())).toBe('nothing_to_do');
    expect(await waiting()).toBe(1);
    server.clock.advance(minutes(10));
    await send(-79);
    await packReadingsBehind(server.db, now());
    expect(await waiting()).toBe(0);
    server.clock.advance(minutes(10));
    await send(-78.5);
    server.clock.advance(minutes(10));
    await packReadingsBehind(server.db, now());
    expect((await partsOf(freezer)).map(({ isMerged, count }) => [isMerged, count])).toEqual([
      [false, 2],
      [false, 1],
    ]);
    expect(await readBack(freezer)).toEqual(sent);

    server.clock.advance(DAY_MS);
    await mergePartsBehind(server.db, now());
    expect((await partsOf(freezer)).map(({ isMerged, count }) => [isMerged, count])).toEqual([[true, 3]]);
    // A late one, and its double.
    const late = { time: (sent[0]?.[0] ?? 0) + 1000, values: { temperature: -70 } };
    expect(await (await freezer.sends(late)).json()).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await (await freezer.sends(late)).json()).toMatchObject({ accepted: 0, duplicates: 1 });
    await packAll(server.db, now());
    expect(await (await freezer.sends(late)).json()).toMatchObject({ accepted: 0, duplicates: 1 });
    expect((await partsOf(freezer)).map(({ isMerged, count }) => [isMerged, count])).toEqual([[true, 4]]);
    expect(await readBack(freezer)).toEqual([sent[0], [late.time, -70], sent[1], sent[2]]);
  });

  test('when a day has many parts they are joined before it is over', async () => {
    const freezer = await lab.freezer();
    for (let count = 0; count < 24; count += 1) {
      await freezer.reads(-80);
      server.clock.advance(seconds(20));
      await packInbox(server.db, now(), { atOnce: true });
    }
    expect((await partsOf(freezer)).length).toBeGreaterThanOrEqual(24);
    await mergeParts(server.db, now());
    expect((await partsOf(freezer)).every(({ isMerged }) => isMerged)).toBe(true);
    expect(await readBack(freezer)).toHaveLength(24);
  });
});

test('many channels are merged in few statements, each into its own pack', async () => {
  await packAll(server.db, now());
  const ats = [now().getTime() - DAY_MS, now().getTime() - DAY_MS + seconds(1)];
  const channels = Array.from({ length: 120 }, (_, index) => ({
    serviceId: (1_000_000 + index) as ServiceId,
    channelId: 1_000_000 + index,
  }));
  for (const at of ats) {
    const columns = {
      serviceIds: channels.map(({ serviceId }) => serviceId),
      channelIds: channels.map(({ channelId }) => channelId),
      ats: channels.map(() => at),
      values: channels.map(({ channelId }) => channelId),
    };
    await server.db.query(appendHistory(0 as OrganizationId, columns, now()));
    while ((await packInbox(server.db, now(), { atOnce: true })) !== 'nothing_to_do');
  }
  let statements = 0;
  const counting: Database = {
    ...server.db,
    transaction: (work, access) =>
      server.db.transaction(
        (tx) =>
          work({
            ...tx,
            query: (statement) => {
              statements += 1;
              return tx.query(statement);
            },
            later: (statement) => {
              statements += 1;
              tx.later(statement);
            },
          }),
        access,
      ),
  };
  while ((await mergeParts(counting, now())) !== 'nothing_to_do');
  expect(statements).toBeLessThan(20);
  const stored = await readStored(server.db, channels, { from: 0, to: now().getTime() });
  for (const { channelId } of channels)
    expect(stored.byChannel.get(channelId)).toEqual({
      ats: Float64Array.from(ats),
      values: Float64Array.of(channelId, channelId),
    });
  const packs = await server.db.query(sql`select count from reading_pack where service_id >= 1000000`);
  expect(packs).toEqual(channels.map(() => ({ count: 2 })));
});

describe('several programs', () => {
  test('while readings pour in, two pack and nothing is missed or stored twice', async () => {
    const freezers = await Promise.all(Array.from({ length: 4 }, () => lab.freezer()));
    let isDone = false;
    const sent = new Map<Freezer, number[][]>(freezers.map((freezer) => [freezer, []]));
    const pour = async (freezer: Freezer, index: number) => {
      for (let count = 0; count < 60; count += 1) {
        const time = now().getTime() - ((count * 7919 + index) % 7_200_000);
        expect((await freezer.sends({ time, values: { temperature: count } })).status).toBe(200);
        const known = sent.get(freezer) ?? [];
        if (!known.some(([at]) => at === time)) known.push([time, count]);
        server.clock.advance(seconds(5));
      }
    };
    const pack = async () => {
      while (!isDone) {
        await packInbox(server.db, now(), { atOnce: true });
        await mergeParts(server.db, now());
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const packing = [pack(), pack()];
    await Promise.all(freezers.map(pour));
    isDone = true;
    await Promise.all(packing);
    await packAll(server.db, now());
    for (const freezer of freezers) {
      const wanted = (sent.get(freezer) ?? []).sort(([one = 0], [other = 0]) => one - other);
      expect(await readBack(freezer)).toEqual(wanted);
    }
  });

  test('one packs, the other leaves it to it', async () => {
    await server.db.transaction(async (tx) => {
      expect(await takePacking(tx)).toBe(true);
      expect(await packInbox(server.db, now(), { atOnce: true })).toBe('another_program_does');
      expect(await mergeParts(server.db, now())).toBe('another_program_does');
    });
    expect(await packInbox(server.db, now(), { atOnce: true })).toBe('nothing_to_do');
  });
});

test.each([
  ['what waits was read', /from reading_inbox where id = any/],
  ['parts were written', /insert into reading_pack/],
  ['what waited was deleted', /delete from reading_inbox/],
])('a program that ends when %s leaves nothing half done', async (_, blowsAfter) => {
  const freezer = await lab.freezer();
  await freezer.reads(-80);
  server.clock.advance(minutes(1));
  await freezer.reads(-79);
  const before = await readBack(freezer);
  const doomed = failingDatabase(server.db, { blowsAfter });
  await expect(packInbox(doomed, now(), { atOnce: true })).rejects.toThrow();
  expect(await readBack(freezer)).toEqual(before);
  await packAll(server.db, now());
  expect(await waiting()).toBe(0);
  expect(await readBack(freezer)).toEqual(before);
});

test('a row of the inbox that cannot be unpacked is set aside, and the others are packed', async () => {
  const [damaged, whole] = [await lab.freezer(), await lab.freezer()];
  await packAll(server.db, now());
  await damaged.reads(-80);
  await whole.reads(-70);
  await server.db.query(sql`
    update reading_inbox set data = set_byte(data, 3, get_byte(data, 3) # 8) where ${damaged.id} = any(service_ids)`);
  expect(await readBack(damaged)).toEqual([]);
  await packAll(server.db, now());
  expect(await readBack(whole)).toHaveLength(1);
  expect(await server.db.query(sql`select 1 from reading_inbox where damaged_at is not null`)).toHaveLength(
    1,
  );
  await server.db.query(sql`delete from reading_inbox`);
});

test('a pack that cannot be read is left as it is: the day goes on without it', async () => {
  const freezer = await lab.freezer();
  await freezer.reads(-80);
  await packInbox(server.db, now(), { atOnce: true });
  await server.db.query(sql`
    update reading_pack set data = substring(data for length(data) - 1) where service_id = ${freezer.id}`);
  server.clock.advance(minutes(1));
  await freezer.reads(-79);
  server.clock.advance(DAY_MS);
  await packAll(server.db, now());
  expect((await partsOf(freezer)).map(({ isMerged, count }) => [isMerged, count])).toEqual([
    [true, 1],
    [true, 1],
  ]);
  expect((await readBack(freezer)).map(([, value]) => value)).toEqual([-79]);
  expect((await freezer.reads(-78)).status).toBe(200);
  await server.db.query(sql`delete from reading_damage`);
});
