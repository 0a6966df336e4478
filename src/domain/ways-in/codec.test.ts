import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChirpstack } from './chirpstack.ts';
import { readBase64, readDecoded } from './codec.ts';
import { readTts } from './tts.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const HEARD_AT = NOW - 1_000;
const settings = { codec: 'function decodeUplink() {}', units: { t: '°F' as const } };
const time = new Date(HEARD_AT).toISOString();

const READERS = {
  ChirpStack: (sent: object) =>
    readChirpstack(
      JSON.stringify({
        deviceInfo: { devEui: 'AA', tags: { room: '12', n: 1 } },
        time,
        fPort: 2,
        data: '4LI=',
        ...sent,
      }),
      { event: 'up', settings, receivedAt: NOW },
    ),
  'The Things Stack': (sent: object) =>
    readTts(
      JSON.stringify({
        end_device_ids: { dev_eui: 'AA' },
        uplink_message: {
          received_at: time,
          f_port: 2,
          frm_payload: '4LI=',
          attributes: { room: '12' },
          ...sent,
        },
      }),
      { device: '', settings, receivedAt: NOW },
    ),
};

describe.each(Object.entries(READERS))('%s', (_, read) => {
  test('leaves what it could not decode to the codec, and goes on with what that says', () => {
    const post = read({});
    expect([post.entries, post.rejected]).toEqual([[], []]);
    const [undecoded] = post.undecoded ?? [];
    expect(undecoded?.uplink).toEqual({
      bytes: [0xe0, 0xb2],
      fPort: 2,
      recvTime: HEARD_AT,
      variables: { room: '12' },
    });
    undecoded?.take([{ t: 212, air: { humidity: 40 } }]);
    expect(post.entries).toMatchObject([
      {
        target: { device: 'aa' },
        at: HEARD_AT,
        values: [
          ['t', 100, false],
          ['air.humidity', 40, false],
        ],
      },
    ]);
  });
});

test.each<[string, string, unknown]>([
  ['data', '{"data":{"t":1}}', { payloads: [{ t: 1 }], errors: [] }],
  [
    'names that were agreed on before others',
    '{"data":{"t":1},"normalized":[{"a":1},{"a":2}]}',
    { payloads: [{ a: 1 }, { a: 2 }], errors: [] },
  ],
  ['an empty agreement', '{"data":{"t":1},"normalized":{}}', { payloads: [{ t: 1 }], errors: [] }],
  ['errors', '{"errors":["no",{"code":1}]}', { payloads: [], errors: ['no', '{"code":1}'] }],
  ['one error', '{"errors":"no"}', { payloads: [], errors: ['no'] }],
  ['nothing', '{}', { payloads: [], errors: [] }],
  ['something else', '7', { payloads: [], errors: [] }],
])('a codec that says %s', (_, output, expected) => expect(readDecoded(output)).toEqual(expected));

test('whatever a codec says is read', () => {
  fc.assert(
    fc.property(fc.json(), (output) => {
      expect(readDecoded(output).errors.length).toBeLessThanOrEqual(10);
    }),
  );
});

test('what is no base64 is none', () => {
  expect(readBase64('§')).toBeNull();
  expect(readBase64(7)).toBeNull();
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(readBase64(Buffer.from(bytes).toString('base64'))).toEqual([...bytes]);
    }),
  );
});

test.each([
  ['binary fractions leave nothing behind', 11146 * 0.005, 55.73],
  ['whole numbers stay', 123456789012345, 123456789012345],
  ['however small', 0.1 + 0.2 - 0.3, 5.55111512313e-17],
])('%s', (_, computed, kept) => {
  const { payloads } = readDecoded(JSON.stringify({ data: { probe: { t: [computed] } } }));
  expect(payloads).toEqual([{ probe: { t: [kept] } }]);
});
