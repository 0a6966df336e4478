// An organization at its mosts: receivers and storages that never answer, sirens that ask for much, codecs that do not end. What
// it does all day is in hostile-acts.ts.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOSTS = 100;
const SIRENS = 50;
export const CODECS = 10;
const STORAGES = 10;
const ROTAS = 50;
export const SERVICES = 200;
const LINES = 480;
export const SECRET = 'the secret of the hostile neighbour';
export const MALLORY = { email: 'mallory@hostile.example', password: 'correct horse battery staple' };

/** Inside a part of the language that nothing interrupts. */
const ENDLESS = 'function decodeUplink() { [].indexOf.call({ length: 2 ** 53 - 1 }, 1); }';

const SLOW_KINDS = [
  { kind: 'pagerduty', secret: 'a'.repeat(32) },
  { kind: 'ntfy' },
  { kind: 'gotify', secret: 'a'.repeat(15) },
  { kind: 'generic' },
];

const neverAnswer: RequestListener = (request) => request.resume();
const askForMuch: RequestListener = (_, response) =>
  response.writeHead(401, { 'www-authenticate': `Digest ${'a'.repeat(15_000)}` }).end();

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  server.unref();
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
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
        webhooks: hosts.map((url, index) => ({ url, ...SLOW_KINDS[index % SLOW_KINDS.length] })),
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
