// Other ways in than our own JSON: InfluxDB line protocol, as docs/ways-in.md tells it.
import { gzipSync } from 'node:zlib';
import { InfluxDB, Point } from '@influxdata/influxdb-client';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const BASE = '/api/v1/telemetry/influx';
const V2 = `${BASE}/api/v2/write?org=-&bucket=-`;
const write = (body: BodyInit, path = V2, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Token ${lab.secret}`, ...headers },
  });
const refusalsOf = () =>
  server.db.query<{ reason: string; count: number; sample: string }>(sql`
    select reason, count::int, convert_from(sample, 'UTF8') as "sample" from source_refusal
    join source on source.id = source_id where organization_id = ${lab.organization} order by reason`);

describe('who may write', () => {
  test.each<[string, (secret: string) => [path: string, headers: Record<string, string>]]>([
    ['a token', (secret) => [V2, { authorization: `Token ${secret}` }]],
    ['a bearer', (secret) => [V2, { authorization: `Bearer ${secret}` }]],
    [
      'a Basic password',
      (secret) => [V2, { authorization: `Basic ${Buffer.from(`telegraf:${secret}`).toString('base64')}` }],
    ],
    [
      'a password in the query, version 1',
      (secret) => [`${BASE}/write?db=lab&u=telegraf&p=${secret}`, { authorization: '' }],
    ],
  ])('%s', async (_, send) => {
    const freezer = await lab.freezer();
    const [path, headers] = send(lab.secret);
    const answer = await write(`m,device=${freezer.device} temperature=-80`, path, headers);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -80 }]);
    expect(server.logLines.join()).not.toContain(lab.secret);
  });

  test('nobody without a secret, nor with a wrong one', async () => {
    for (const [authorization, text] of [
      ['', 'Authentication required'],
      ['Token wrong', 'Could not validate credentials'],
    ] as const) {
      const answer = await write('m,device=d t=1', V2, { authorization });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 'unauthorized', message: text, detail: text });
    }
  });
});

describe('what is written', () => {
  test('is stored and judged like our own JSON', async () => {
    const freezer = await lab.freezer({
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, delay: 0, sustained: 0 } } }],
    });
    const seconds = STORY_BEGINS_AT.getTime() / 1000;
    const body = `ult,device=${freezer.device.toUpperCase()} temperature=-40,door=t ${seconds}\n`;
    expect((await write(gzipSync(body), `${V2}&precision=s`, { 'content-encoding': 'gzip' })).status).toBe(
      204,
    );
    expect((await write(body, `${V2}&precision=s`)).status).toBe(204);
    expect(await listStored(server.db, freezer.id)).toMatchObject([
      { name: 'door', value: 1 },
      { name: 'temperature', value: -40 },
    ]);
    expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
  });

  test('one bad line is named, kept for the administrator, and costs no other', async () => {
    const freezer = await lab.freezer();
    const lines = [
      '# comment',
      `m,device=${freezer.device} temperature=-80`,
      'm,device=x temperature=warm',
      'm t=1',
    ];
    const answer = await write(lines.join('\n'));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'invalid',
      message: 'line 3: field temperature: "warm" is no value (and 1 more)',
    });
    expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -80 }]);
    await expect.poll(refusalsOf, { timeout: 20_000 }).toEqual([
      { reason: 'field temperature: "warm" is no value', count: 1, sample: 'm,device=x temperature=warm' },
      { reason: 'has no tag device, dev_eui, name, host that names the device', count: 1, sample: 'm t=1' },
    ]);
  });

  test('a device that nobody knows waits to be adopted, and is no error', async () => {
    expect((await write('m,device=stranger t=1')).status).toBe(204);
    const waiting = await server.db.query(sql`
      select key from device where organization_id = ${lab.organization} and service_id is null`);
    expect(waiting).toEqual([{ key: 'stranger' }]);
  });

  test('a time nobody can believe loses no reading, and makes the clock suspect', async () => {
    const freezer = await lab.freezer();
    expect((await write(`m,device=${freezer.device} temperature=-80 0`)).status).toBe(204);
    expect(await listStored(server.db, freezer.id)).toMatchObject([{ at: STORY_BEGINS_AT, value: -80 }]);
    const suspect = async () =>
      (
        await server.db.query<{ at: Date | null }>(sql`
          select clock_suspect_at as "at" from device where service_id = ${freezer.id}`)
      )[0]?.at;
    await expect.poll(suspect, { timeout: 20_000 }).toEqual(STORY_BEGINS_AT);
  });

  test.each<[string, number, BodyInit, string, Record<string, string>]>([
    ['an unknown precision', 400, 'm,device=d t=1', `${V2}&precision=days`, {}],
    ['a packing nobody knows', 415, 'm,device=d t=1', V2, { 'content-encoding': 'br' }],
    ['what is not packed though it says so', 400, 'm,device=d t=1', V2, { 'content-encoding': 'gzip' }],
    [
      'a small body that unpacks to a huge one',
      413,
      gzipSync(Buffer.alloc(20_000_000)),
      V2,
      { 'content-encoding': 'gzip' },
    ],
    ['more lines than a post may hold', 413, 'm,device=d t=1\n'.repeat(10_001), V2, {}],
  ])('%s is refused', async (_, status, body, path, headers) => {
    const answer = await write(body, path, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ message: expect.any(String), detail: expect.any(String) });
  });

  test('many lines at once', async () => {
    const freezer = await lab.freezer();
    const start = STORY_BEGINS_AT.getTime();
    const lines = Array.from(
      { length: 8_000 },
      (_, index) => `m,device=${freezer.device} temperature=${index} ${start - index}`,
    );
    expect((await write(lines.join('\n'), `${V2}&precision=ms`)).status).toBe(204);
    expect(await listStored(server.db, freezer.id)).toHaveLength(8_000);
  });
});

test('new settings count from the next post on, for which the sender need do nothing', async () => {
  const freezer = await lab.freezer();
  const line = (at: number) =>
    `m,device=${freezer.device} temperature=-112 ${STORY_BEGINS_AT.getTime() + at}`;
  expect((await write(line(0), `${V2}&precision=ms`)).status).toBe(204);
  await lab.source({ kind: 'influx', settings: { units: { temperature: '°F' } } });
  expect((await write(line(1), `${V2}&precision=ms`)).status).toBe(204);
  expect((await freezer.reads(-81)).status).toBe(200);
  expect((await listStored(server.db, freezer.id)).map(({ value }) => value)).toEqual([-112, -80]);
});

test("the library of InfluxDB's makers writes, and hears what is wrong", async () => {
  const freezer = await lab.freezer();
  const api = new InfluxDB({ url: `${server.url}${BASE}`, token: lab.secret }).getWriteApi('-', '-', 'ms', {
    maxRetries: 0,
  });
  api.writePoint(
    new Point('ult')
      .tag('device', freezer.device)
      .floatField('temperature', -79.5)
      .timestamp(STORY_BEGINS_AT),
  );
  await api.close();
  expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -79.5 }]);

  const failing = new InfluxDB({ url: `${server.url}${BASE}`, token: lab.secret }).getWriteApi(
    '-',
    '-',
    'ms',
    {
      maxRetries: 0,
      writeFailed: (error) => {
        expect(error.message).toContain('line 1: has no tag');
        return Promise.resolve();
      },
    },
  );
  failing.writePoint(new Point('ult').floatField('temperature', 1));
  await failing.close();
  expect.assertions(2);
});

test('ping and health answer as those of InfluxDB do', async () => {
  expect((await fetch(`${server.url}${BASE}/ping`)).status).toBe(204);
  expect((await fetch(`${server.url}${BASE}/ping`, { method: 'HEAD' })).status).toBe(204);
  expect(await (await fetch(`${server.url}${BASE}/health`)).json()).toMatchObject({ status: 'pass' });
});
