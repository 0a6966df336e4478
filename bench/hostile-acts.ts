// All at once, whatever it may: posts that become large, alarms that come and go, devices that announce themselves and leave
// wills, pages, previews, tries over the whole history, downtimes and stand-ins until no more are taken.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import mqtt from 'mqtt';
import { CODECS, MALLORY, many, SECRET, SERVICES } from './hostile-neighbour.ts';
import { TELEMETRY } from './ingest.ts';

const LARGE_POSTS = 8;
const ITEMS = 2_000;
const PAGES = 4;
const DEVICES = 10;
const LOOKED_AT = [
  '/',
  '/on-call',
  '/settings/rotas',
  '/settings/groups',
  '/settings/devices',
  '/downtimes',
  '/audit.csv',
];

/** How often it was answered what: `POST /downtimes/series 422`. */
export type Answers = Map<string, number>;

export interface Target {
  url: string;
  /** Where devices publish. */
  mqttUrl: string;
}

/** Until it is told to stop. */
export async function beHostile(
  target: Target,
  ended: AbortSignal,
  answers: Answers = new Map(),
): Promise<Answers> {
  const again = async (work: () => Promise<unknown>) => {
    while (!ended.aborted) await work().catch(() => sleep(100));
  };
  const deps: Means = { ...target, answers, ended, again };
  await Promise.all([
    send(deps),
    again(() => look(deps)),
    ...many(DEVICES, (index) => again(() => announce(deps, index))),
  ]);
  return answers;
}

interface Means extends Target {
  answers: Answers;
  ended: AbortSignal;
  again(work: () => Promise<unknown>): Promise<void>;
}

function note(answers: Answers, what: string): void {
  answers.set(what, (answers.get(what) ?? 0) + 1);
}

async function ask({ url, answers, ended }: Means, path: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url + path, { ...init, signal: ended });
  const text = await answer.text();
  note(answers, `${init.method} ${path.replace(/\/\d+/, '/:id')} ${answer.status}`);
  return text;
}

/** By the ways in. */
async function send(means: Means): Promise<void> {
  const { again } = means;
  const post = (path: string, secret: string, body: string | Buffer, packed: Record<string, string> = {}) =>
    ask(means, path, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...packed },
      body: new Uint8Array(Buffer.from(body)),
    });
  let turn = 0;
  const flap = async () => {
    turn += 1;
    const temperature = turn % 2 === 0 ? -1 : 1;
    const entries = many(SERVICES, (index) => ({ device: `oven-${index}`, values: { temperature } }));
    await Promise.all([post(TELEMETRY, SECRET, JSON.stringify(entries)), sleep(1_000)]);
  };
  const sendLarge = (lane: number) => {
    const at = Date.now() - (lane + 1) * 3_600_000;
    const values = Object.fromEntries(many(10, (channel) => [`t${channel}`, 1]));
    const entries = many(10_000, (entry) => ({
      device: `oven-${entry % SERVICES}`,
      time: at + Math.floor(entry / SERVICES) * 1_000,
      values,
    }));
    return post(TELEMETRY, SECRET, gzipSync(JSON.stringify(entries)), { 'content-encoding': 'gzip' });
  };
  const uplink = JSON.stringify({ deviceInfo: { devEui: '0102030405060708' }, fPort: 1, data: 'AQID' });
  const decode = (index: number) =>
    Promise.all([post(`${TELEMETRY}/chirpstack?event=up`, `${SECRET}, codec ${index}`, uplink), sleep(50)]);
  const mapped = JSON.stringify({ list: many(ITEMS, (item) => ({ id: `unknown-${item}`, a: {} })) });
  await Promise.all([
    again(flap),
    again(() => post(`${TELEMETRY}/json`, `${SECRET}, mapped`, mapped)),
    ...many(LARGE_POSTS, (lane) => again(() => sendLarge(lane))),
    ...many(CODECS, (index) => again(() => decode(index))),
  ]);
}

/** By the pages. */
async function look(means: Means): Promise<void> {
  const { url, again } = means;
  const signedIn = await ask(means, '/api/v1/auth/token', {
    method: 'POST',
    body: new URLSearchParams({ username: MALLORY.email, password: MALLORY.password }),
  });
  const { access_token: token } = JSON.parse(signedIn) as { access_token: string };
  const open = (path: string, form?: Record<string, string>) =>
    ask(means, path, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: `access_token=${token}`, origin: url },
      ...(form && { body: new URLSearchParams(form) }),
    });
  /** Of what a page links to. */
  const findIds = async (path: string, link: RegExp) => [
    ...new Set([...(await open(path)).matchAll(link)].map(([, id]) => id ?? '')),
  ];
  const [services, sources, rotas, people] = await Promise.all([
    findIds('/services', /\/services\/(\d+)/g),
    findIds('/settings/sources', /\/settings\/sources\/(\d+)/g),
    findIds('/on-call', /\/on-call\/(\d+)\/appoint/g),
    findIds('/on-call', /<option value="(\d+)"[^>]*>Mallory/g),
  ]);
  let turn = 0;
  const next = (ids: readonly string[]) => ids[turn % ids.length] ?? '0';
  await Promise.all([
    ...many(PAGES, () =>
      again(async () => {
        for (const path of LOOKED_AT) await open(path);
      }),
    ),
    again(async () => {
      turn += 1;
      const day = new Date(Date.now() + turn * 3_600_000).toISOString().slice(0, 16);
      const later = new Date(Date.now() + (turn + 1) * 3_600_000).toISOString().slice(0, 16);
      await open('/downtimes/series', { ...SERIES, service_id: next(services), first_day: day.slice(0, 10) });
      await open('/downtimes/series', { ...SERIES, service_id: next(services), until_day: '9999-12-31' });
      await open(`/on-call/${next(rotas)}/appoint`, { account_id: people[0] ?? '', start: day, end: later });
      await open(`/services/${next(services)}/backtest`, LIMITS);
      await open(`/settings/sources/${next(sources)}/try`, { kind: 'json', settings: MAPPING });
    }),
  ]);
}

const SERIES = {
  reason: 'a'.repeat(1_000),
  first_day: new Date().toISOString().slice(0, 10),
  until_day: new Date(Date.now() + 360 * 86_400_000).toISOString().slice(0, 10),
  start: '03:00',
  duration: '60',
  unit: 'day',
};
const LIMITS = { metric_channel: 'temperature', ch_high: '0.5', cl_low: '', wh_high: '', wl_low: '' };
const MAPPING = [
  'mapping:',
  '  each: /list/*',
  '  device: /id',
  '  values:',
  ...many(480, (n) => `    c${n}: /a`),
].join('\n');

const COMPONENTS = Object.fromEntries(
  many(400, (n) => [`t${n}`, { p: 'sensor', stat_t: `s/${n}`, val_tpl: '{{ value_json.a|int }}' }]),
);

/** A device that says at great length what it is, leaves a will for an hour, and is gone. */
async function announce({ mqttUrl, answers, ended }: Means, index: number): Promise<void> {
  const client = await mqtt.connectAsync(mqttUrl, {
    clientId: `hostile-${index}-${Date.now()}`,
    username: 'any',
    password: SECRET,
    protocolVersion: 5,
    reconnectPeriod: 0,
    properties: { sessionExpiryInterval: 3_600 },
    will: {
      topic: 'tocsin/will',
      payload: Buffer.from('x'.repeat(1_000)),
      properties: { willDelayInterval: 3_600 },
    },
  });
  client.on('error', () => {});
  const body = JSON.stringify({ dev: { ids: [`x${index}`] }, cmps: COMPONENTS, at: Date.now() });
  await client.publishAsync(`homeassistant/device/x${index}/config`, body, { qos: 1, retain: true });
  note(answers, 'PUBLISH taken');
  client.stream.destroy();
  await Promise.race([sleep(200), ended.aborted ? null : once(ended, 'abort')]);
}
