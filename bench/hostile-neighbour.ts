// An organization that does all at once whatever it may, for others to be measured beside it: receivers and storages that never
// answer, sirens that ask for much, codecs that do not end, posts that become large, and alarms that come and go.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { TELEMETRY } from './ingest.ts';

const HOSTS = 100;
const SIRENS = 50;
const CODECS = 10;
const STORAGES = 10;
const ROTAS = 50;
const SERVICES = 200;
const LARGE_POSTS = 8;
const LINES = 480;
const ITEMS = 2_000;
const PAGES = 4;
const SECRET = 'the secret of the hostile neighbour';
const MALLORY = { email: 'mallory@hostile.example', password: 'correct horse battery staple' };

/** Inside a part of the language that nothing interrupts. */
const ENDLESS = 'function decodeUplink() { [].indexOf.call({ length: 2 ** 53 - 1 }, 1); }';

const neverAnswer: RequestListener = (request) => request.resume();
const askForMuch: RequestListener = (_, response) =>
  response.writeHead(401, { 'www-authenticate': `Digest ${'a'.repeat(15_000)}` }).end();

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  server.unref();
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** As a lab file has it. */
export async function describeHostile() {
  const [hosts, sirens] = await Promise.all([
    Promise.all(many(HOSTS, () => listen(neverAnswer))),
    Promise.all(many(SIRENS, () => listen(askForMuch))),
  ]);
  const organization = {
    name: 'Hostile',
    members: [{ email: MALLORY.email, role: 'administrator' }],
    rotas: many(ROTAS, (index) => ({
      name: `Rota ${index}`,
      timezone: 'Europe/Berlin',
      handovers: many(6, (shift) => ({ at: `0${shift}:00`, members: [MALLORY.email] })),
      every: 'day',
      length: 1,
    })),
    sources: [
      { name: 'gateway', secret: SECRET },
      {
        name: 'mapped',
        secret: `${SECRET}, mapped`,
        kind: 'json',
        settings: {
          mapping: {
            each: '/list/*',
            device: '/id',
            values: Object.fromEntries(many(LINES, (line) => [`c${line}`, `/a/b${line}`])),
          },
        },
      },
      ...many(CODECS, (index) => ({
        name: `codec ${index}`,
        secret: `${SECRET}, codec ${index}`,
        kind: 'chirpstack',
        settings: { codec: `${ENDLESS} // ${index}` },
      })),
      ...many(STORAGES, (index) => ({
        name: `storage ${index}`,
        secret: `${SECRET}, storage ${index}`,
        kind: 'tts',
        settings: { storage: { url: hosts[index], application: 'a', key: 'k' } },
      })),
    ],
    groups: [
      {
        name: 'Loud',
        emails: many(50, (index) => `loud${index}@hostile.example`),
        webhooks: hosts.map((url) => ({ kind: 'pagerduty', url, secret: 'a'.repeat(32) })),
        relays: sirens.map((url) => ({ url, password: 'geheim' })),
        steps: many(8, (step) => ({ step: step + 1, after_minutes: step + 1 })),
        told: many(8, (step) => ({ step: step + 1, rota: `Rota ${step}` })),
      },
    ],
    services: many(SERVICES, (index) => ({
      name: `Oven ${index}`,
      device: { key: `oven-${index}` },
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: 0 } } }],
      notifications: { group: 'Loud', send_critical: true, send_recoveries: true },
    })),
  };
  return { accounts: [{ ...MALLORY, name: 'Mallory' }], organization };
}

/** What it was answered, by status, each with the last words. */
export type Answers = Map<number, string>;

/** Until it is told to stop. */
export async function beHostile(url: string, ended: AbortSignal): Promise<Answers> {
  const answers: Answers = new Map();
  const token = await signIn(url);
  const note = async (answer: Response) => void answers.set(answer.status, await answer.text());
  const post = (path: string, secret: string, body: string | Buffer, packed: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      signal: ended,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...packed },
      body: new Uint8Array(Buffer.from(body)),
    })
      .then(note)
      .catch(() => sleep(100));
  const open = (path: string, form?: Record<string, string>) =>
    fetch(url + path, {
      method: form ? 'POST' : 'GET',
      signal: ended,
      redirect: 'manual',
      headers: { cookie: `access_token=${token}`, origin: url },
      ...(form && { body: new URLSearchParams(form) }),
    })
      .then(note)
      .catch(() => sleep(100));
  const ask = async (work: () => Promise<unknown>) => {
    while (!ended.aborted) await work();
  };
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
  const map = () => post(`${TELEMETRY}/json`, `${SECRET}, mapped`, mapped);
  const look = async () => {
    for (const path of LOOKED_AT) await open(path);
    await open('/downtimes/series', SERIES);
  };
  await Promise.all([
    ask(flap),
    ask(map),
    ...many(PAGES, () => ask(look)),
    ...many(LARGE_POSTS, (lane) => ask(() => sendLarge(lane))),
    ...many(CODECS, (index) => ask(() => decode(index))),
  ]);
  return answers;
}

const LOOKED_AT = ['/', '/on-call', '/settings/rotas', '/settings/groups', '/settings/devices', '/audit.csv'];
/** Refused in words, again and again. */
const SERIES = {
  service_id: '0',
  reason: 'a'.repeat(1_000),
  first_day: '2026-11-18',
  until_day: '9999-12-31',
};

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: MALLORY.email, password: MALLORY.password }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
