// `tocsin simulate`: history, live readings, and the way over HTTP.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { ok } from '../../src/domain/result.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import {
  printLab,
  readSimulateOptions,
  runSimulate,
  type SimulateOptions,
} from '../../src/features/simulation/simulate-command.ts';
import { createMovableClock, minutes, seconds } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const applyLab = async (text: string) => {
  const input = { text, fileName: 'simulated lab', isDryRun: false };
  const applied = await applyLabFile(server.db, COMMAND_LINE, input, server.clock.read());
  if (!applied.ok) throw new Error(JSON.stringify(applied.refusal));
  return ok(applied.value.ids.organizations);
};

const readOptions = (options: Partial<SimulateOptions>) => {
  const command = readSimulateOptions({
    days: '2',
    services: '6',
    interval: '60',
    seed: '1',
    organization: 'Simulated lab',
    json: true,
    ...options,
  });
  if (!command.ok) throw new Error(command.refusal);
  return command.value;
};

interface Run {
  clock?: () => Date;
  signal?: AbortSignal;
  sleep?(ms: number): Promise<void>;
}
async function simulate(options: Partial<SimulateOptions>, { signal, ...run }: Run = {}) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const deps = {
    clock: server.clock.read,
    out: { stdout: (line: string) => stdout.push(line), stderr: (line: string) => stderr.push(line) },
    signal: signal ?? new AbortController().signal,
    ...run,
  };
  const database = options.url ? null : { db: server.db, retentionDays: 400, applyLab };
  const code = await runSimulate(deps, readOptions(options), database);
  return { code, counts: stdout.map((line) => JSON.parse(line)), stderr };
}

const statesOf = async (organization: string) => {
  const rows = await server.db.query<{ name: string; severity: string; isStale: boolean }>(sql`
    select service.name, severity, stale_since is not null as "isStale"
    from service join alarm_state on service_id = service.id
    join organization on organization.id = service.organization_id
    where organization.name = ${organization} order by service.id`);
  return Object.fromEntries(
    rows.map(({ name, severity, isStale }) => [name, isStale ? `${severity}, stale` : severity]),
  );
};
const eventsOf = (organization: string) =>
  server.db.query<{ name: string; kind: string; to: string }>(sql`
    select service.name, kind, to_severity as "to" from alarm_event join service on service.id = service_id
    join organization on organization.id = service.organization_id
    where organization.name = ${organization} order by alarm_event.id`);

describe('history', () => {
  test('two days of six units: one has failed, one has gone offline, the others are well', async () => {
    const { code, counts } = await simulate({});
    expect(code).toBe(0);
    expect(counts).toEqual([
      {
        organization: 'Simulated lab',
        part: 'history',
        accepted: expect.any(Number),
        duplicates: 0,
        rejected: 0,
      },
    ]);
    expect(counts[0].accepted).toBeGreaterThan(6_000);

    await server.road.sweep(server.clock.read());
    expect(await statesOf('Simulated lab')).toEqual({
      'ULT freezer 1': 'normal',
      'ULT freezer 2': 'critical',
      'Freezer 1': 'normal',
      'CO₂ incubator 1': 'normal',
      'Fridge 1': 'normal, stale',
      'Cryo tank 1': 'normal',
    });
    expect(await eventsOf('Simulated lab')).toEqual([
      { name: 'ULT freezer 2', kind: 'raised', to: 'warning' },
      { name: 'ULT freezer 2', kind: 'changed', to: 'critical' },
      { name: 'Fridge 1', kind: 'went_stale', to: 'normal' },
    ]);
  });

  test('once more adds nothing, and leaves limits alone that somebody has changed', async () => {
    await simulate({ organization: 'Twice', services: '1' });
    await server.db.query(sql`
      update limits_band set limit_value = -55
      where band = 'CRITICAL_HIGH' and limits_version_id in (
        select limits_version.id from limits_version join service on service.id = service_id
        join organization on organization.id = service.organization_id where organization.name = 'Twice')`);
    const again = await simulate({ organization: 'Twice', services: '2' });
    const [one] = (await simulate({ organization: 'Once', services: '1' })).counts;
    expect(again.counts[0]).toMatchObject({ duplicates: one.accepted });
    expect(
      await server.db.query(sql`
        select service.name, limit_value as "limit", version from limits_band
        join limits_version on limits_version.id = limits_version_id join service on service.id = service_id
        join organization on organization.id = service.organization_id
        where organization.name = 'Twice' and band = 'CRITICAL_HIGH' order by service.id`),
    ).toEqual([
      { name: 'ULT freezer 1', limit: -55, version: 1 },
      { name: 'ULT freezer 2', limit: -60, version: 1 },
    ]);
  });

  test('more days than are kept are refused', async () => {
    expect(await simulate({ days: '401' })).toMatchObject({
      code: 1,
      stderr: ['--days may be at most 400, the days that readings are kept'],
    });
  });
});

test('live readings follow the history, one per unit and interval, until stopped', async () => {
  const clock = createMovableClock(new Date(server.clock.read().getTime() + seconds(130)));
  const controller = new AbortController();
  const sleep = async (ms: number) => {
    clock.advance(ms);
    if (clock.read().getTime() >= server.clock.read().getTime() + minutes(6)) controller.abort();
  };
  const options = { organization: 'Live lab', services: '1', days: '0', live: true } as const;
  const { code, counts } = await simulate(options, { clock: clock.read, signal: controller.signal, sleep });
  expect(code).toBe(0);
  expect(counts.at(-1)).toMatchObject({ part: 'live', duplicates: 0, rejected: 0 });
  const [unit] = await server.db.query<{ id: number }>(sql`
    select service.id from service join organization on organization.id = service.organization_id
    where organization.name = 'Live lab'`);
  const stored = (await listStored(server.db, unit?.id ?? 0)).filter(({ name }) => name === 'temperature');
  expect(stored.map(({ at }) => at.toISOString().slice(11, 19))).toEqual([
    '03:03:00',
    '03:04:00',
    '03:05:00',
  ]);
});

describe('over HTTP', () => {
  const secret = 'secret of the simulated gateway';

  test('the printed lab is applied at the server, then a gateway can send', async () => {
    const command = readOptions({ organization: 'Far away', services: '2' });
    await applyLab(printLab(command, secret, server.clock.read()));
    const { code, counts } = await simulate({
      organization: 'Far away',
      services: '2',
      url: server.url,
      secret,
    });
    expect(code).toBe(0);
    expect(counts[0]).toMatchObject({ duplicates: 0, rejected: 0 });
    expect(await statesOf('Far away')).toMatchObject({
      'ULT freezer 1': 'normal',
      'ULT freezer 2': 'critical',
    });
  });

  test('units that the server does not know, and a wrong secret, are told', async () => {
    const unknown = await simulate({
      organization: 'Far away',
      services: '3',
      days: '0.1',
      url: server.url,
      secret,
    });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('Readings of sim-003 were rejected: Unknown device');
    const wrong = await simulate({ days: '0.1', url: server.url, secret: 'wrong' });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr.at(-1)).toMatch(/answered 401/);
  });

  test('a server in trouble is asked again, with growing pauses, and nothing is lost', async () => {
    const bodies: unknown[] = [];
    const far = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
        response.statusCode = bodies.length < 3 ? 503 : 200;
        response.end(JSON.stringify({ accepted: 1, duplicates: 0, rejected: [] }));
      });
    });
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void far.close());
    const pauses: number[] = [];
    const url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/`;
    const options = { services: '1', days: '0.01', url, secret };
    const { code } = await simulate(options, {
      sleep: async (ms) => {
        pauses.push(ms);
      },
    });
    expect({ code, pauses }).toEqual({ code: 0, pauses: [1000, 2000] });
    expect(bodies).toHaveLength(3);
    expect(bodies[2]).toEqual(bodies[0]);
  });
});

test.each([
  [{ days: 'many' }, '--days must be a number of days, 0 or more'],
  [{ services: '0' }, '--services must be a whole number from 1 to 10000'],
  [{ interval: '0.5' }, '--interval must be a number of seconds, 1 or more'],
  [{ url: 'ftp://x', secret: 's' }, '--url must be an http:// or https:// address'],
  [{ url: 'http://x' }, '--url needs --secret, the secret of a source'],
])('%j is refused', (options, message) => {
  expect(() => readOptions(options)).toThrow(message);
});
