// What programs ask, with good and with refused input, in the order in which one house is asked. The answers to all of it are
// English. Add a line for whatever is new.
import { gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { completeRequest } from '../../src/engine/advice/recommendations.ts';
import { HX } from './answers.ts';
import { archive, createFreezer, type Freezer, organizationOf } from './equipment.ts';
import type { Lab, Freezer as LabFreezer } from './lab.ts';
import { BLANK_EDIT } from './limits-desk.ts';
import { hours } from './movable-clock.ts';
import { packSnappy } from './pack-snappy.ts';
import { PASSWORD } from './people.ts';
import { CONTENT_TYPES, writeRequest1 } from './remote-write.ts';
import type { TestServer } from './test-server.ts';

export interface ProgramHouse {
  server: TestServer;
  lab: Lab;
  freezer: LabFreezer;
  /** Archived. */
  old: Freezer;
  /** Of the other organization. */
  foreign: Freezer;
}

export interface Question {
  /** Ada, unless said. */
  by?: 'nobody' | 'nonsense' | 'gateway' | 'nora' | 'vera' | 'oscar' | 'ada' | 'olga';
  form?: Record<string, string>;
  json?: unknown;
  body?: BodyInit;
  ids?: Record<string, string | number>;
  query?: string;
  headers?: Record<string, string>;
  /** The connection to the database is lost behind such a statement. */
  blowsAfter?: RegExp;
}
type Asked = Question | ((house: ProgramHouse) => Question | Promise<Question>);

const HUGE = '2147483648';
const JSON_TYPE = { 'content-type': 'application/json' };
const EVERYBODY = (['nobody', 'nonsense', 'nora', 'vera', 'oscar', 'olga'] as const).map((by) => ({ by }));
const refusedTo =
  (...who: (Question['by'] & string)[]): ((rest?: Question) => Question[]) =>
  (rest = {}) =>
    who.map((by) => ({ ...rest, by }));
const toAll = refusedTo('nobody', 'nonsense', 'nora', 'olga', 'vera');
const BELOW_ADMINISTRATOR = refusedTo('nobody', 'nonsense', 'nora', 'olga', 'vera', 'oscar');
const onPages = (...asked: Question[]): Question[] => asked.map((one) => ({ ...one, headers: HX }));
const ofNothing = { ids: { service_id: 2147483647 } };
const outOfRange = ['0', '-1', HUGE, 'x'].map((service_id) => ({ ids: { service_id } }));
const ofTheOld: Asked = ({ old }) => ({ ids: { service_id: old.id } });

const BANDS = [
  { band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 5 },
  { band: 'WARNING_HIGH', limit: -70, delay: 0, sustained: 5 },
];

/** A request of Ada's that the advisor completed. */
const completed =
  (result: object, about: 'freezer' | 'foreign' = 'freezer', rest: Question = {}): Asked =>
  async ({ server, lab, ...house }) => {
    const asker = about === 'freezer' ? lab.ada : lab.olga;
    await asker.post(`/api/v1/services/${house[about].id}/recommend`);
    const [row] = await server.db.query<{ id: string }>(sql`
      select id from recommendation where service_id = ${house[about].id} and state = 'pending'`);
    await completeRequest(server.db, row?.id ?? '', result, server.clock.read());
    return { ...rest, form: { result_id: row?.id ?? '' } };
  };

const downtime =
  (rest: Record<string, string> = {}): Asked =>
  ({ freezer }) => ({
    by: 'oscar',
    form: {
      service_id: String(freezer.id),
      start_time: '2026-11-15T01:00',
      end_time: '2027-11-15T02:00',
      reason: 'Defrost',
      ...rest,
    },
  });
const planned =
  (rest: Question = { by: 'oscar' }): Asked =>
  async ({ server: { db, clock }, lab, freezer }) => {
    const now = clock.read();
    const [row] = await db.query<{ id: number }>(sql`
      insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
      values (${freezer.id}, ${now}, ${new Date(now.getTime() + hours(1))}, 'Defrost', ${lab.oscar.id}, 'Oscar', ${now})
      returning id`);
    return { ...rest, ids: { downtime_id: row?.id ?? 0 } };
  };

const edit = (fields: Record<string, string>): Question => ({ form: { ...BLANK_EDIT, ...fields } });
const PERCENT = { is_percentage: 'on', setpoint_channel: 'setpoint' };

const own =
  (values: unknown, rest: object = {}): Asked =>
  ({ server, freezer }) => ({
    by: 'gateway',
    json: [{ device: freezer.device, time: server.clock.read().getTime(), values, ...rest }],
  });
/** As most ways in are refused. */
const ways = (body: BodyInit, headers: Record<string, string> = JSON_TYPE): Question[] => [
  { by: 'gateway', body, headers },
  { by: 'nobody', body, headers },
  { by: 'nonsense', body, headers },
  { by: 'ada', body, headers },
  { by: 'gateway', body: '{', headers },
  { by: 'gateway', body: '', headers },
  { by: 'gateway', body, headers: { 'content-type': 'text/html' } },
  { by: 'gateway', body, headers: { ...headers, 'content-encoding': 'compress' } },
  { by: 'gateway', body, headers: { ...headers, 'content-encoding': 'gzip' } },
];

export const ASKED: Record<string, Asked[]> = {
  'POST /api/v1/auth/token': [
    ({ lab }) => ({ by: 'nobody', form: { username: lab.ada.email, password: PASSWORD } }),
    { by: 'nobody' },
    { by: 'nobody', form: { username: 'nobody@lab.example', password: 'wrong' } },
    ...Array.from(
      { length: 7 },
      (): Asked =>
        ({ lab }) => ({
          by: 'nobody',
          form: { username: lab.oscar.email, password: 'wrong' },
        }),
    ),
    async ({ server, lab }) => {
      await server.db.query(sql`update account set is_active = false where id = ${lab.nora.id}`);
      return { by: 'nobody', form: { username: lab.nora.email, password: PASSWORD } };
    },
    async ({ server, lab }) => {
      await server.db.query(sql`update account set is_active = true where id = ${lab.nora.id}`);
      return { by: 'nobody', form: { username: lab.nora.email, password: PASSWORD } };
    },
  ],
  'GET /api/v1/auth/me': [...EVERYBODY],
  'GET /api/v1/health': [{ by: 'nobody' }],
  'GET /health': [{ by: 'nobody' }, { by: 'ada' }],
  'GET /api/v1/health/detailed': [{}, ...EVERYBODY],
  'GET /api/v1/openapi.json': [{ by: 'nobody' }],
  'GET /api/v1/on-call': [{}, ...EVERYBODY],
  'POST /api/v1/telemetry': [
    own({ temperature: -40, door: 1 }),
    own({ temperature: 'cold' }),
    own({ temperature: -40 }, { time: 'yesterday' }),
    own({ temperature: -40 }, { time: '2099-01-01T00:00:00Z' }),
    own({}),
    own(null),
    { by: 'gateway', json: { device: 'a stranger', values: { temperature: 4 } } },
    { by: 'gateway', json: 'nothing of it' },
    ...ways('[]'),
    { by: 'gateway', body: gzipSync('[]'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
  ],
  'GET /api/v1/telemetry/influx/health': [{ by: 'nobody' }, { by: 'gateway' }],
  'GET /api/v1/telemetry/influx/ping': [{ by: 'nobody' }, { by: 'gateway' }],
  'POST /api/v1/telemetry/influx/api/v2/write': [
    ...ways('m,device=a temperature=4', {}),
    { by: 'gateway', body: 'm temperature=4' },
    { by: 'gateway', body: 'm,device=a temperature=4', query: '?precision=years' },
  ],
  'POST /api/v1/telemetry/influx/write': [
    ...ways('m,device=a temperature=4', {}),
    { by: 'nobody', body: 'm,device=a temperature=4', query: '?u=telegraf&p=wrong' },
  ],
  'POST /api/v1/telemetry/chirpstack': [
    ...ways('{"deviceInfo":{"devEui":"A84041"},"time":"2026-11-15T02:00:00Z","object":{"temperature":4}}'),
    ...['up', 'join', 'nothing'].map(
      (event): Question => ({ by: 'gateway', json: {}, query: `?event=${event}` }),
    ),
  ],
  'POST /api/v1/telemetry/tts': ways(
    '{"end_device_ids":{"dev_eui":"A84041"},"uplink_message":{"received_at":"2026-11-15T02:00:00Z","decoded_payload":{"t":1}}}',
  ),
  'POST /api/v1/telemetry/json': [
    ...ways('{"id":"a","t":4}'),
    async ({ lab }) => {
      await lab.source({ settings: { mapping: { device: '/id', rest: 'take' } } });
      return { by: 'gateway', json: { id: 'a', t: 4 } };
    },
    ...ways('{"id":7,"t":"x"}'),
  ],
  'POST /api/v1/telemetry/prometheus': [
    ...ways('x'),
    ({ server }) => ({
      by: 'gateway',
      body: packSnappy(
        writeRequest1([
          { labels: { __name__: 't', device: 'a' }, samples: [[4, server.clock.read().getTime()]] },
        ]),
      ),
      headers: {
        'content-type': CONTENT_TYPES[1],
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
      },
    }),
    { by: 'gateway', body: 'x', headers: { 'content-type': CONTENT_TYPES[1], 'content-encoding': 'snappy' } },
  ],
  'POST /api/v1/telemetry/otlp/v1/metrics': [
    ...ways(
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"t","histogram":{"dataPoints":[{}]}}]}]}]}',
    ),
    { by: 'gateway', body: 'x', headers: { 'content-type': 'application/x-protobuf' } },
  ],
  'GET /api/v1/alarms': [{}, ...EVERYBODY, ...onPages({ by: 'nobody' }, { by: 'nonsense' })],
  'POST /api/v1/alarms/:service_id/acknowledge': [
    ...toAll(),
    ...onPages(...toAll()),
    ofNothing,
    ...onPages(ofNothing),
    ...outOfRange,
    { form: { comment: 'a\u0000b' } },
    { by: 'oscar', form: { comment: 'on my way' } },
    {},
    ...onPages({}),
    ({ old }) => ({ ids: { service_id: old.id } }),
  ],
  'POST /api/v1/alarms/:service_id/unacknowledge': [
    ...toAll(),
    ofNothing,
    ...outOfRange,
    ...onPages(...toAll(), ofNothing, ...outOfRange),
    { by: 'oscar', blowsAfter: /update acknowledgement|delete from acknowledgement/ },
    { by: 'oscar' },
    { by: 'oscar' },
    ...onPages({ by: 'oscar' }),
  ],
  'POST /api/v1/services/:service_id/mute': [
    ...toAll(),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    ...onPages(...toAll(), ofNothing),
    { form: { minutes: '-1' } },
    { form: { minutes: 'soon' } },
    { by: 'oscar', blowsAfter: /insert into mute/ },
    { by: 'oscar', form: { reason: 'being mended' } },
    { by: 'oscar', form: { minutes: '60' } },
  ],
  'POST /api/v1/services/:service_id/unmute': [
    ...toAll(),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    ...onPages(...toAll(), ofNothing),
    { by: 'oscar', blowsAfter: /update mute|delete from mute/ },
    { by: 'oscar' },
    { by: 'oscar' },
  ],
  'GET /api/v1/downtimes': [{}, ...EVERYBODY, ...onPages({ by: 'nobody' }, { by: 'nonsense' })],
  'POST /api/v1/downtimes': [
    ...(['nobody', 'nonsense', 'nora', 'olga', 'vera'] as const).map(
      (by): Asked =>
        async (house) => ({ ...(await ask(downtime(), house)), by }),
    ),
    {},
    downtime({ service_id: HUGE }),
    downtime({ service_id: 'x' }),
    downtime({ service_id: '2147483647' }),
    downtime({ reason: ' ' }),
    downtime({ start_time: 'soon' }),
    downtime({ end_time: '2026-11-15T00:00' }),
    downtime({ start_time: '2020-01-01', end_time: '2020-01-02' }),
    async (house) => ({ ...(await ask(downtime(), house)), blowsAfter: /insert into downtime/ }),
    downtime(),
  ],
  'DELETE /api/v1/downtimes/:downtime_id': [
    ...toAll({ ids: { downtime_id: 2147483647 } }).map((one): Asked => planned(one)),
    { by: 'oscar', ids: { downtime_id: 2147483647 } },
    ...['0', HUGE, 'x'].map((downtime_id) => ({ ids: { downtime_id } })),
    ...onPages({ ids: { downtime_id: 2147483647 } }),
    planned({ by: 'oscar', blowsAfter: /delete from downtime/ }),
    planned(),
    async ({ server, freezer }) => {
      await server.db.query(sql`delete from downtime where service_id = ${freezer.id}`);
      return { ids: { downtime_id: 2147483647 } };
    },
  ],
  'POST /api/v1/services/:service_id/edit': [
    ...BELOW_ADMINISTRATOR(edit({})),
    { ...edit({}), ...ofNothing },
    ({ old }) => ({ ...edit({}), ids: { service_id: old.id } }),
    ...outOfRange.map((one) => ({ ...edit({}), ...one })),
    {},
    edit({ ch_high: '4', wh_high: '5' }),
    edit({ cl_low: '5', wl_low: '4' }),
    edit({ ch_high: '4', wl_low: '5' }),
    edit({ ...PERCENT, ch_high: '4', wh_high: '5' }),
    edit({ ...PERCENT, cl_low: '4', wl_low: '5' }),
    edit({ ch_delay: '-1' }),
    { ...edit({}), blowsAfter: /insert into limits_version/ },
    edit({ ch_high: '-60', wh_high: '-70', ch_sustained: '5' }),
    ...onPages(edit({ ch_high: '4', wh_high: '5' })),
  ],
  'GET /api/v1/services/:service_id/what-to-do': [{}, ...EVERYBODY, ofNothing, ofTheOld, ...outOfRange],
  'PUT /api/v1/services/:service_id/what-to-do': [
    ...BELOW_ADMINISTRATOR(),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    { form: { what_to_do: 'Close the **door**', phones: 'Porter: 4711', template: 'freezer-80' } },
    { form: { phones: 'nobody' } },
    { form: { value_class: 'D' } },
    { form: { owner: 'x'.repeat(201) } },
  ],
  'GET /api/v1/services/:service_id/rescue': [{}, ...EVERYBODY, ofNothing, ofTheOld, ...outOfRange],
  'PUT /api/v1/services/:service_id/rescue': [
    ...BELOW_ADMINISTRATOR(),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    { form: { temperature_class: 'ultra_low', racks: '6', danger_value: '-50' } },
    { form: { racks: 'many' } },
    { form: { temperature_class: 'mild' } },
    { form: { danger_value: 'warm' } },
  ],
  'POST /api/v1/services/:service_id/delete-band': [
    ...BELOW_ADMINISTRATOR(),
    ...onPages(...BELOW_ADMINISTRATOR()),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    { form: { metric_channel: 'temperature', band_name: 'SIDEWAYS' } },
    { form: { metric_channel: 'humidity', band_name: 'WARN_LOW' } },
    { form: { metric_channel: 'temperature', band_name: 'WARN_LOW' } },
    {
      form: { metric_channel: 'temperature', band_name: 'WARN_HIGH' },
      blowsAfter: /insert into limits_version/,
    },
    { form: { metric_channel: 'temperature', band_name: 'WARN_HIGH' } },
    ...onPages({ form: { metric_channel: 'temperature', band_name: 'CRITICAL_HIGH' } }),
    { form: { metric_channel: 'temperature', clear_all: 'true' } },
    { form: { metric_channel: 'default' } },
    ...onPages({ form: { metric_channel: 'battery', clear_all: 'true' } }),
  ],
  'POST /api/v1/services/:service_id/recommend': [
    ...BELOW_ADMINISTRATOR(),
    ...onPages(...BELOW_ADMINISTRATOR()),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    { blowsAfter: /insert into recommendation/ },
    {},
    {},
    ...onPages({}),
  ],
  'GET /api/v1/services/:service_id/recommendation': [
    {},
    { by: 'oscar' },
    { by: 'vera' },
    ...refusedTo('nobody', 'nonsense', 'nora', 'olga')(),
    ...onPages(...refusedTo('nobody', 'nora', 'olga')(), ofNothing),
    ofNothing,
    ofTheOld,
    ...outOfRange,
    completed({ proposed_bands: BANDS, channel: 'temperature', reasoning: 'Warmer at night' }),
  ],
  'POST /api/v1/services/:service_id/apply-recommendation': [
    ...BELOW_ADMINISTRATOR({ form: { result_id: '1' } }),
    ...onPages(...BELOW_ADMINISTRATOR({ form: { result_id: '1' } })),
    { form: { result_id: '9223372036854775800' } },
    ...['', '0', 'x', '9223372036854775808'].map((result_id) => ({ form: { result_id } })),
    {},
    ...outOfRange.map((one) => ({ ...one, form: { result_id: '1' } })),
    { ...ofNothing, form: { result_id: '1' } },
    completed({ proposed_bands: BANDS }, 'foreign'),
    completed({}),
    completed({ proposed_bands: 'higher' }),
    completed({ proposed_bands: 'higher' }, 'freezer', { headers: HX }),
    completed({ proposed_bands: BANDS, channel: 'temperature' }, 'freezer', {
      blowsAfter: /insert into limits_version/,
    }),
    completed({ proposed_bands: BANDS, channel: 'temperature' }),
    completed({ proposed_bands: BANDS, channel: 'temperature' }, 'freezer', { headers: HX }),
    async ({ server, freezer }) => {
      const [row] = await server.db.query<{ id: string }>(sql`
        select id from recommendation where service_id = ${freezer.id} and applied_at is not null limit 1`);
      return { form: { result_id: row?.id ?? '' } };
    },
  ],
  'POST /hooks/twilio/status': [{ by: 'nobody', form: { MessageSid: 'x' } }],
  'POST /hooks/twilio/sms': [{ by: 'nobody', form: { Body: 'x' } }],
  'POST /hooks/twilio/voice/:letter_id': [{ by: 'nobody', ids: { letter_id: 1 }, form: {} }],
  'POST /hooks/twilio/voice/:letter_id/pin/:attempt': [
    { by: 'nobody', ids: { letter_id: 1, attempt: 1 }, form: {} },
  ],
  'POST /hooks/vonage/status': [{ by: 'nobody', json: {} }],
  'POST /hooks/vonage/sms': [{ by: 'nobody', json: {} }],
  'POST /hooks/messagebird/status': [{ by: 'nobody', json: {} }],
  'POST /hooks/46elks/:secret/status': [{ by: 'nobody', ids: { secret: 'x' }, form: {} }],
  'POST /hooks/46elks/:secret/sms': [{ by: 'nobody', ids: { secret: 'x' }, form: {} }],
  'GET /services/:service_id/readings.csv': [
    { query: '?from=2026-11-01&to=2027-01-01' },
    { query: '?channel=temperature' },
  ],
  'GET /audit.csv': [{}],
  'GET /history.csv': [{}],
  'GET /history/insight.csv': [{}],
  'GET /rescue/drill.csv': [
    async ({ server, lab, freezer }) => {
      const [place] = await server.db.query<{ id: number }>(sql`
        with room as (insert into location (organization_id, name) values (${lab.organization}, 'Room 9') returning id),
          bench as (insert into asset (organization_id, name, location_id)
            select ${lab.organization}, 'Bench 9', id from room returning id)
        update service set asset_id = bench.id from bench, room where service.id = ${freezer.id} returning room.id`);
      return { query: `?organization=${lab.organization}&location=${place?.id}` };
    },
  ],
  'GET /rescue/drills.csv': [{}],
  'GET /api/v1/auth/logout': [{ by: 'nobody' }, { by: 'nonsense' }, { by: 'nora' }],
  'POST /api/v1/auth/logout': [{ by: 'nobody' }, { by: 'vera' }, { by: 'vera' }],
};

/** Refused before anybody asks what it is about: a method, an address, and what else there is. */
export const REFUSED: [method: string, address: string, question?: Question][] = [
  ['GET', '/api/v1/nothing'],
  ['GET', '/api/v1/'],
  ['PUT', '/api/v1/alarms'],
  ['DELETE', '/health'],
  ['GET', `/api/v1/${'x'.repeat(20_000)}`],
  ['GET', '/api/v1/%ff'],
  [
    'POST',
    '/api/v1/auth/token',
    { body: 'username=%ff', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['POST', '/api/v1/auth/token', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
  ['POST', '/api/v1/auth/token', { body: 'x'.repeat(1024 * 1024 + 1) }],
  ['POST', '/api/v1/telemetry', { by: 'gateway', body: 'x'.repeat(9 * 1024 * 1024), headers: JSON_TYPE }],
];

export const ask = async (asked: Asked, house: ProgramHouse): Promise<Question> =>
  typeof asked === 'function' ? asked(house) : asked;

export async function openProgramHouse(server: TestServer, lab: Lab): Promise<ProgramHouse> {
  const channels = [
    { name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' },
    { name: 'setpoint', kind: 'setpoint' },
    { name: 'door', kind: 'state' },
  ];
  const limits = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }];
  await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  const freezer = await lab.freezer({ channels, limits, notifications: { group: 'Cold team' } });
  const [old, foreign] = await Promise.all([
    createFreezer(server, lab, { name: 'Old' }),
    createFreezer(server, lab, { name: 'Foreign', organization: await organizationOf(server, lab.olga) }),
  ]);
  await archive(server, old);
  return { server, lab, freezer, old, foreign };
}
