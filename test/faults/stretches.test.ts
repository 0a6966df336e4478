// No input within its limits keeps the thread long: readers, pages, calendars, previews and tasks at their caps. What is
// printed is for people; what is asserted is only that nothing has come to be a hundred times as long as it should be.
import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
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
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { hireDelivering } from '../../src/engine/program/delivering.ts';
import { housekeepingTasks } from '../../src/engine/program/housekeeping.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import type { ClockTask } from '../../src/platform/clock-loop.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openDocuments } from '../../src/platform/yaml/open-documents.ts';
import { HURTS } from '../support/acts-that-hurt.ts';
import { openLargeLab } from '../support/lab-at-its-caps.ts';
import { openPostbox } from '../support/postbox.ts';
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
import { settled } from '../support/settled-delivery.ts';
import { measureReader, measureTask, type Stretch, sayWorst } from '../support/stretches.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { ACCESS } from '../support/who-may-see-what.ts';

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

const found: Stretch[] = [];
afterAll(() => {
  process.stdout.write(`The longest stretches:\n${sayWorst(found)}\n`);
  expect(found.filter(({ ms }) => ms > LONGEST_MS)).toEqual([]);
});

test('readers of what comes in', () => {
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
});

/** Asked for by name, or by nobody with a name; or a stream that does not end. */
const ELSEWHERE =
  /activate|reset-password|join|receipt|mine|wall\/:token\/floor-plan|door\/:token|acknowledge\/:token|logout|setup|live$|tests\/:notification_id/;

/** Of all that stands in the house. */
const ASKING: Record<string, string> = {
  '/rescue/drill': '?location=/house',
  '/rescue/drill.csv': '?location=/house',
};

/** Each asks about one thing, which stands on a page that is measured. */
const QUESTIONS: ReadonlySet<string> = new Set(
  Object.values(HURTS).flatMap((hurt) => (hurt && 'question' in hurt ? [hurt.question] : [])),
);

test('pages, calendars, previews and tasks of a lab at its caps', async () => {
  const server = await startServer();
  const { lab, ids } = await openLargeLab(server);
  const token = await lab.ada.token();
  const ask = (method: string, path: string, form?: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        cookie: `access_token=${token}`,
        origin: server.url,
        'content-type': 'application/x-www-form-urlencoded',
      };
      // Read by nobody, so that reading does not count.
      request(server.url + path, { method, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', reject)
        .end(form && new URLSearchParams(form).toString());
    });
  const measurePage = async (route: string, path: string, form?: Record<string, string>) => {
    const [method = ''] = route.split(' ');
    found.push(
      await measureTask(route, async () => {
        expect.soft(await ask(method, path, form), route).toBeLessThan(400);
      }),
    );
  };

  const routes = Object.keys(ACCESS).filter(
    (route) => route.startsWith('GET ') && !ELSEWHERE.test(route) && !QUESTIONS.has(route),
  );
  for (const route of routes) {
    const path = route
      .slice(4)
      .replace('/wall/:token', `/wall/${ids.wall}`)
      .replace('/rota/:token.ics', ids.calendar ?? '')
      .replaceAll(/:([a-z_]+)/g, (_, name: string) => ids[name] ?? `no-${name}`);
    await measurePage(
      route,
      path + (ASKING[route.slice(4)] ?? (path.endsWith('/series') ? '?channel=t1' : '')),
    );
  }

  const previews: Record<string, [path: string, form?: Record<string, string>]> = {
    'POST settings of a source are tried': [
      `/settings/sources/${ids.source_id}/try`,
      { kind: 'json', settings: MAPPING },
    ],
    'POST limits are tried': [
      `/services/${ids.service_id}/backtest`,
      { metric_channel: 't1', ch_high: '0.5', cl_low: '', wh_high: '', wl_low: '' },
    ],
    'GET who would be told': [`/on-call?service=${ids.service_id}&kind=critical`],
    'GET a series of downtimes': [
      `/downtimes/series?preview=&service_id=${ids.service_id}&first_day=2026-11-16&until_day=2027-11-15&start=08:00&duration=60&frequency=DAILY&interval=1&reason=Defrost`,
    ],
  };
  for (const [name, [path, form]] of Object.entries(previews)) await measurePage(name, path, form);

  // Once only: what they have done is done.
  for (const { name, run } of listTasks(server))
    found.push(await measureTask(`task ${name}`, () => run(server.clock.read()), { rounds: 1 }));
}, 600_000);

const MAPPING = [
  'mapping:',
  '  each: /list/*',
  '  device: /id',
  '  values:',
  ...Array.from({ length: 480 }, (_, n) => `    c${n}: /a`),
].join('\n');

/** Of a program that does everything. */
function listTasks({ db, clock, road, watch, signer }: TestServer): ClockTask[] {
  const log = pino({ level: 'silent' });
  const publicUrl = () => 'https://tocsin.lab.example';
  const mailer = openMailer({ settings: settled(readConfig({})), db });
  const { tasks } = hireDelivering({
    db,
    clock: clock.read,
    log,
    publicUrl,
    signer,
    mailer,
    program: enrolProgram(db, ['deliver'], clock.read()),
    transports: openPostbox().transports,
    metrics: null,
    heartbeatUrl: null,
    outbound: { allowPrivate: true },
  });
  return [
    watch.task,
    { name: 'sweep', everySeconds: 1, run: road.sweep },
    { name: 'set-back of readings', everySeconds: 60, run: road.setBack },
    { name: 'bring-along', everySeconds: 5, run: road.bringAlong },
    ...tasks,
    ...housekeepingTasks({ db, log, retentionDays: 400 }),
  ];
}
