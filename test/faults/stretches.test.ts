// No input within its limits keeps the thread long: readers, pages, calendars, previews and tasks at their caps. What is
// printed is for people; what is asserted is only that nothing has come to be a hundred times as long as it should be.
import { expect, test } from 'vitest';
import { readChirpstack } from '../../src/domain/ways-in/chirpstack.ts';
import { readDiscovery } from '../../src/domain/ways-in/home-assistant.ts';
import { readInflux } from '../../src/domain/ways-in/influx.ts';
import { readMapped } from '../../src/domain/ways-in/mapping.ts';
import { readOtlp } from '../../src/domain/ways-in/otlp.ts';
import { readRemoteWrite } from '../../src/domain/ways-in/prometheus.ts';
import { unpackSnappy } from '../../src/domain/ways-in/snappy.ts';
import { readTopic } from '../../src/domain/ways-in/topics.ts';
import { readTts } from '../../src/domain/ways-in/tts.ts';
import { readStoredPage } from '../../src/domain/ways-in/tts-storage.ts';
import { openDocuments } from '../../src/platform/yaml/open-documents.ts';
import {
  ANNOUNCEMENTS,
  INFLUX,
  LARGE_LIST,
  LARGE_OBJECT,
  MAPPED,
  NOW,
  OTLP_JSON,
  OTLP_PROTOBUF,
  PROMETHEUS,
  YAML,
} from '../support/posts-at-their-caps.ts';
import { measureReader, type Stretch, sayWorst } from '../support/stretches.ts';

/** The goal is 20 ms on a machine of our own; here others work too. */
const LONGEST_MS = 2_000;

const rules = { settings: {}, receivedAt: NOW };
const UTF8 = new TextEncoder();

/** Copies of a single byte, as many as there may be. */
function packedZeros(bytes: number): Uint8Array {
  const packed = [0x80, 0x80, 0x80, 0x08, 0, 65];
  for (let left = bytes - 1; left > 0; left -= 64) packed.push(((Math.min(left, 64) - 1) << 2) | 2, 1, 0);
  return Uint8Array.from(packed);
}

test('readers of what comes in', () => {
  const found: Stretch[] = [];
  const measure = (name: string, prepare: () => () => unknown) => found.push(measureReader(name, prepare));
  for (const [name, text] of Object.entries(INFLUX))
    measure(`InfluxDB: ${name}`, () => () => readInflux(text, { ...rules, precision: { finer: 6 } }));
  for (const [name, make] of Object.entries(OTLP_PROTOBUF))
    measure(`OTLP in protocol buffers: ${name}`, () => {
      const body = make();
      return () => readOtlp(body, { ...rules, encoding: 'protobuf' });
    });
  for (const [name, make] of Object.entries(OTLP_JSON))
    measure(`OTLP in JSON: ${name}`, () => {
      const body = make();
      return () => readOtlp(body, { ...rules, encoding: 'json' });
    });
  for (const [name, { version, settings, body: make }] of Object.entries(PROMETHEUS))
    measure(`Prometheus: ${name}`, () => {
      const body = make();
      return () => readRemoteWrite(body, { version, settings, receivedAt: NOW });
    });
  for (const [name, { settings, body }] of Object.entries(MAPPED))
    measure(`mapping: ${name}`, () => () => readMapped(body, { settings, receivedAt: NOW }));
  for (const [name, body] of Object.entries(ANNOUNCEMENTS))
    measure(`announcement: ${name}`, () => () => readDiscovery('homeassistant/device/x/config', body));
  for (const [name, text] of Object.entries(YAML))
    measure(
      `settings: ${name}`,
      () => () => openDocuments(text, { mostCharacters: 20_000, mostPieces: 5_000 }),
    );
  const chirpstack = JSON.stringify({ deviceInfo: { devEui: 'a' }, object: LARGE_OBJECT });
  measure('ChirpStack: a large object', () => () => readChirpstack(chirpstack, { ...rules, event: 'up' }));
  const tts = JSON.stringify({
    end_device_ids: { dev_eui: 'a' },
    uplink_message: { normalized_payload: LARGE_LIST },
  });
  measure('The Things Stack: a large list', () => () => readTts(tts, { ...rules, device: '' }));
  measure('The Things Stack: a stored page', () => {
    const page = `{"result":${tts}}\n`.repeat(20);
    return () => readStoredPage(page);
  });
  const own = UTF8.encode(JSON.stringify(LARGE_LIST));
  measure('own topic: a large list', () => () => readTopic('tocsin/a', own, rules));
  const packed = packedZeros(16 * 1024 * 1024);
  measure('snappy: 16 MB', () => () => unpackSnappy(packed, 16 * 1024 * 1024));
  process.stdout.write(`The longest stretches of readers:\n${sayWorst(found)}\n`);
  for (const { name, ms } of found) expect.soft(ms, name).toBeLessThan(LONGEST_MS);
});
