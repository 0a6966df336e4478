// Stored readings that are not as they were written: found when they are read, named once, and left out. Everything else
// goes on, and the rest is shown.
import pg from 'pg';
import { pino } from 'pino';
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { createAdvisor } from '../../src/engine/advice/advising.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../../src/engine/readings/merge-parts.ts';
import { readCurves } from '../../src/engine/readings/read-curves.ts';
import { readLastBefore, readStored } from '../../src/engine/readings/read-stored.ts';
import { logDamages } from '../../src/engine/readings/reading-figures.ts';
import { storeReadings } from '../support/history.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { packAll } from '../support/stored-readings.ts';
import { isSplit } from '../support/test-database.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});
const now = () => server.clock.read();
const ago = (ms: number) => now().getTime() - ms;
const dayAgo = (days: number) => new Date(ago(days * DAY_MS)).toISOString().slice(0, 10);

const LIMITS = (limit: number, sustained: number) => ({
  limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit, sustained } } }],
});

/** A freezer with a reading every ten minutes for eight days. */
async function openFreezer(): Promise<Freezer & { channelId: number }> {
  const freezer = await lab.freezer(LIMITS(-60, 0));
  await storeReadings(server, freezer.id, {
    count: 8 * 144,
    everyMs: minutes(10),
    value: (index) => -80 + (index % 7),
  });
  server.clock.advance(minutes(10));
  await freezer.reads(-80);
  await packAll(server.db, now());
  const [channel] = await server.db.query<{ id: number }>(
    sql`select id from channel where service_id = ${freezer.id} and name = 'temperature'`,
  );
  return { ...freezer, channelId: channel?.id ?? 0 };
}

const damage = (serviceId: ServiceId, day: string, change: Sql) =>
  server.db.query(
    sql`update reading_pack set ${change} where service_id = ${serviceId} and day = ${day}::date`,
  );

const namesOf = async (serviceId: ServiceId) => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await logDamages(server.db, log, now());
  return lines.filter(
    (line) => line.serviceId === serviceId || (line.serviceIds as number[])?.includes(serviceId),
  );
};

const healthOf = async () => {
  // A report is kept for a while.
  server.clock.advance(hours(1));
  const answer = await lab.nora.get('/api/v1/health/detailed');
  server.clock.advance(-hours(1));
  const { components } = (await answer.json()) as {
    components: { readings: { status: string; reason: string; damaged: number } };
  };
  return components.readings;
};

/** Whoever merges its day would find it again. */
const forget = () =>
  server.db.queryAll([
    sql`delete from reading_pack where part in (select part from reading_damage)`,
    sql`delete from reading_damage`,
  ]);

describe.each([
  [
    'a flipped bit',
    sql`data = set_byte(data, length(data) / 2, get_byte(data, length(data) / 2) # 4)`,
    'checksum',
  ],
  ['cut short', sql`data = substring(data for length(data) / 2)`, 'checksum'],
  ['nothing left of it', sql`data = ''`, 'cut short'],
  ['of a version to come', sql`data = set_byte(data, 0, 9)`, 'version 9'],
  ['a count that is wrong', sql`count = count + 1`, 'its row tells of'],
  ['times that are not its own', sql`first_at = to_timestamp(0)`, 'times'],
])('a pack with %s', (_, change, reason) => {
  test('is named once in the log and in the health; every page and every reader does without it', async () => {
    const freezer = await openFreezer();
    const { id: serviceId, channelId } = freezer;
    await damage(serviceId, dayAgo(2), change);
    const span = { from: ago(8 * DAY_MS), to: now().getTime() };
    const isLost = (at: number) => new Date(at).toISOString().startsWith(dayAgo(2));

    const { byChannel, damaged } = await readStored(server.db, [{ serviceId, channelId }], span);
    const { ats } = byChannel.get(channelId) ?? { ats: [] };
    expect(ats).toHaveLength(7 * 144);
    expect([...ats].some(isLost)).toBe(false);
    expect(damaged).toEqual([expect.objectContaining({ channelId })]);

    const page = await lab.vera.get(`/services/${serviceId}?range=7d`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Stored, but cannot be read');
    expect((await lab.vera.get('/services')).status).toBe(200);
    const csv = await lab.vera.get(`/services/${serviceId}/readings.csv`);
    expect(csv.status).toBe(200);
    expect((await csv.text()).split('\r\n').length).toBeGreaterThan(5 * 144);

    const told = {
      id: '1',
      serviceId,
      channelId,
      channel: 'temperature',
      toldAt: new Date(ago(36 * 3_600_000)),
    };
    const curves = await readCurves(server.db, [told, { ...told, id: '2', toldAt: now() }]);
    expect(curves.get('2')?.points.length).toBeGreaterThan(30);

    // Late ones of that day are taken; those that were there may come again.
    const late = { time: ago(2 * DAY_MS) + 7, values: { temperature: -70 } };
    expect(await (await freezer.sends(late)).json()).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await (await freezer.sends(late)).json()).toMatchObject({ accepted: 0, duplicates: 1 });

    // Limits that are to be judged over the days behind.
    await lab.apply({ name: `Freezer ${freezer.device.slice(8)}`, ...LIMITS(-90, 5 * 24 * 60) });
    const backtest = await lab.ada.post(`/services/${serviceId}/backtest`, {
      metric_channel: 'temperature',
      ch_high: '-75',
      cl_low: '',
      wh_high: '',
      wl_low: '',
    });
    expect(backtest.status).toBe(200);
    expect((await lab.ada.post(`/api/v1/services/${serviceId}/recommend`)).status).toBe(200);
    const { db, clock } = server;
    await createAdvisor({
      db,
      clock: clock.read,
      log: pino({ level: 'silent' }),
      config: { llm: null },
      pause: async () => {},
    }).work();
    const [advice] = await server.db.query<{ state: string }>(
      sql`select state from recommendation where service_id = ${serviceId}`,
    );
    expect(advice).toEqual({ state: 'completed' });

    expect(await namesOf(serviceId)).toEqual([
      expect.objectContaining({ channelId, reason: expect.stringContaining(reason) }),
    ]);
    expect(await namesOf(serviceId)).toEqual([]);
    expect(await healthOf()).toMatchObject({
      status: 'degraded',
      damaged: 1,
      reason: expect.stringContaining('cannot be read'),
    });

    // What came since is packed and merged around it, and it stays as it is.
    const kept = () =>
      server.db.query(sql`
        select part, count, data from reading_pack
        where (service_id, channel_id, day, part) in (select service_id, channel_id, day, part from reading_damage)`);
    const before = await kept();
    expect(before).toHaveLength(1);
    await packAll(server.db, now());
    expect(await kept()).toEqual(before);
    const after = await readStored(server.db, [{ serviceId, channelId }], span);
    expect(after.byChannel.get(channelId)?.ats.filter(isLost)).toEqual(Float64Array.of(late.time));
    await forget();
  });
});

test('the newest reading before an instant is looked for behind what cannot be read', async () => {
  const { id: serviceId, channelId } = await openFreezer();
  const cut = sql`data = substring(data for 9)`;
  await damage(serviceId, dayAgo(0), cut);
  await damage(serviceId, dayAgo(1), cut);
  const last = await readLastBefore(server.db, [{ serviceId, channelId }], now().getTime());
  expect(new Date(last.get(channelId)?.at ?? 0).toISOString()).toContain(dayAgo(2));
  expect(new Set((await namesOf(serviceId)).map(({ day }) => day)).size).toBe(2);
  await forget();
});

test('whoever notes damage keeps nobody waiting', async () => {
  const freezer = await openFreezer();
  const { id: serviceId, channelId } = freezer;
  await damage(serviceId, dayAgo(2), sql`data = ''`);
  const span = { from: ago(8 * DAY_MS), to: now().getTime() };
  await server.db.transaction(async (tx) => {
    await readStored(tx, [{ serviceId, channelId }], span);
    const answer = await Promise.race([
      freezer.sends({ time: ago(2 * DAY_MS) + 7, values: { temperature: -70 } }),
      new Promise<null>((resolve) => setTimeout(resolve, 5_000, null)),
    ]);
    expect(answer?.status).toBe(200);
  });
  expect(await namesOf(serviceId)).toHaveLength(1);
  await forget();
});

test('a row of the inbox that cannot be unpacked is named once, marked in the chart, and keeps nobody from anything', async () => {
  const freezer = await openFreezer();
  const { id: serviceId, channelId } = freezer;
  const other = await openFreezer();
  server.clock.advance(minutes(10));
  await freezer.reads(-79);
  const receivedAt = now();
  await server.db.query(sql`update reading_inbox set data = substring(data for length(data) - 4)`);
  server.clock.advance(minutes(1));
  await freezer.reads(-78);
  await other.reads(-77);
  const look = async () => {
    const span = { from: ago(hours(3)), to: now().getTime() + 1 };
    const both = [freezer, other].map((one) => ({ serviceId: one.id, channelId: one.channelId }));
    const { byChannel, damaged } = await readStored(server.db, both, span);
    expect(byChannel.get(channelId)?.values.slice(-1)).toEqual(Float64Array.of(-78));
    expect(byChannel.get(other.channelId)?.values.slice(-1)).toEqual(Float64Array.of(-77));
    expect(damaged).toEqual([
      { channelId, from: receivedAt.getTime() - minutes(1), to: receivedAt.getTime() },
    ]);
    const page = await lab.vera.get(`/services/${serviceId}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Stored, but cannot be read');
  };
  await look();
  await packInbox(server.db, now(), { atOnce: true });
  await mergeParts(server.db, now());
  await look();
  expect(await namesOf(serviceId)).toEqual([
    expect.objectContaining({ serviceIds: [serviceId], readings: 1 }),
  ]);
  expect(await namesOf(serviceId)).toEqual([]);
  expect(await healthOf()).toMatchObject({ status: 'degraded', damaged: 1 });
  // It can be sent again.
  const again = { time: receivedAt.getTime(), values: { temperature: -79 } };
  expect(await (await freezer.sends(again)).json()).toMatchObject({ accepted: 1 });
  await server.db.query(sql`delete from reading_inbox`);
});

/** The pieces of large values of a table are gone from the disk. */
async function losePieces(table: string): Promise<void> {
  const [found] = await server.db.query<{ database: string; pieces: string }>(sql`
    select current_database() as "database", reltoastrelid::regclass::text as "pieces"
    from pg_class where oid = ${table}::regclass`);
  const admin = new pg.Client({ ...inject('cluster'), user: 'postgres', database: found?.database });
  await admin.connect();
  const call = (kind: string) =>
    `update pg_class set relkind = '${kind}' where oid = '${found?.pieces}'::regclass`;
  // The server lets nobody delete them while they are what they are, and finds them until the room is used again.
  try {
    await admin.query(
      `set allow_system_table_mods = on; ${call('r')}; delete from ${found?.pieces}; ${call('t')}`,
    );
    // They stay for as long as somebody may still look at what was there before.
    await expect
      .poll(async () => {
        await admin.query(`vacuum ${table}`);
        const { rows } = await admin.query(`select pg_relation_size('${found?.pieces}')::int as size`);
        return rows[0].size;
      })
      .toBe(0);
  } finally {
    await admin.end();
  }
}

test.skipIf(isSplit())(
  'bytes that the server itself cannot read are left out, in packs and in the inbox',
  async () => {
    const freezer = await openFreezer();
    const { id: serviceId, channelId } = freezer;
    const post = (days: number, count: number) =>
      freezer.sends(
        ...Array.from({ length: count }, (_, index) => ({
          time: ago(days * DAY_MS) + index + 1,
          values: { temperature: Math.sin(index) },
        })),
      );
    await post(2, 600);
    await packAll(server.db, now());
    await losePieces(`reading_pack_${dayAgo(2).slice(0, 7).replace('-', '_')}`);
    await post(1, 600);
    await losePieces('reading_inbox');
    server.clock.advance(minutes(1));
    await freezer.reads(-77);

    const look = async () => {
      const span = { from: ago(8 * DAY_MS), to: now().getTime() + 1 };
      const { byChannel, damaged } = await readStored(server.db, [{ serviceId, channelId }], span);
      expect(byChannel.get(channelId)?.values.slice(-1)).toEqual(Float64Array.of(-77));
      expect(byChannel.get(channelId)?.ats.length).toBeGreaterThan(6 * 144);
      expect(damaged).toHaveLength(2);
      const page = await lab.vera.get(`/services/${serviceId}?range=7d`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('Stored, but cannot be read');
    };
    await look();
    // Late ones of the same times meet both.
    for (const days of [1, 2])
      expect(
        await (
          await freezer.sends({ time: ago(days * DAY_MS) - minutes(1) + 1, values: { temperature: 1 } })
        ).json(),
      ).toMatchObject({ accepted: 1 });
    await packAll(server.db, now());
    await look();
    expect((await namesOf(serviceId)).map(({ reason, readings }) => reason ?? readings).sort()).toEqual([
      600,
      'The database cannot read its bytes from the disk',
    ]);
    expect(await healthOf()).toMatchObject({ status: 'degraded', damaged: 2 });
    await forget();
    await server.db.query(sql`delete from reading_inbox`);
  },
);
