// Other ways in than our own JSON: metrics of OpenTelemetry, as docs/ways-in.md tells it.
import { gzipSync } from 'node:zlib';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const PATH = '/api/v1/telemetry/otlp/v1/metrics';
const PROTOBUF = 'application/x-protobuf';
const write = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(server.url + PATH, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json', ...headers },
  });
const point = (device: string, asDouble: number) => ({
  asDouble,
  timeUnixNano: `${STORY_BEGINS_AT.getTime()}000000`,
  attributes: [{ key: 'device', value: { stringValue: device } }],
});
const bodyOf = (...metrics: object[]) =>
  JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });

test('200: stored once and judged', async () => {
  const freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, delay: 0, sustained: 0 } } }],
  });
  const body = bodyOf({ name: 'temperature', gauge: { dataPoints: [point(freezer.device, -40)] } });
  for (const [sent, headers] of [
    [body, {}],
    [gzipSync(body), { 'content-encoding': 'gzip' }],
  ] as const) {
    const answer = await write(sent, headers);
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  }
  expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -40, at: STORY_BEGINS_AT }]);
  expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
});

test('200 with a partial success: how many points were not taken, and the others are stored', async () => {
  const freezer = await lab.freezer();
  const answer = await write(
    bodyOf(
      { name: 'temperature', gauge: { dataPoints: [point(freezer.device, -80)] } },
      { name: 'latency', histogram: { dataPoints: [{}, {}] } },
    ),
  );
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { partialSuccess: { rejectedDataPoints: '2', errorMessage: 'latency is neither gauge nor sum' } },
  ]);
  expect(await listStored(server.db, freezer.id)).toMatchObject([{ value: -80 }]);
});

test('a channel that comes in another unit than before is refused until an administrator agrees', async () => {
  const { id, device } = await lab.freezer();
  const ada = await signedIn(server, lab.ada);
  const sends = async (unit: string, value: number) => {
    server.clock.advance(1000);
    const at = { ...point(device, value), timeUnixNano: `${server.clock.read().getTime()}000000` };
    return (await write(bodyOf({ name: 'pressure', unit, gauge: { dataPoints: [at] } }))).json();
  };
  expect(await sends('', 1)).toEqual({});
  expect(await sends('bar', 2)).toEqual({});
  expect(await sends('bar', 3)).toEqual({});
  expect(await sends('psi', 43.5)).toEqual({
    partialSuccess: {
      rejectedDataPoints: '1',
      errorMessage:
        'values.pressure: comes in psi, and came in bar so far: an administrator has to agree, under Settings, Channels',
    },
  });
  // Notes are written every second.
  await expect.poll(async () => (await ada.read(await sourcePage())).includes('comes in psi')).toBe(true);
  const [channel] = await server.db.query<{ id: number }>(
    sql`select id from channel where service_id = ${id} and name = 'pressure'`,
  );
  expect(await ada.read(`/settings/channels?service=${id}`)).toContain('It is sent in bar');
  const form = { channel_id: String(channel?.id), label: '', unit: 'psi', kind: 'metric', agree: 'on' };
  expect((await ada.send(`/settings/channels/save?service=${id}`, form)).status).toBe(303);
  expect(await sends('psi', 43.6)).toEqual({});
  expect((await listStored(server.db, id)).map(({ value }) => value)).toEqual([1, 2, 3, 43.6]);
});

const sourcePage = async () => {
  const [source] = await server.db.query<{ id: number }>(
    sql`select id from source where organization_id = ${lab.organization}`,
  );
  return `/settings/sources/${source?.id}`;
};

const refusal = (code: number, message: string) => ({ code, message, detail: message });
test.each<[string, number, BodyInit, Record<string, string>, object]>([
  ['no secret', 401, '{}', { authorization: '' }, refusal(16, 'Authentication required')],
  ['what is not JSON', 400, '{', {}, refusal(3, 'The request body could not be read')],
  [
    'what cannot be unpacked',
    400,
    '{}',
    { 'content-encoding': 'gzip' },
    refusal(3, 'The request body could not be unpacked'),
  ],
  [
    'too much',
    413,
    gzipSync(Buffer.alloc(20_000_000)),
    { 'content-encoding': 'gzip' },
    refusal(8, 'Request body too large'),
  ],
  [
    'another content type',
    415,
    '{}',
    { 'content-type': 'text/plain' },
    refusal(3, 'Content-Type must be application/x-protobuf or application/json'),
  ],
])('%s: %i as status', async (_, status, body, headers, expected) => {
  const answer = await write(body, headers);
  expect([answer.status, await answer.json()]).toEqual([status, expected]);
});

test('errors and partial successes are protocol buffers for who sends them', async () => {
  const bad = await write(Uint8Array.of(10, 9), { 'content-type': PROTOBUF });
  expect([bad.status, bad.headers.get('content-type')]).toEqual([400, PROTOBUF]);
  const status = Buffer.from(await bad.arrayBuffer());
  // code (1) = 3, message (2)
  expect(status.subarray(0, 2)).toEqual(Buffer.from([8, 3]));
  expect(status.toString('utf8')).toContain('The request body could not be read');
  // A metric without a name.
  const partly = await write(Uint8Array.of(10, 4, 18, 2, 18, 0), { 'content-type': PROTOBUF });
  expect(partly.status).toBe(200);
  const partial = Buffer.from(await partly.arrayBuffer());
  // partial_success (1) with rejected_data_points (1) = 1
  expect([partial[0], ...partial.subarray(2, 4)]).toEqual([10, 8, 1]);
  expect(partial.toString('utf8')).toContain('a metric has no name');
});

test("the library of OpenTelemetry's makers hands in what it measures", async () => {
  const freezer = await lab.freezer();
  const exporter = new OTLPMetricExporter({
    url: server.url + PATH,
    headers: { authorization: `Bearer ${lab.secret}` },
  });
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  const meter = provider.getMeter('lab');
  meter.createGauge('temperature', { unit: '[degF]' }).record(-112, { device: freezer.device });
  meter.createUpDownCounter('open_doors').add(2, { device: freezer.device });
  await provider.forceFlush();
  await provider.shutdown();
  const stored = await listStored(server.db, freezer.id);
  expect(new Map(stored.map(({ name, value }) => [name, value]))).toEqual(
    new Map([
      ['open_doors', 2],
      ['temperature', -80],
    ]),
  );
});
