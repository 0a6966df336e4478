// Bodies that were good once, with bytes changed, doubled, cut out and torn off, to every way in: no answer outside its
// table, nothing thrown, no memory kept, and a good body is stored in between. The same seed sends the same.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  bytesField,
  doubleField,
  fixed64Field,
  writeMessage,
} from '../../src/domain/ways-in/write-protobuf.ts';
import { sendDamagedPackets } from '../support/fuzz/mqtt-packets.ts';
import { openLab } from '../support/lab.ts';
import { startMqtt } from '../support/mqtt.ts';
import { packSnappy } from '../support/pack-snappy.ts';
import { CONTENT_TYPES, type SentSeries, writeRequest1, writeRequest2 } from '../support/remote-write.ts';
import { startServer } from '../support/test-server.ts';

const SECONDS = Number(process.env.TOCSIN_FUZZ_SECONDS ?? 10);
const SEED = Number(process.env.TOCSIN_FUZZ_SEED ?? 20_261_116);
const AT_ONCE = 4;
const MOST_GROWTH = 64 * 1024 * 1024;
const BASE = '/api/v1/telemetry';

const INFLUX = [
  'ult,device=d temperature=-79.5,door=f,note="a \\"b\\"" 1794711540000000000',
  '# comment\n\nm\\ x,host=a\\,b t=1i,u=2u\nm,device=e t=-1.5e3,h="open"',
];
const CHIRPSTACK = [
  '{"deviceInfo":{"devEui":"d"},"time":"2026-11-15T02:59:59Z","object":{"t":1,"a":{"b":[true,null]}}}',
  '{"deviceInfo":{"devEui":"d","tags":{"a":"b"}},"time":"2026-11-15T02:59:59Z","fPort":2,"data":"4LI="}',
];
const TTS = [
  '{"end_device_ids":{"dev_eui":"D"},"uplink_message":{"decoded_payload":{"t":1},"received_at":"2026-11-15T02:59:59Z"}}',
  '{"end_device_ids":{"dev_eui":"D"},"uplink_message":{"f_port":2,"frm_payload":"4LI="}}',
  '{"end_device_ids":{"device_id":"d"},"uplink_message":{"normalized_payload":[{"time":"2026-11-15T02:59:59Z","air":{"temperature":1}}]}}',
];
const SERIES: SentSeries[] = [
  { labels: { __name__: 't', device: 'd', job: 'lab' }, samples: [[-79.5, 1_794_711_540_000]], exemplars: 1 },
  { labels: { __name__: 't', device: 'e' }, samples: [[1, 1_794_711_540_000]], histograms: 1 },
];
const OTLP = [
  '{"resourceMetrics":[{"resource":{"attributes":[{"key":"device","value":{"stringValue":"d"}}]},"scopeMetrics":[{"metrics":[{"name":"t","gauge":{"dataPoints":[{"asDouble":1,"timeUnixNano":"1794711540000000000"},{"asInt":"2"}]}}]}]}]}',
];
/** The same in protocol buffers. */
const OTLP_PROTOBUF = bytesField(
  1,
  writeMessage(
    bytesField(1, bytesField(1, writeMessage(bytesField(1, 'device'), bytesField(2, bytesField(1, 'd'))))),
    bytesField(
      2,
      bytesField(
        2,
        writeMessage(
          bytesField(1, 't'),
          bytesField(
            5,
            bytesField(1, writeMessage(fixed64Field(3, 1_794_711_540_000_000_000n), doubleField(4, 1))),
          ),
        ),
      ),
    ),
  ),
);
interface FuzzedWay {
  path: string;
  corpus: (string | Uint8Array)[];
  statuses: number[];
  headers?: Record<string, string>;
  pack?: (body: Buffer) => Uint8Array;
}
const CODEC = 'function decodeUplink(i) { return { data: { t: i.bytes[0], port: i.fPort } }; }';
/** What each may answer to somebody with a secret. */
const WAYS: FuzzedWay[] = [
  ...([1, 2] as const).map((version) => ({
    path: `${BASE}/prometheus`,
    corpus: [(version === 1 ? writeRequest1 : writeRequest2)(SERIES)],
    statuses: [204, 400, 413],
    headers: { 'content-type': CONTENT_TYPES[version], 'content-encoding': 'snappy' },
    pack: packSnappy,
  })),
  { path: `${BASE}/influx/write?precision=ns`, corpus: INFLUX, statuses: [204, 400, 413] },
  { path: `${BASE}/influx/api/v2/write`, corpus: INFLUX, statuses: [204, 400, 413] },
  {
    path: `${BASE}/otlp/v1/metrics`,
    corpus: OTLP,
    statuses: [200, 400, 413],
    headers: { 'content-type': 'application/json' },
  },
  {
    path: `${BASE}/otlp/v1/metrics`,
    corpus: [OTLP_PROTOBUF],
    statuses: [200, 400, 413],
    headers: { 'content-type': 'application/x-protobuf' },
  },
  { path: `${BASE}/chirpstack?event=up`, corpus: CHIRPSTACK, statuses: [200, 400, 413] },
  { path: `${BASE}/json`, corpus: TTS, statuses: [200, 400, 413] },
  { path: `${BASE}/tts`, corpus: TTS, statuses: [200, 400, 413] },
];

test(`bodies that were good once, for ${SECONDS} seconds, seed ${SEED}`, {
  timeout: 60_000 + 2_000 * SECONDS,
}, async () => {
  const server = await startServer();
  const lab = await openLab(server);
  const freezer = await lab.freezer();
  // Known, so that what is said in the place of a value is a fault of a probe.
  const channels = [{ name: 't', unit: '°C', kind: 'metric' }];
  await lab.applyAll(['d', 'e'].map((key) => ({ name: `Fuzzed ${key}`, device: { key }, channels })));
  await lab.source({
    settings: {
      mapping: { each: '/*', device: '/dev_eui', rest: 'take' },
      metrics: ['t'],
      codec: CODEC,
      faults: { t: { below: -40, above: 21, exactly: [1] }, temperature: { exactly: [-79.5] } },
      units: { t: '°F' },
      split: { h: '#1', port: '#2 port' },
      invert: ['door', 'h'],
    },
  });
  const { secret } = await openLab(server);
  const { port } = await startMqtt(server);
  const dice = throwDice(SEED);
  const complaints: string[] = [];
  const authorization = `Bearer ${lab.secret}`;
  const end = performance.now() + 1_000 * SECONDS;
  let sent = 0;
  let heapWarm = 0;
  const send = async () => {
    while (performance.now() < end && complaints.length === 0) {
      if (dice(6) === 0) {
        const complaint = await sendDamagedPackets({ port, secret }, dice, damage);
        if (complaint) complaints.push(complaint);
      }
      const way = WAYS[dice(WAYS.length)] as FuzzedWay;
      const body = damage(Buffer.from(way.corpus[dice(way.corpus.length)] ?? ''), dice);
      const isPacked = way.pack !== undefined || dice(8) === 0;
      const pack = way.pack ?? gzipSync;
      const packed = isPacked
        ? damage(Buffer.from(pack(body)), (sides) => (dice(2) ? 0 : dice(sides)))
        : body;
      const answer = await fetch(server.url + way.path, {
        method: 'POST',
        body: new Uint8Array(packed),
        headers: { authorization, ...(isPacked && { 'content-encoding': 'gzip' }), ...way.headers },
      });
      const text = await answer.text();
      if (!way.statuses.includes(answer.status))
        complaints.push(`${answer.status} ${text} ${way.path} ${JSON.stringify(body.toString('latin1'))}`);
      sent += 1;
      if (sent % 500 === 0) server.logLines.length = 0;
      if (sent === 1_000) heapWarm = readHeap();
      if (sent % 200 === 0) expect((await freezer.reads(-80)).status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  expect(complaints).toEqual([]);
  expect(sent).toBeGreaterThan(10 * SECONDS);
  server.logLines.length = 0;
  if (heapWarm > 0) expect(readHeap() - heapWarm).toBeLessThan(MOST_GROWTH);
});

type Dice = (sides: number) => number;

/** Mulberry32. */
function throwDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

const HARMFUL = Buffer.from('\0\n\r\t "\\,=#{}[]:.-+e19\u00e9\xff', 'latin1');

function damage(body: Buffer, dice: Dice): Buffer {
  let damaged = Buffer.from(body);
  for (let change = dice(5); change > 0; change -= 1) {
    const at = dice(damaged.length + 1);
    const until = Math.min(damaged.length, at + 1 + dice(12));
    const [before, piece, after] = [
      damaged.subarray(0, at),
      damaged.subarray(at, until),
      damaged.subarray(until),
    ];
    const harmful = HARMFUL.subarray(dice(HARMFUL.length), HARMFUL.length).subarray(0, 1 + dice(3));
    const ways = [
      () => [before, harmful, after],
      () => [before, piece, piece, after],
      () => [before, after],
      () => [before],
      () => [before, harmful, piece, after],
      () => [before, ...Array<Buffer>(1 + dice(200)).fill(piece), after],
    ];
    damaged = Buffer.concat(ways[dice(ways.length)]?.() ?? []);
  }
  return damaged;
}

function readHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
