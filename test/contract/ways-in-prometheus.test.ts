// Other ways in than our own JSON: Prometheus remote write, as docs/ways-in.md tells it.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { packSnappy } from '../support/pack-snappy.ts';
import { CONTENT_TYPES, type SentSeries, writeRequest1, writeRequest2 } from '../support/remote-write.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  await lab.source({ kind: 'prometheus', settings: { metrics: { ult_celsius: 'temperature' } } });
});

const NOW = STORY_BEGINS_AT.getTime();
const WRITERS = { 1: writeRequest1, 2: writeRequest2 };
const write = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/v1/telemetry/prometheus`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${lab.secret}`,
      'content-type': CONTENT_TYPES[1],
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
      ...headers,
    },
  });
const send = (version: 1 | 2, series: SentSeries[]) =>
  write(packSnappy(WRITERS[version](series)), { 'content-type': CONTENT_TYPES[version] });
const series = (labels: Record<string, string>, ...samples: SentSeries['samples']): SentSeries => ({
  labels: { __name__: 'ult_celsius', ...labels },
  samples,
});
const writtenOf = ({ headers }: Response) =>
  ['samples', 'histograms', 'exemplars'].map((what) =>
    headers.get(`x-prometheus-remote-write-${what}-written`),
  );
const refusalsOf = async () =>
  (
    await server.db.query<{ reason: string }>(sql`
      select reason from source_refusal join source on source.id = source_id
      where organization_id = ${lab.organization} order by reason`)
  ).map(({ reason }) => reason);

describe.each([1, 2] as const)('version %s.0', (version) => {
  test('204: stored once and judged, with how much was written', async () => {
    const freezer = await lab.freezer({
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, delay: 0, sustained: 0 } } }],
    });
    const sent = [series({ device: freezer.device }, [-80, NOW - 60_000], [-40, NOW])];
    for (const time of ['first', 'again']) {
      const answer = await send(version, sent);
      expect([time, answer.status, await answer.text()]).toEqual([time, 204, '']);
      expect(writtenOf(answer)).toEqual(['2', '0', '0']);
    }
    expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -80 }, { value: -40 }]);
    expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
  });

  test('204: what nobody listed is left out, and counts as written', async () => {
    const freezer = await lab.freezer();
    const answer = await send(version, [
      { ...series({ device: freezer.device, __name__: 'up' }, [1, NOW]), histograms: 1, exemplars: 2 },
    ]);
    expect([answer.status, ...writtenOf(answer)]).toEqual([204, '1', '1', '2']);
    expect(await listStored(server.db, freezer.id)).toEqual([]);
  });

  test('204: the stale marker is no reading', async () => {
    const freezer = await lab.freezer();
    const answer = await send(version, [series({ device: freezer.device }, [0x7ff0000000000002n, NOW])]);
    expect([answer.status, ...writtenOf(answer)]).toEqual([204, '1', '0', '0']);
    expect(await listStored(server.db, freezer.id)).toEqual([]);
  });

  test('204: a device that nobody knows waits to be adopted', async () => {
    expect((await send(version, [series({ device: 'stranger' }, [1, NOW])])).status).toBe(204);
    const waiting = await server.db.query(sql`
      select key from device where organization_id = ${lab.organization} and service_id is null`);
    expect(waiting).toEqual([{ key: 'stranger' }]);
  });

  test('400: a bad series is named in text, kept for the administrator, and costs no other', async () => {
    const freezer = await lab.freezer();
    const answer = await send(version, [
      series({ device: freezer.device }, [-80, NOW]),
      series({ job: 'lab' }, [1, NOW]),
    ]);
    const reason = 'ult_celsius has no label device, dev_eui, instance that names the device';
    expect([answer.status, await answer.text()]).toEqual([400, `series 2: ${reason}\n`]);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(writtenOf(answer)).toEqual(['1', '0', '0']);
    expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -80 }]);
    await expect.poll(refusalsOf, { timeout: 20_000 }).toEqual([reason]);
  });
});

test('while no metric is listed, the page of the source names those that come', async () => {
  await lab.source({ kind: 'prometheus', settings: {} });
  expect((await send(1, [series({ device: 'd' }, [1, NOW])])).status).toBe(204);
  await expect
    .poll(refusalsOf, { timeout: 20_000 })
    .toEqual(['ult_celsius is not among the metrics of the settings']);
});

const GOOD = packSnappy(writeRequest1([series({ device: 'd' }, [1, NOW])]));

test.each<[string, number, BodyInit, Record<string, string>]>([
  ['a password instead of a bearer', 204, GOOD, { authorization: 'basic' }],
  [
    'version 1.0 by its name',
    204,
    GOOD,
    { 'content-type': 'application/x-protobuf;proto=prometheus.WriteRequest' },
  ],
  ['no secret', 401, GOOD, { authorization: '' }],
  ['a wrong secret', 401, GOOD, { authorization: 'Bearer wrong' }],
  ['another content type', 415, GOOD, { 'content-type': 'application/json' }],
  [
    'another message',
    415,
    GOOD,
    { 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v3.Request' },
  ],
  ['another packing', 415, GOOD, { 'content-encoding': 'gzip' }],
  ['no packing', 415, GOOD, { 'content-encoding': 'identity' }],
  ['what cannot be unpacked', 400, 'hello', {}],
  ['what is no message', 400, packSnappy(new TextEncoder().encode('hello')), {}],
  ['a small body that unpacks to a huge one', 413, packSnappy(new Uint8Array(17_000_000)), {}],
  [
    'more samples than a post may hold',
    413,
    packSnappy(writeRequest1([series({ device: 'd' }, ...Array<[number, number]>(10_001).fill([1, NOW]))])),
    {},
  ],
])('%s: %i', async (_, status, body, headers) => {
  const basic = `Basic ${Buffer.from(`prometheus:${lab.secret}`).toString('base64')}`;
  const answer = await write(body, {
    ...headers,
    ...(headers.authorization === 'basic' && { authorization: basic }),
  });
  expect(answer.status).toBe(status);
  if (status > 204) expect(await answer.text()).toMatch(/^\S.+\n$/);
  if (status === 415 || status === 401) expect(writtenOf(answer)).toEqual([null, null, null]);
});
