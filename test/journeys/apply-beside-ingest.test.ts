// A lab file is applied while readings pour in.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { untilOthersAreGivenUp, untilSomebodyWaits } from '../support/waiting.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const unit = (number: number, limit: number) => ({
  key: `unit-${number}`,
  name: `Unit ${number}`,
  device: { key: `unit-${number}` },
  stale_after_minutes: -limit,
  limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit } } }],
});
const postTo = (number: number, temperature: number) =>
  lab.post({ device: `unit-${number}`, values: { temperature } });
const lock = (tx: Tx, id: ServiceId) =>
  tx.query(sql`select from alarm_state where service_id = ${id} for no key update`);

test('an apply that waits holds up no other organization, and its own posts are taken when it is done', async () => {
  const other = await openLab(server);
  const freezer = await other.freezer();
  const id = await lab.apply(unit(1, -60));
  let applied: Promise<void> | undefined;
  let posted: Promise<Response> | undefined;
  await server.db.transaction(async (tx) => {
    await lock(tx, id);
    applied = lab.applyAll([unit(1, -90)]);
    await untilSomebodyWaits(server.db);
    posted = postTo(1, -80);
    expect((await freezer.reads(-80)).status).toBe(200);
  });
  await applied;
  expect((await posted)?.status).toBe(200);
  expect(await lab.alarms()).toMatchObject([{ severity: 'critical' }]);
});

test('an apply that the database gave up to end a deadlock is done all the same, once', async () => {
  const one = await lab.apply(unit(1, -60));
  const two = await lab.apply(unit(2, -60));
  let applied: Promise<void> | undefined;
  let version = 1;
  await untilOthersAreGivenUp(async () => {
    await applied;
    version += 1;
    const limit = -59 - version;
    await server.db.transaction(async (tx) => {
      await lock(tx, two);
      applied = lab.applyAll([unit(1, limit), unit(2, limit)]);
      await untilSomebodyWaits(server.db);
      // Against the order of everybody else.
      await lock(tx, one);
    });
  });
  await applied;
  const changed = await server.db.query(sql`
    select stale_after_minutes as "staleAfter", limit_value as "limit", version,
      (select count(*)::int from audit where audit.service_id = limits_version.service_id) as "audits"
    from limits_version join limits_band on limits_version_id = limits_version.id
      join service_settings on service_settings.service_id = limits_version.service_id
    where limits_version.service_id = any(${[one, two]}::int[]) and retired_at is null`);
  const whole = { staleAfter: 59 + version, limit: -59 - version, version, audits: version };
  expect(changed).toEqual([whole, whole]);
});

test('posts and applies at once: every post is taken, every file is applied', async () => {
  const units = Array.from({ length: 60 }, (_, number) => number);
  await lab.applyAll(units.map((number) => unit(number, -60)));
  let isOver = false;
  const statuses = new Set<number>();
  const gateways = units.slice(0, 6).map(async (gateway) => {
    for (let count = 0; !isOver; count += 1) {
      const sent = units.map((number) => ({
        device: `unit-${number}`,
        values: { [`probe ${gateway}`]: count },
      }));
      // In its own order, with devices that nobody has adopted.
      const strangers = [gateway, count].map((name) => ({ device: `stranger-${name}`, values: { a: 1 } }));
      statuses.add((await lab.post([...sent.toReversed(), ...strangers])).status);
    }
  });
  for (let limit = -61; limit > -66; limit -= 1) {
    const adopted = { name: `Adopted ${limit}`, device: { key: `stranger-${-limit - 61}` } };
    await lab.applyAll([...units.toReversed().map((number) => unit(number, limit)), adopted]);
  }
  isOver = true;
  await Promise.all(gateways);
  expect([...statuses]).toEqual([200]);
});
