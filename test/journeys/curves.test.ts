// The curves that decorate messages: cheap, however much is stored.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { readCurves } from '../../src/engine/readings/read-curves.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { putReadings } from '../support/stored-readings.ts';
import { isSplit } from '../support/test-database.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

// Where readings are split, the coordinator opens all months, and each worker those of the question.
test.skipIf(isSplit())(
  'the curves of a hundred messages open the months of their own hours, not those of the whole retention',
  async () => {
    const now = server.clock.read().getTime();
    const rows = Array.from({ length: 100 }, (_, index) => ({
      id: String(index + 1),
      serviceId: (index + 1) as ServiceId,
      channelId: index + 1,
      channel: 'temperature',
      toldAt: new Date(now - minutes(index)),
    }));
    const { serviceId, channelId } = rows[0] as { serviceId: ServiceId; channelId: number };
    const ats = Array.from({ length: 400 }, (_, days) => now - (399 - days) * hours(24));
    await putReadings(server.db, { serviceId, channelId, ats, values: ats.map(() => -80) }, new Date(now));
    const [months] = await server.db.query<{ kept: number }>(sql`
    select count(*)::int as kept from pg_inherits where inhparent = 'reading_pack'::regclass`);
    expect(months?.kept).toBeGreaterThan(12);

    const opened = await server.db.transaction(async (tx) => {
      const inside = { transaction: (work: (tx: Tx) => unknown) => work(tx) } as unknown as Database;
      expect((await readCurves(inside, rows)).size).toBe(1);
      // What a plan does not leave out is locked.
      return tx.query<{ name: string; range: string }>(sql`
      select inhrelid::regclass::text as name, pg_get_expr(relpartbound, inhrelid) as range
      from pg_locks join pg_inherits on inhrelid = relation join pg_class on pg_class.oid = inhrelid
      where pid = pg_backend_pid() and inhparent = 'reading_pack'::regclass`);
    });
    expect(opened.length).toBeGreaterThanOrEqual(1);
    for (const { name, range } of opened) {
      const [from = '', to = ''] = [...range.matchAll(/'([^']+)'/g)].map(([, at]) => at);
      expect({
        name,
        isOfTheseHours: Date.parse(from) <= now && Date.parse(to) > now - hours(6) - minutes(99),
      }).toEqual({ name, isOfTheseHours: true });
    }
  },
);
