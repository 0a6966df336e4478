// `tocsin export`, as a person at the terminal sees it, and what a notebook reads of it.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Writable } from 'node:stream';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { type ExportCommand, runExport } from '../../src/features/services/export/export-command.ts';
import { runImport } from '../../src/features/telemetry/import-command.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { listStored, packAll, putReadings } from '../support/stored-readings.ts';

let desk: LabFileDesk;
let folder: string;
let files = 0;
beforeAll(async () => {
  desk = await openLabFileDesk();
  folder = await mkdtemp(join(tmpdir(), 'tocsin-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

const newFile = (ending = 'csv') => {
  files += 1;
  return join(folder, `readings-${files}.${ending}`);
};

const addFreezers = async (organization: string, keys: string[]) => {
  const channels = '{ name: temperature, unit: °C, kind: metric }, { name: door, kind: metric }';
  const services = keys.map((key) => `{ name: "${key}", device: { key: ${key} }, channels: [${channels}] }`);
  const { ids } = await desk.apply(
    `organizations: [{ name: ${organization}, services: [${services.join(', ')}] }]`,
  );
  return keys.map((key) => ids.services[`${organization}/${key}`] as ServiceId);
};

const store = async (
  serviceId: ServiceId,
  name: string,
  ats: number[],
  values: number[],
  isPacked = true,
) => {
  const [channel] = await desk.db.query<{ id: number }>(
    sql`select id from channel where service_id = ${serviceId} and name = ${name}`,
  );
  const channelId = channel?.id as number;
  await putReadings(desk.db, { serviceId, channelId, ats, values }, desk.clock.read(), isPacked);
};

const START = Date.UTC(2026, 10, 1, 2);
const every = (ms: number, count: number, from = START) =>
  Array.from({ length: count }, (_, index) => from + index * ms);

async function exportAtTerminal(
  command: Partial<ExportCommand> & { file: string },
  { signal = new AbortController().signal, isTTY = false } = {},
) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const written: Buffer[] = [];
  const sink = new Writable({
    write: (chunk, _, done) => {
      written.push(chunk);
      done();
    },
  });
  const code = await runExport(
    {
      db: desk.db,
      clock: desk.clock.read,
      out: { stdout: (line) => stdout.push(line), stderr: (line) => stderr.push(line) },
      bar: null,
      stdout: Object.assign(sink, { isTTY }),
      signal,
    },
    {
      format: null,
      organization: null,
      service: null,
      channel: null,
      from: null,
      to: null,
      isJson: false,
      ...command,
    },
  );
  return { code, stdout, stderr, piped: Buffer.concat(written).toString() };
}

const readCsv = async (file: string) => (await readFile(file, 'utf8')).split('\r\n');
const readParquet = async (file: string) => parquetReadObjects({ file: await asyncBufferFromFile(file) });

describe('CSV', () => {
  test('of a service it is what its page downloads, packed or not yet', async () => {
    const [id] = (await addFreezers('Service', ['csv-1'])) as [ServiceId];
    await store(id, 'temperature', every(60_000, 2), [-80, -80.5]);
    await store(id, 'door', every(60_000, 1), [1]);
    await store(id, 'temperature', every(60_000, 1, START + 120_000), [-81], false);
    const file = newFile();
    const told = await exportAtTerminal({ file, service: String(id) });
    expect(told).toMatchObject({ code: 0, stderr: [] });
    expect(told.stdout).toEqual([`${file}: 4 readings of 1 service in 199 bytes, 0 seconds.`]);
    expect(await readCsv(file)).toEqual([
      'time,channel,value,unit',
      '2026-11-01T02:00:00.000Z,temperature,-80,°C',
      '2026-11-01T02:00:00.000Z,door,1,',
      '2026-11-01T02:01:00.000Z,temperature,-80.5,°C',
      '2026-11-01T02:02:00.000Z,temperature,-81,°C',
      '',
    ]);
  });

  test('of an organization it says whose reading each is, leaves out the others’, and can be imported', async () => {
    const [one, other] = (await addFreezers('Whole lab', ['lab-1', 'lab-2'])) as [ServiceId, ServiceId];
    const [stranger] = (await addFreezers('Neighbour', ['lab-3'])) as [ServiceId];
    for (const id of [other, one, stranger]) await store(id, 'temperature', every(60_000, 1), [-80]);
    await desk.db.query(sql`update service set archived_at = now() where id = ${other}`);
    const file = newFile();
    expect(await exportAtTerminal({ file, organization: 'Whole lab' })).toMatchObject({ code: 0 });
    expect(await readCsv(file)).toEqual([
      'time,service_id,service,device,channel,value,unit',
      `2026-11-01T02:00:00.000Z,${one},lab-1,lab-1,temperature,-80,°C`,
      `2026-11-01T02:00:00.000Z,${other},lab-2,lab-2,temperature,-80,°C`,
      '',
    ]);
    const [copy] = (await addFreezers('Copy', ['lab-1', 'lab-2'])) as [ServiceId];
    const imported = await runImport(
      {
        db: desk.db,
        clock: desk.clock.read,
        retentionDays: 400,
        out: { stdout: () => {}, stderr: () => {} },
        bar: null,
        stdin: process.stdin,
        signal: new AbortController().signal,
      },
      {
        file,
        organization: 'Copy',
        device: null,
        service: null,
        refusedFile: null,
        isRestart: false,
        isJson: true,
      },
    );
    expect(imported).toBe(0);
    expect(await listStored(desk.db, copy)).toEqual(await listStored(desk.db, one));
  });

  test('one channel, from a time up to another, to standard output', async () => {
    const [id] = (await addFreezers('Part', ['part-1'])) as [ServiceId];
    await store(id, 'temperature', every(60_000, 5), [1, 2, 3, 4, 5]);
    await store(id, 'door', every(60_000, 5), [0, 0, 0, 0, 0]);
    const span = { from: '2026-11-01T02:01', to: '2026-11-01T03:03+01:00' };
    const told = await exportAtTerminal({ file: '-', service: String(id), channel: 'temperature', ...span });
    expect(told).toMatchObject({ code: 0, stdout: [], stderr: [expect.stringContaining('-: 2 readings')] });
    expect(told.piped.split('\r\n').slice(1, -1)).toEqual([
      '2026-11-01T02:01:00.000Z,temperature,2,°C',
      '2026-11-01T02:02:00.000Z,temperature,3,°C',
    ]);
  });
});

describe('Parquet', () => {
  const VALUES = [
    -80.5,
    0,
    -0,
    0.1 + 0.2,
    5e-324,
    -Number.MAX_VALUE,
    Number.MAX_SAFE_INTEGER,
    1 / 3,
    Math.fround(21.3),
  ];

  test('every instant and every value comes back to the bit', async () => {
    const [id] = (await addFreezers('Exact', ['exact-1'])) as [ServiceId];
    const ats = VALUES.map((_, index) => START + index * 60_007);
    await store(id, 'temperature', ats, VALUES);
    const file = newFile('parquet');
    expect(await exportAtTerminal({ file, service: String(id) })).toMatchObject({ code: 0, stderr: [] });
    const rows = await readParquet(file);
    expect(rows).toEqual(
      VALUES.map((value, index) => ({
        time: new Date(ats[index] as number),
        channel: 'temperature',
        value,
        unit: '°C',
      })),
    );
    expect(Object.is(rows[2]?.value, -0)).toBe(true);
  });

  test('years of an organization, over many groups of rows, equal what is stored', async () => {
    const [one, other] = (await addFreezers('Years', ['years-1', 'years-2'])) as [ServiceId, ServiceId];
    const count = 130_000;
    const ats = every(5 * 60_000 + 7, count, START - 500 * DAY_MS);
    await store(
      one,
      'temperature',
      ats,
      ats.map((_, index) => Math.round(Math.sin(index / 100) * 50) / 10 - 80),
    );
    await store(one, 'door', [START], [0]);
    await store(other, 'temperature', every(1_000, 5), [1, 2, 3, 4, 5]);
    const file = newFile('parquet');
    const told = await exportAtTerminal({ file, organization: 'Years', format: 'parquet', isJson: true });
    expect(told.code).toBe(0);
    expect(JSON.parse(told.stdout[0] ?? '')).toMatchObject({ readings: count + 6, unreadable: 0 });
    const rows = await readParquet(file);
    const expected = [];
    for (const [id, name] of [
      [one, 'years-1'],
      [other, 'years-2'],
    ] as const)
      for (const { at, name: channel, value } of await listStored(desk.db, id))
        expected.push({
          time: at,
          service_id: id,
          service: name,
          device: name,
          channel,
          value,
          unit: channel === 'door' ? null : '°C',
        });
    const key = (row: Record<string, unknown>) =>
      `${row.service_id} ${(row.time as Date).getTime()} ${row.channel} ${row.value} ${row.unit} ${row.device}`;
    expect(rows.map(key)).toEqual(expected.map(key));
    const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(file));
    expect(row_groups.length).toBeGreaterThan(1);
  });

  test('nothing stored is a whole file without rows', async () => {
    const [id] = (await addFreezers('Empty', ['empty-1'])) as [ServiceId];
    const file = newFile('parquet');
    expect(await exportAtTerminal({ file, service: String(id) })).toMatchObject({ code: 0 });
    expect(await readParquet(file)).toEqual([]);
  });
});

describe('what cannot be read', () => {
  test('is named, left out and told by the exit code; the rest is written', async () => {
    const [id] = (await addFreezers('Damaged', ['damaged-1'])) as [ServiceId];
    await store(id, 'temperature', every(DAY_MS / 2, 6), [1, 2, 3, 4, 5, 6]);
    await desk.db.query(sql`
      update reading_pack set data = set_byte(data, 9, get_byte(data, 9) # 4)
      where service_id = ${id} and day = date '2026-11-02'`);
    for (const ending of ['csv', 'parquet']) {
      const file = newFile(ending);
      const told = await exportAtTerminal({ file, service: String(id) });
      expect(told).toMatchObject({
        code: 2,
        stderr: [
          'damaged-1, temperature: readings from 2026-11-02 02:00 UTC to 2026-11-02 14:00 UTC cannot be read and are left out.',
        ],
      });
      const values =
        ending === 'csv'
          ? (await readCsv(file)).slice(1, -1).map((line) => Number(line.split(',')[2]))
          : (await readParquet(file)).map(({ value }) => value);
      expect(values).toEqual([1, 2, 5, 6]);
      if (ending === 'csv') continue;
      const { key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(file));
      expect(JSON.parse(key_value_metadata?.[0]?.value ?? '')).toEqual([
        {
          service_id: id,
          channel: 'temperature',
          from: '2026-11-02T02:00:00.000Z',
          to: '2026-11-02T14:00:00.000Z',
        },
      ]);
    }
    const elsewhere = { file: newFile(), service: String(id), from: '2026-11-03' };
    expect(await exportAtTerminal(elsewhere)).toMatchObject({ code: 0, stderr: [] });
  });

  test('posts that were set aside are told too', async () => {
    const [id] = (await addFreezers('Aside', ['aside-1'])) as [ServiceId];
    await store(id, 'temperature', every(60_000, 3), [1, 2, 3], false);
    await desk.db.query(sql`
      update reading_inbox set data = set_byte(data, 3, 8) where ${id} = any(service_ids)`);
    await packAll(desk.db, desk.clock.read());
    expect(await exportAtTerminal({ file: newFile(), service: String(id) })).toMatchObject({
      code: 2,
      stderr: [
        expect.stringMatching(/^aside-1, temperature: readings from .* cannot be read/),
        expect.stringMatching(/^aside-1, door: readings from .* cannot be read/),
      ],
    });
  });
});

describe('what is refused or broken off', () => {
  test.each([
    [{ service: '2000000000' }, 'There is no service 2000000000'],
    [{ service: 'x' }, '--service must be the id of a service'],
    [{ organization: 'Nobody' }, expect.stringContaining('There is no organization named Nobody')],
    [{}, expect.stringContaining('Say whose readings they are with --organization')],
    [{ organization: 'Part', channel: 'nope' }, 'There is no channel named nope'],
    [{ organization: 'Part', format: 'xlsx' }, '--format must be csv or parquet, not xlsx'],
    [{ organization: 'Part', from: 'soon' }, expect.stringContaining('--from is not a time')],
    [{ organization: 'Part', to: '2026-02-30' }, expect.stringContaining('--to is not a time')],
    [{ organization: 'Part', from: '2026-11-02', to: '2026-11-01' }, '--from has to be before --to'],
  ])('%j', async (command, message) => {
    const file = newFile();
    expect(await exportAtTerminal({ file, ...command })).toMatchObject({ code: 1, stderr: [message] });
    expect(await readdir(folder)).not.toContain(basename(file));
  });

  test('a terminal gets no Parquet, and a service of another organization is not found', async () => {
    const [id] = (await addFreezers('Tty', ['tty-1'])) as [ServiceId];
    const told = await exportAtTerminal(
      { file: '-', service: String(id), format: 'parquet' },
      { isTTY: true },
    );
    expect(told).toMatchObject({ code: 1, stderr: ['Standard output is a terminal: name a file'] });
    const foreign = { file: newFile(), service: String(id), organization: 'Part' };
    expect(await exportAtTerminal(foreign)).toMatchObject({
      code: 1,
      stderr: [`Part has no service ${id}`],
    });
  });

  test('a folder that is not there is said in one line', async () => {
    const file = join(folder, 'nowhere', 'readings.csv');
    expect(await exportAtTerminal({ file, organization: 'Part' })).toMatchObject({
      code: 1,
      stderr: [expect.stringMatching(/cannot be written: ENOENT/)],
    });
  });

  test('stopped half-way it leaves no file, and one that was there stays as it was', async () => {
    const [id] = (await addFreezers('Stopped', ['stopped-1'])) as [ServiceId];
    await store(id, 'temperature', every(60_000, 100_000, START - 100 * DAY_MS), Array(100_000).fill(-80));
    const file = newFile();
    await exportAtTerminal({ file, service: String(id), from: '2026-09-01', to: '2026-09-02' });
    const before = await readFile(file, 'utf8');
    const controller = new AbortController();
    const exporting = exportAtTerminal({ file, service: String(id) }, { signal: controller.signal });
    await expect.poll(() => readdir(folder)).toContainEqual(expect.stringMatching(/\.partial$/));
    controller.abort();
    expect(await exporting).toMatchObject({ code: 130, stderr: ['Stopped; nothing was written.'] });
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});
