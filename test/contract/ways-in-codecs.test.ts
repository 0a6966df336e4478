// Codecs of administrators, for payloads that the network did not decode, as docs/ways-in.md tells it.
import { readFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Lab, openLab } from '../support/lab.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';

const WAYS_IN = readFileSync(new URL('../../docs/ways-in.md', import.meta.url), 'utf8');

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const GOOD = `function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort !== 2) return { errors: ['unknown port ' + input.fPort] };
  return { data: { temperature: ((bytes[0] << 24 >> 16) | bytes[1]) / 100, battery: bytes[2] } };
}`;
const raw = Buffer.from([0xe0, 0xb8, 97]).toString('base64');
const chirpstack = (devEui: string, fPort = 2) => ({ deviceInfo: { devEui }, fPort, data: raw });
const tts = (dev_eui: string, f_port = 2) => ({
  end_device_ids: { dev_eui },
  uplink_message: { f_port, frm_payload: raw },
});
const post = (path: string, body: unknown, from = lab) =>
  fetch(`${server.url}/api/v1/telemetry/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${from.secret}`, 'content-type': 'application/json' },
  });
const hear = async (device: string, from = lab) => {
  const answer = await post('chirpstack?event=up', chirpstack(device), from);
  return [answer.status, await answer.json()] as const;
};
const paste = (codec: string, to = lab) => to.source({ kind: 'chirpstack', settings: { codec } });
const rejectedFor = (reason: string) => [
  200,
  { accepted: 0, duplicates: 0, rejected: [{ index: 0, reason }] },
];
const OFF = 'the codec is switched off, for it failed three times in a row';

describe('what a network did not decode', () => {
  test.each<[string, string, (device: string, port?: number) => unknown]>([
    ['ChirpStack', 'chirpstack?event=up', chirpstack],
    ['The Things Stack', 'tts', tts],
  ])('%s', async (_, path, write) => {
    const freezer = await lab.freezer();
    await paste(GOOD);
    expect((await post(path, write(freezer.device))).status).toBe(200);
    expect(await listStored(server.db, freezer.id)).toMatchObject([
      { name: 'battery', value: 97 },
      { name: 'temperature', value: -80.08 },
    ]);
    expect(await (await post(path, write(freezer.device, 7))).json()).toMatchObject({
      rejected: [{ index: 0, reason: 'the codec says: unknown port 7' }],
    });
  });

  test('what it decoded itself is taken as it is', async () => {
    const freezer = await lab.freezer();
    await paste('function decodeUplink() { throw 1 }');
    const body = { ...chirpstack(freezer.device), object: { temperature: -70 } };
    expect(await (await post('chirpstack', body)).json()).toMatchObject({ accepted: 1 });
  });

  test.each([
    ['Decoder', 'function Decoder(bytes, port) { return { temperature: port * 100 + bytes.length }; }', 203],
    ['Decode', 'function Decode(fPort, bytes) { return { temperature: fPort + bytes[2] }; }', 99],
    [
      'normalizeUplink',
      `function decodeUplink(i) { return { data: { t: i.bytes.length } }; }
       function normalizeUplink(i) { return { data: [{ temperature: i.data.t }] }; }`,
      3,
    ],
    [
      'constants',
      'const decodeUplink = ({ recvTime }) => ({ data: { temperature: recvTime.getTime() > 0 } })',
      1,
    ],
  ])('by %s', async (_, codec, value) => {
    const freezer = await lab.freezer();
    await paste(codec);
    expect((await hear(freezer.device))[1]).toMatchObject({ accepted: 1, rejected: [] });
    expect(await listStored(server.db, freezer.id)).toMatchObject([{ name: 'temperature', value }]);
  });
});

test.each<[string, string, RegExp]>([
  ['loops', 'function decodeUplink() { for (;;); }', /longer than 50 ms/],
  [
    'loops where nothing can interrupt it',
    'function decodeUplink() { [].indexOf.call({ length: 2 ** 53 - 1 }, 1); }',
    /longer than 50 ms/,
  ],
  ['loops when it is loaded', 'for (;;);', /longer than 50 ms/],
  ['takes memory', 'function decodeUplink() { return { data: new Uint8Array(9e6) }; }', /out of memory/],
  ['calls itself', 'function decodeUplink(i) { return decodeUplink(i); }', /stack overflow/],
  [
    'makes too much',
    'function decodeUplink() { return { data: { a: "x".repeat(65536) } }; }',
    /more than 64 KB/,
  ],
  ['throws', 'function decodeUplink() { throw new Error("no"); }', /Error: no/],
  ['is none', 'var x = 1;', /no function decodeUplink, Decoder or Decode/],
  ['cannot be read', 'function (', /SyntaxError/],
  ['asks for us', 'function decodeUplink() { return require("fs"); }', /'require' is not defined/],
])('one that %s is switched off after three times, and harms nobody else', async (_, codec, reason) => {
  const other = await openLab(server);
  const [theirs, freezer] = [await other.freezer(), await lab.freezer()];
  await paste(GOOD, other);
  await paste(codec);
  for (let time = 0; time < 3; time += 1) {
    const [[status, answer], [, good]] = await Promise.all([
      hear(freezer.device),
      hear(theirs.device, other),
    ]);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ accepted: 0, rejected: [{ reason: expect.stringMatching(reason) }] });
    expect(good).toMatchObject({ rejected: [] });
  }
  expect(await hear(freezer.device)).toEqual(rejectedFor(OFF));
  expect((await hear(theirs.device, other))[1]).toMatchObject({ rejected: [] });
  const [page] = await server.db.query<{ id: number; reason: string }>(sql`
    select id, codec_off_reason as "reason" from source where organization_id = ${lab.organization}`);
  expect(page?.reason).toMatch(reason);
  const ada = openVisitor(server);
  await ada.signsIn(lab.ada);
  expect(await ada.read(`/settings/sources/${page?.id}`)).toContain('Its codec failed three times in a row');

  await paste(GOOD);
  expect((await hear(freezer.device))[1]).toMatchObject({ accepted: 2 });
});

test('Ruuvi, by the lines of docs/ways-in.md: what a tag measured, and that a probe is broken', async () => {
  const lines = /```yaml\n(kind: json\nsettings: +# Ruuvi[\s\S]*?)```/.exec(WAYS_IN)?.[1] ?? '';
  const tag = await lab.freezer({ device: { key: 'CB:B8:33:4C:88:4F' } });
  await lab.source(parse(lines));
  const send = async (payload: string) => {
    server.clock.advance(60_000);
    const timestamp = Math.floor(server.clock.read().getTime() / 1000);
    const tags = { 'cb:b8:33:4c:88:4f': { rssi: -60, timestamp, data: `0201061BFF9904${payload}` } };
    const answer = await post('json', { data: { timestamp, gw_mac: 'AA:BB', tags } });
    expect(await answer.json()).toMatchObject({ rejected: [] });
  };
  // The test vectors of its documentation: valid, and invalid in all its fields.
  await send('0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F');
  // Steps of 0.005 and 0.0025, of which binary fractions would make 55.730000000000004.
  await send('052B8A5714C37C0004FFFC040CAC364200CDCBB8334C884F');
  await send('058000FFFFFFFF800080008000FFFFFFFFFFFFFFFFFFFFFF');
  const stored = (await listStored(server.db, tag.id)).map(({ name, value }) => [name, value]);
  expect(stored).toEqual(
    expect.arrayContaining([
      ['temperature', 24.3],
      ['humidity', 53.49],
      ['temperature', 55.73],
      ['humidity', 55.73],
      ['pressure', 100044],
      ['battery', 2.977],
      ['temperature_fault', 1],
    ]),
  );
});

test('failures count only in a row', async () => {
  const freezer = await lab.freezer();
  await paste(
    'function decodeUplink(i) { if (i.fPort === 1) throw 1; return { data: { temperature: 1 } }; }',
  );
  for (const port of [1, 1, 2, 1, 1, 2])
    expect((await post('chirpstack', chirpstack(freezer.device, port))).status).toBe(200);
  expect((await hear(freezer.device))[1]).toMatchObject({ rejected: [] });
});
