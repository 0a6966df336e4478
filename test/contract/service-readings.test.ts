import { parquetReadObjects } from 'hyparquet';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { createFreezer, type Freezer, setDowntime } from '../support/equipment.ts';
import { storeReadings } from '../support/history.ts';
import { openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
});
beforeEach(async () => {
  freezer = await createFreezer(server, people);
});

const csvOf = async (query = '') => {
  const answer = await people.vera.get(`/services/${freezer.id}/readings.csv${query}`);
  expect(answer.status).toBe(200);
  return (await answer.text()).split('\r\n');
};
const rename = (id: ServiceId, name: string, to: { name: string; unit: string }) =>
  server.db.query(sql`
    update channel set name = ${to.name}, unit = ${to.unit} where service_id = ${id} and name = ${name}`);

describe('GET /services/:id/readings.csv', () => {
  test('time, channel, value and unit, in order of time, UTC', async () => {
    await storeReadings(server, freezer.id, { count: 2, value: (index) => -80 - index / 2 });
    await storeReadings(server, freezer.id, { channel: 'battery', count: 1, value: () => 97 });
    expect(await csvOf('?to=2026-11-15T04:01')).toEqual([
      'time,channel,value,unit',
      '2026-11-15T02:59:00.000Z,temperature,-80,°C',
      '2026-11-15T03:00:00.000Z,temperature,-80.5,°C',
      '2026-11-15T03:00:00.000Z,battery,97,%',
      '',
    ]);
  });

  test('is a file of its own name, never cached', async () => {
    const { id } = await createFreezer(server, people, { name: 'Fréezer "1"\r\nX: y' });
    const { headers } = await people.vera.get(`/services/${id}/readings.csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="readings-freezer-1-x-y-${id}.csv"`,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('the last 7 days unless from and to say otherwise, without an offset in the own zone', async () => {
    await storeReadings(server, freezer.id, { count: 240, everyMs: hours(1), value: (index) => index });
    expect(await csvOf()).toHaveLength(7 * 24 + 2);
    expect(await csvOf('?from=2026-11-14T01:00&to=2026-11-14T03:00')).toEqual([
      'time,channel,value,unit',
      '2026-11-14T00:00:00.000Z,temperature,212,°C',
      '2026-11-14T01:00:00.000Z,temperature,213,°C',
      '',
    ]);
    expect(await csvOf('?from=2026-11-05T00:00Z&to=2026-11-16')).toHaveLength(242);
  });

  test('of one channel; an unknown one is not found', async () => {
    await storeReadings(server, freezer.id, { count: 3, value: () => 1 });
    await storeReadings(server, freezer.id, { channel: 'battery', count: 3, value: () => 97 });
    expect(await csvOf('?channel=battery')).toHaveLength(4);
    await expectPage(await people.vera.get(`/services/${freezer.id}/readings.csv?channel=nope`), 404);
  });

  test('names that look like formulas are text', async () => {
    await rename(freezer.id, 'temperature', { name: '=1+1', unit: '@a,"b"' });
    await storeReadings(server, freezer.id, { channel: '=1+1', count: 2, value: () => -5 });
    expect((await csvOf())[1]).toBe(`2026-11-15T02:59:00.000Z,'=1+1,-5,"'@a,""b"""`);
  });

  test.each([
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=2026-11-15&to=2026-11-14', 'before'],
  ])('%s is refused in words', async (query, word) => {
    const html = await expectPage(await people.vera.get(`/services/${freezer.id}/readings.csv${query}`), 400);
    expect(html).toContain('This time could not be read');
    expect(html).toContain(word);
  });

  test('many pages of rows come whole and in order, of several channels too', async () => {
    await storeReadings(server, freezer.id, { count: 25_000, everyMs: 2_000, value: (index) => index });
    await storeReadings(server, freezer.id, {
      channel: 'battery',
      count: 9_000,
      everyMs: 5_000,
      value: (index) => index,
    });
    const lines = await csvOf('?to=2026-11-16');
    expect(lines).toHaveLength(34_002);
    const rows = lines.slice(1, -1).map((line) => line.split(','));
    const times = rows.map(([time]) => time ?? '');
    expect(times).toEqual(times.toSorted());
    const temperatures = rows
      .filter(([, channel]) => channel === 'temperature')
      .map(([, , value]) => Number(value));
    expect(temperatures).toEqual(Array.from({ length: 25_000 }, (_, index) => index));
  });
});

describe('GET /services/:id/readings.parquet', () => {
  const parquetOf = async (query = '') => {
    const answer = await people.vera.get(`/services/${freezer.id}/readings.parquet${query}`);
    expect(answer.status).toBe(200);
    return { answer, rows: await parquetReadObjects({ file: await answer.arrayBuffer() }) };
  };

  test('the rows of the CSV, times as instants, values as doubles', async () => {
    await storeReadings(server, freezer.id, { count: 25_000, everyMs: 2_000, value: (index) => index / 10 });
    await storeReadings(server, freezer.id, { channel: 'battery', count: 2, value: () => 97 });
    const { rows } = await parquetOf('?to=2026-11-16');
    const lines = (await csvOf('?to=2026-11-16')).slice(1, -1);
    expect(
      rows.map(({ time, channel, value, unit }) => `${time.toISOString()},${channel},${value},${unit}`),
    ).toEqual(lines);
    expect(rows).toHaveLength(25_002);
  });

  test('is a file of its own name, never cached; one channel; what cannot be read is refused in words', async () => {
    await storeReadings(server, freezer.id, { channel: 'battery', count: 3, value: () => 97 });
    await storeReadings(server, freezer.id, { count: 3, value: () => -80 });
    const { answer, rows } = await parquetOf('?channel=battery&to=2026-11-16');
    expect(rows.map(({ channel }) => channel)).toEqual(['battery', 'battery', 'battery']);
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="readings-.*\.parquet"$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const path = `/services/${freezer.id}/readings.parquet`;
    await expectPage(await people.vera.get(`${path}?channel=nope`), 404);
    await expectPage(await people.vera.get(`${path}?from=yesterday`), 400);
  });
});

describe('GET /services/:id/series', () => {
  interface Answer {
    stepMs: number | null;
    at: number[];
    min: number[];
    max: number[];
    mean: number[];
    limits: unknown[];
    spans: { kind: string; from: number; to: number }[];
    setpoint: { at: number[] } | null;
  }
  const seriesOf = async (id: number, query: Record<string, string>) => {
    const answer = await people.vera.get(`/services/${id}/series?${new URLSearchParams(query)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return (await answer.json()) as Answer;
  };

  test('an hour is its readings, a month its hours: never more than a few thousand points', async () => {
    const count = 30 * 24 * 60;
    await storeReadings(server, freezer.id, { count, value: (index) => index % 60 });
    const hour = await seriesOf(freezer.id, { channel: 'temperature', range: '1h' });
    expect(hour.stepMs).toBeNull();
    expect(hour.at).toHaveLength(60);
    for (const range of ['24h', '7d', '30d', '1y']) {
      const { at, min, max, mean } = await seriesOf(freezer.id, { channel: 'temperature', range });
      expect(at.length, range).toBeGreaterThan(100);
      expect(at.length, range).toBeLessThanOrEqual(4_001);
      expect([min.length, max.length, mean.length]).toEqual([at.length, at.length, at.length]);
    }
    const month = await seriesOf(freezer.id, { channel: 'temperature', range: '30d' });
    expect(month.stepMs).toBe(hours(1));
    expect([month.min[100], month.max[100]]).toEqual([0, 59]);
  });

  test('comes with limits, alarms and downtimes of its span', async () => {
    const lab = await openLab(server);
    const unit = await lab.freezer({
      channels: [
        { name: 'temperature', unit: '°C', kind: 'metric' },
        { name: 'wanted', unit: '°C', kind: 'setpoint' },
      ],
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    });
    const begin = server.clock.read().getTime();
    await unit.sends({ values: { temperature: -50, wanted: -80 } });
    await lab.advance(minutes(10));
    await unit.reads(-70);
    await lab.advance(minutes(10));
    await setDowntime(server, { id: unit.id, name: '' }, -minutes(5), minutes(5));
    const answer = await lab.vera.get(`/services/${unit.id}/series?channel=temperature&range=1h`);
    const series = (await answer.json()) as Answer;
    const end = begin + minutes(20);
    expect(series.spans).toEqual([
      { kind: 'critical', from: begin, to: begin + minutes(10) },
      { kind: 'downtime', from: end - minutes(5), to: end },
    ]);
    expect(series.limits).toEqual([{ band: 'CRITICAL_HIGH', value: -60, from: end - hours(1), to: end }]);
    expect(series.setpoint?.at).toEqual([begin]);
    server.clock.advance(-minutes(20));
  });

  test('others are drawn over it, and what people did is marked', async () => {
    const lab = await openLab(server);
    const channels = ['temperature', 'humidity', 'door', 'power', 'noise'].map((name) => ({
      name,
      unit: null,
      kind: name === 'door' ? ('state' as const) : ('metric' as const),
    }));
    const unit = await lab.freezer({
      channels,
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    });
    await unit.sends({ values: { temperature: -50, humidity: 31, door: 1, power: 5, noise: 7 } });
    const ids = await server.db.query<{ id: number; name: string }>(
      sql`select id, name from channel where service_id = ${unit.id} order by kind = 'state', id`,
    );
    await lab.oscar.post(`/api/v1/alarms/${unit.id}/acknowledge`, { comment: 'On my way' });
    await lab.advance(minutes(5));
    const over = ids.map(({ id }) => id);
    const ask = async (query: string) =>
      (await (await lab.vera.get(`/services/${unit.id}/series?channel=temperature&${query}`)).json()) as {
        over: { label: string; value: number[] }[];
        marks: { words: string }[];
      };
    const drawn = await ask(`range=1h&over=${over.join()},9999999,nothing`);
    expect(drawn.over.map(({ label, value }) => [label, value])).toEqual(
      ids
        .filter(({ name }) => name !== 'temperature')
        .slice(0, 3)
        .map(({ name }) => [name, { humidity: [31], door: [1, 1], power: [5], noise: [7] }[name]]),
    );
    expect(drawn.marks.map(({ words }) => words)).toContain('Oscar acknowledged: On my way');
    expect((await ask('range=1h')).over).toEqual([]);
    server.clock.advance(-minutes(5));
  });

  test('what cannot be read is refused in words', async () => {
    const answer = await people.vera.get(`/services/${freezer.id}/series?channel=temperature&from=soon`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ detail: expect.stringContaining('`from` is not a time') });
    await expectPage(await people.vera.get(`/services/${freezer.id}/series?channel=nope`), 404);
  });
});
