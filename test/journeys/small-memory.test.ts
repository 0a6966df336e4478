// A program that remembers ten services, in labs that have more.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { countStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const UNITS = 24;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({}, { mostRemembered: 10 });
});

async function openLargeLab(): Promise<Lab> {
  const lab = await openLab(server);
  const units = Array.from({ length: UNITS }, (_, unit) => ({
    name: `Unit ${unit}`,
    device: { key: `unit-${unit}` },
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
  }));
  await lab.applyAll(units);
  return lab;
}

const post = async (lab: Lab, units: number[], time: number, temperature: number) =>
  (await lab.post(units.map((unit) => ({ device: `unit-${unit}`, time, values: { temperature } })))).json();

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('a post may name more services than are remembered, some of them known', async () => {
  const lab = await openLargeLab();
  const at = STORY_BEGINS_AT.getTime() - 60_000;
  await post(lab, range(0, 9), at, -80);
  expect(await post(lab, range(0, UNITS), at + 1000, -50)).toEqual({
    accepted: UNITS,
    duplicates: 0,
    rejected: [],
  });
  expect(await lab.alarms()).toHaveLength(UNITS);
});

test('labs that push each other out of memory lose nothing, and every reading is judged', async () => {
  const labs = [await openLargeLab(), await openLargeLab(), await openLargeLab()];
  const at = STORY_BEGINS_AT.getTime() - 60_000;
  const rounds = range(0, 8);
  const answers = await Promise.all(
    labs.flatMap((lab) =>
      range(0, 6).map(async (gateway) => {
        const units = range(gateway * 4, gateway * 4 + 4);
        const answered: unknown[] = [];
        for (const round of rounds)
          answered.push(await post(lab, units, at + round, round === rounds.length - 1 ? -50 : -80));
        return answered;
      }),
    ),
  );
  const whole = { accepted: 4, duplicates: 0, rejected: [] };
  expect(answers.flat()).toEqual(Array(labs.length * 6 * rounds.length).fill(whole));
  for (const lab of labs) expect(await lab.alarms()).toHaveLength(UNITS);
  const services = await server.db.query<{ id: number }>(sql`
    select id from service where organization_id = any(${labs.map(({ organization }) => organization)}::int[])`);
  const ids = services.map(({ id }) => id);
  expect(await countStored(server.db, ids)).toBe(labs.length * UNITS * rounds.length);
});
