// What is stored, read back: what waits and what is packed, however much there is of either.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/readings/span.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { findStored } from '../../src/engine/readings/find-stored.ts';
import { readLastBefore, readStored } from '../../src/engine/readings/read-stored.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { putReadings } from '../support/stored-readings.ts';
import { cloneDatabase, isSplit } from '../support/test-database.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
});

const NOW = STORY_BEGINS_AT.getTime();
const nameChannel = (id: number) => ({ serviceId: id as ServiceId, channelId: id });

test('the newest before an instant is the newest, also while an older one waits to be packed', async () => {
  const channel = nameChannel(1);
  const put = (at: number, value: number, isPacked: boolean) =>
    putReadings(db, { ...channel, ats: [at], values: [value] }, STORY_BEGINS_AT, isPacked);
  await put(NOW - 10 * DAY_MS, 1, true);
  await put(NOW - 30 * DAY_MS, 2, false);
  await put(NOW - 100 * DAY_MS, 3, false);
  const newest = async (before: number) => (await readLastBefore(db, [channel], before)).get(1);
  expect(await newest(NOW)).toEqual({ at: NOW - 10 * DAY_MS, value: 1 });
  expect(await newest(NOW - 10 * DAY_MS)).toEqual({ at: NOW - 30 * DAY_MS, value: 2 });
  expect(await newest(NOW - 30 * DAY_MS)).toEqual({ at: NOW - 100 * DAY_MS, value: 3 });
  expect(await newest(NOW - 100 * DAY_MS)).toBeUndefined();
});

test('a night without a packer: everything that waits is found, a part at a time', async () => {
  const rows = 2_500;
  const times = Array.from({ length: rows }, (_, index) => NOW - (rows - index) * 1000);
  for (let from = 0; from < rows; from += 100)
    await db.queryAll(
      times.slice(from, from + 100).map((at, index) =>
        appendHistory(
          0 as OrganizationId,
          {
            serviceIds: [2, 3] as ServiceId[],
            channelIds: [2, 3],
            ats: [at, at],
            values: [from + index, -1],
          },
          new Date(at),
        ),
      ),
    );
  let most = 0;
  const asking = {
    ...db,
    query: async (...asked: Parameters<Database['query']>) => {
      const found = await db.query(...asked);
      most = Math.max(most, found.length);
      return found;
    },
    queryAll: async (...asked: Parameters<Database['queryAll']>) => {
      const found = await db.queryAll(...asked);
      most = Math.max(most, ...Object.values(found).map((some) => some.length));
      // Meanwhile somebody packs some of it.
      await packInbox(db, STORY_BEGINS_AT, { atOnce: true });
      return found;
    },
  } as Database;
  const { byChannel } = await readStored(asking, [nameChannel(2)], { from: NOW - HOUR_MS, to: NOW });
  expect([...(byChannel.get(2)?.ats ?? [])]).toEqual(times);
  expect([...(byChannel.get(2)?.values ?? [])]).toEqual(times.map((_, index) => index));
  expect(most).toBeLessThanOrEqual(1_000);
});

// Where packs are split the coordinator opens all of its own months, which are empty.
test.skipIf(isSplit())(
  'in a transaction that plans once for all days, late readings open the months of their own days only',
  async () => {
    const channel = nameChannel(4);
    const ats = Array.from({ length: 24 }, (_, months) => NOW - (23 - months) * 30 * DAY_MS);
    await putReadings(db, { ...channel, ats, values: ats }, STORY_BEGINS_AT);
    const openMonths = sql`
    select distinct inhrelid::regclass::text as "name" from pg_locks join pg_inherits on inhrelid = relation
    where pid = pg_backend_pid() and inhparent = 'reading_pack'::regclass`;
    const mode = sql`select current_setting('plan_cache_mode') as "mode"`;
    await db.transaction(async (tx) => {
      const isStored = await findStored(tx, [{ ...channel, at: NOW - 30 * DAY_MS }]);
      expect(isStored({ ...channel, at: NOW - 30 * DAY_MS })).toBe(true);
      expect(await tx.query(openMonths)).toEqual([{ name: 'reading_pack_2026_10' }]);
      await readLastBefore(tx, [channel], NOW + 1);
      expect(await tx.query(openMonths)).toHaveLength(2);
      expect(await tx.query(mode)).toEqual([{ mode: 'force_generic_plan' }]);
    }, 'by_index');
    await db.transaction(async (tx) => {
      await findStored(tx, [{ ...channel, at: NOW }]);
      expect(await tx.query(mode)).toEqual([{ mode: 'auto' }]);
    });
  },
);
