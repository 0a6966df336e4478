// `tocsin import`, as a person at the terminal sees it.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportCommand, runImport } from '../../src/features/telemetry/import-command.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { countStored, listStored } from '../support/stored-readings.ts';

let desk: LabFileDesk;
let folder: string;
let files = 0;
beforeAll(async () => {
  desk = await openLabFileDesk();
  folder = await mkdtemp(join(tmpdir(), 'tocsin-import-'));
});
afterAll(() => rm(folder, { recursive: true }));

const LIMITS = '{ channel: temperature, bands: { CRITICAL_HIGH: { limit: -60 } } }';
const addFreezer = async (organization: string, key: string) => {
  const service = `{ name: ${key}, device: { key: ${key} }, limits: [${LIMITS}] }`;
  const { ids } = await desk.apply(`organizations: [{ name: ${organization}, services: [${service}] }]`);
  return ids.services[`${organization}/${key}`] as number;
};
const saveFile = async (content: string | Buffer) => {
  files += 1;
  const file = join(folder, `readings-${files}.csv`);
  await writeFile(file, content);
  return file;
};

interface AtTerminal extends Partial<ImportCommand> {
  file: string;
  signal?: AbortSignal;
  stdin?: Readable;
  db?: Database;
}
async function importAtTerminal({ signal, stdin, db, ...command }: AtTerminal) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runImport(
    {
      db: db ?? desk.db,
      clock: desk.clock.read,
      retentionDays: 400,
      out: {
        stdout: (line) => stdout.push(line),
        stderr: (line) => stderr.push(line.replaceAll(folder, '…')),
      },
      bar: null,
      stdin: stdin ?? Readable.from([]),
      signal: signal ?? new AbortController().signal,
    },
    {
      organization: 'Lab',
      device: null,
      service: null,
      refusedFile: null,
      isRestart: false,
      isJson: true,
      ...command,
    },
  );
  const { seconds: _, ...summary } = stdout[0]?.startsWith('{') ? JSON.parse(stdout[0]) : { seconds: 0 };
  return { code, summary, stdout, stderr };
}

const storedOf = async (serviceId: number) =>
  (await listStored(desk.db, serviceId)).map(({ name, at, value }) => ({
    channel: name,
    time: at.toISOString().slice(5, 16).replace('T', ' '),
    value,
  }));
const countOf = (serviceId: number) => countStored(desk.db, [serviceId]);

describe('layouts', () => {
  test('long, with a byte order mark and line breaks of Windows', async () => {
    const id = await addFreezer('Lab', 'long-1');
    const file = await saveFile(
      '\uFEFFTimestamp,Device,Channel,Value\r\n2026-11-14T02:00:00Z,LONG-1,temperature,-71.5\r\n2026-11-14 02:05,long-1,door,true\r\n',
    );
    expect(await importAtTerminal({ file })).toMatchObject({
      code: 0,
      summary: { accepted: 2, duplicates: 0, refused: 0 },
      stderr: [],
    });
    expect(await storedOf(id)).toEqual([
      { channel: 'temperature', time: '11-14 02:00', value: -71.5 },
      { channel: 'door', time: '11-14 02:05', value: 1 },
    ]);
    expect(existsSync(`${file}.tocsin-import`)).toBe(false);
  });

  test('wide with semicolons, decimal commas and empty cells', async () => {
    const id = await addFreezer('Lab', 'wide-1');
    const file = await saveFile(
      'time;device;temperature;humidity\n2026-11-14 02:00:00;wide-1;-71,5;40,25\n2026-11-14 02:05:00;wide-1;;41\n',
    );
    expect(await importAtTerminal({ file })).toMatchObject({ code: 0, summary: { accepted: 3 } });
    expect(await storedOf(id)).toEqual([
      { channel: 'humidity', time: '11-14 02:00', value: 40.25 },
      { channel: 'temperature', time: '11-14 02:00', value: -71.5 },
      { channel: 'humidity', time: '11-14 02:05', value: 41 },
    ]);
  });

  test('wide without a device column, for a device or for a service', async () => {
    const id = await addFreezer('Lab', 'plain-1');
    const file = await saveFile(`time,temperature\n${Date.UTC(2026, 10, 14, 2)},-71.5\n`);
    expect(await importAtTerminal({ file, device: 'plain-1' })).toMatchObject({
      code: 0,
      summary: { accepted: 1 },
    });
    expect(await importAtTerminal({ file, service: String(id) })).toMatchObject({
      code: 0,
      summary: { accepted: 0, duplicates: 1 },
    });
    expect(await importAtTerminal({ file, device: 'nobody' })).toMatchObject({
      code: 1,
      stderr: ['Lab has no device nobody with a service'],
    });
    expect(await importAtTerminal({ file })).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining('has no device column')],
    });
  });

  test('from standard input', async () => {
    const id = await addFreezer('Lab', 'piped-1');
    const stdin = Readable.from(
      ['time,device,channel,va', 'lue\n2026-11-14T02:00Z,piped-1,a,1\n2026-11-14T', '02:01Z,piped-1,a,2'].map(
        (text) => Buffer.from(text),
      ),
    );
    expect(await importAtTerminal({ file: '-', stdin })).toMatchObject({ code: 0, summary: { accepted: 2 } });
    expect(await countOf(id)).toBe(2);
  });
});

describe('what is refused', () => {
  test('lines are told by number and reason, on standard error and in a file; the good ones are kept', async () => {
    const id = await addFreezer('Lab', 'picky-1');
    const file = await saveFile(
      [
        'time,device,temperature,door',
        '2026-11-14T02:00:00Z,picky-1,-71.5,0',
        '2026-11-14T02:05:00Z,picky-1,cold,0',
        '2026-11-14T02:10:00Z,nobody,-71.5,0',
        'yesterday,picky-1,-71.5,0',
        '2026-11-16T02:00:00Z,picky-1,-71.5,0',
        '2020-01-01T00:00:00Z,picky-1,-71.5,0',
        '2026-11-14T02:15:00Z,picky-1',
      ].join('\n'),
    );
    const refusedFile = join(folder, 'refused.csv');
    const reasons = [
      'line 3: temperature: "cold" is not a number',
      'line 4: Unknown device',
      'line 5: time must be ISO 8601 or epoch milliseconds',
      'line 6: time is more than 10 minutes in the future',
      'line 7: Older than 400 days',
      'line 8: has 2 fields, but the first line has 4',
    ];
    const { code, summary, stderr } = await importAtTerminal({ file, refusedFile });
    expect({ code, summary, stderr }).toEqual({
      code: 2,
      summary: { accepted: 3, duplicates: 0, refused: 6 },
      stderr: reasons,
    });
    expect(await countOf(id)).toBe(3);
    const kept = (await readFile(refusedFile, 'utf8')).trimEnd().split('\n');
    expect(kept[0]).toBe('line,reason');
    expect(kept.slice(1, 3)).toEqual(['3,"temperature: ""cold"" is not a number"', '4,"Unknown device"']);
    expect(kept).toHaveLength(7);
    const [unknown] = await desk.db.query(
      sql`select service_id as "serviceId" from device where key = 'nobody'`,
    );
    expect(unknown).toEqual({ serviceId: null });
  });

  test('of very many, a hundred are shown', async () => {
    const file = await saveFile(`time,device,channel,value\n${'x,y,z,1\n'.repeat(150)}`);
    const { code, summary, stderr } = await importAtTerminal({ file });
    expect({ code, summary, shown: stderr.length }).toEqual({
      code: 1,
      summary: { accepted: 0, duplicates: 0, refused: 150 },
      shown: 101,
    });
    expect(stderr.at(-1)).toBe('More lines were refused; they are not shown here.');
  });

  test.each([
    ['an empty file', '', 'is empty'],
    ['no header', '2026-11-14T02:00Z,a,b,1\n', 'has no column named time or timestamp in its first line'],
    [
      'another encoding',
      Buffer.from('time,device,°C\n', 'latin1'),
      'is not UTF-8 text: save it as UTF-8 (line 1)',
    ],
  ])('%s is one clear line', async (_, content, message) => {
    const { code, stdout, stderr } = await importAtTerminal({ file: await saveFile(content) });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining(message)],
    });
  });

  test('a file that is not there', async () => {
    const { code, stderr } = await importAtTerminal({ file: join(folder, 'nowhere.csv') });
    expect({ code, stderr }).toEqual({ code: 1, stderr: ['…/nowhere.csv does not exist'] });
  });
});

describe('the same rules as live telemetry', () => {
  test('readings are judged, and late ones change nothing', async () => {
    const id = await addFreezer('Lab', 'judged-1');
    const stateOf = async () =>
      (await desk.db.query(sql`select severity from alarm_state where service_id = ${id}`))[0];
    const line = (time: string, value: number) =>
      `time,device,temperature\n2026-11-${time}Z,judged-1,${value}\n`;
    await importAtTerminal({ file: await saveFile(line('15T02:50:00', -50)) });
    expect(await stateOf()).toEqual({ severity: 'critical' });
    const late = await importAtTerminal({ file: await saveFile(line('14T02:50:00', -80)) });
    expect(late.summary).toMatchObject({ accepted: 1 });
    expect(await stateOf()).toEqual({ severity: 'critical' });
    await importAtTerminal({ file: await saveFile(line('15T02:55:00', -80)) });
    expect(await stateOf()).toEqual({ severity: 'normal' });
  });

  test('organizations are sealed off from each other', async () => {
    const own = await addFreezer('Lab', 'shared-key');
    const other = await addFreezer('Other lab', 'shared-key');
    const file = await saveFile('time,device,temperature\n2026-11-14T02:00:00Z,shared-key,-70\n');
    expect(await importAtTerminal({ file, organization: null })).toMatchObject({
      code: 1,
      stderr: ['Say whose readings they are with --organization:\n  Lab\n  Other lab'],
    });
    expect((await importAtTerminal({ file, organization: 'lab' })).code).toBe(1);
    await importAtTerminal({ file, organization: 'Other lab' });
    expect([await countOf(own), await countOf(other)]).toEqual([0, 1]);
    const plain = await saveFile('time,temperature\n2026-11-14T02:00:00Z,-70\n');
    expect(
      (await importAtTerminal({ file: plain, service: String(own), organization: 'Other lab' })).stderr,
    ).toEqual([`Other lab has no service ${own}`]);
  });
});

describe('interrupted', () => {
  const LINES = 7_000;
  const writeLong = (key: string) => {
    const startAt = Date.UTC(2026, 9, 1);
    const lines = Array.from({ length: LINES }, (_, index) =>
      index === 3_000 || index === 6_500
        ? `${startAt + index * 60_000},${key},temperature,"broken ${index}"`
        : `${startAt + index * 60_000},${key},temperature,${-80 + (index % 10) / 10}`,
    );
    return saveFile(['time,device,channel,value', ...lines].join('\n'));
  };
  /** Pulls the plug as soon as the first batch is stored. */
  const interruptSoon = () => {
    const controller = new AbortController();
    const db: Database = {
      ...desk.db,
      async transaction(...work) {
        const value = await desk.db.transaction(...work);
        controller.abort();
        return value;
      },
    };
    return { signal: controller.signal, db };
  };

  test('it goes on where it was, and nothing is doubled or lost', async () => {
    const id = await addFreezer('Lab', 'long-way');
    const file = await writeLong('long-way');
    const refusedFile = join(folder, 'refused-on-the-way.csv');
    const stopped = await importAtTerminal({ file, refusedFile, ...interruptSoon() });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr.at(-1)).toMatch(
      /^Stopped before line \d+ of .* Run the same command again to continue/,
    );
    const half = await countOf(id);
    expect(half).toBe(stopped.summary.accepted);
    expect(half).toBeLessThan(LINES - 2);
    const state = JSON.parse(await readFile(`${file}.tocsin-import`, 'utf8'));
    expect(state).toMatchObject({
      line: 2 + stopped.summary.accepted + stopped.summary.refused,
      accepted: half,
    });

    const { code, summary, stderr } = await importAtTerminal({ file, refusedFile });
    expect({ code, summary }).toEqual({
      code: 2,
      summary: { accepted: LINES - 2, duplicates: 0, refused: 2 },
    });
    expect(stderr[0]).toBe(`Continuing at line ${state.line}.`);
    expect(await countOf(id)).toBe(LINES - 2);
    expect((await readFile(refusedFile, 'utf8')).match(/^\d+/gm)).toEqual(['3002', '6502']);
    expect(existsSync(`${file}.tocsin-import`)).toBe(false);
  });

  test('--restart and a changed file begin anew, and what is stored is skipped', async () => {
    await addFreezer('Lab', 'again');
    const file = await writeLong('again');
    const { summary } = await importAtTerminal({ file, ...interruptSoon() });
    const restarted = await importAtTerminal({ file, isRestart: true });
    expect(restarted.summary).toEqual({
      accepted: LINES - 2 - summary.accepted,
      duplicates: summary.accepted,
      refused: 2,
    });

    await writeFile(
      `${file}.tocsin-import`,
      JSON.stringify({ ...JSON.parse('{"size":1,"mtimeMs":1}'), offset: 5_000, line: 100 }),
    );
    await utimes(file, new Date(), new Date());
    const changed = await importAtTerminal({ file });
    expect(changed.summary).toEqual({ accepted: 0, duplicates: LINES - 2, refused: 2 });
    expect(changed.stderr[0]).toMatch(/it begins anew/);
  });

  test('standard input that stands still can be left', async () => {
    const controller = new AbortController();
    const stdin = new Readable({ read() {} });
    stdin.push('time,device,channel,value\n2026-11-14T02:00Z,again,temperature,-7');
    setTimeout(() => controller.abort(), 50);
    expect(await importAtTerminal({ file: '-', stdin, signal: controller.signal })).toMatchObject({
      code: 130,
      summary: { accepted: 0, duplicates: 0, refused: 0 },
    });
  });
});
