// What programs get is English, whatever language the account, its organization and the request ask for: two houses are asked
// the same, one of them in a language without a letter of English.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { readProviderSettings } from '../../src/engine/providers/read-provider-settings.ts';
import { WEBHOOK_KIND_NAMES } from '../../src/engine/transports/webhook/kinds.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { measureHealth } from '../../src/features/health/metrics.ts';
import { readConfig } from '../../src/platform/config.ts';
import { HX } from '../support/answers.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { openLab } from '../support/lab.ts';
import { LONG, MADE_UP_LETTER, speakMadeUp } from '../support/made-up-language.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';
import { answers as says, startWebhookReceiver } from '../support/webhook-receiver.ts';
import {
  ASKED,
  ask,
  openProgramHouse,
  type ProgramHouse,
  type Question,
  REFUSED,
} from '../support/what-programs-ask.ts';
import { ACCESS } from '../support/who-may-see-what.ts';

/** Answers of a person's page for programs have no text of the contract. */
const OF_PROGRAMS = /^\w+ \/(api|health|hooks)\b|\.csv$/;

interface Answered {
  asked: string;
  status: number;
  headers: string;
  body: string;
}

const fuse: Fuse = { blowsAfter: null };
let server: TestServer;
let english: ProgramHouse;
let long: ProgramHouse;
const answers = { english: [] as Answered[], long: [] as Answered[] };

beforeAll(async () => {
  speakMadeUp(LONG);
  const providers = readProviderSettings(
    'sms: { gateway: twilio, user: AC1, password: hook, from: "+4930", replies: true }',
  );
  if (typeof providers === 'string') throw new Error(providers);
  const publicUrl = new URL('https://tocsin.lab.example');
  server = await startServerOn(failingDatabase((await cloneDatabase()).db, fuse), {
    providers,
    publicUrl,
    isPrivateWebhookAllowed: true,
  });
  english = await openProgramHouse(server, await openLab(server));
  answers.english = await askAll(english, {});
  long = await openProgramHouse(server, await openLab(server));
  await speakLong();
  answers.long = await askAll(long, { 'accept-language': `${LONG},en;q=0.1` });
}, 300_000);

/** All who are there by now. */
const speakLong = () =>
  server.db.transaction(async (tx) => {
    const { organization: spared, vera, oscar, ada, olga, nora } = english.lab;
    const people = [vera, oscar, ada, olga, nora].map(({ id }) => id);
    await tx.query(sql`update account set language = ${LONG} where id <> all(${people})`);
    await tx.query(sql`update organization set language = ${LONG} where id <> ${spared}`);
    await tx.query(sql`update notification_group set language = ${LONG} where organization_id <> ${spared}`);
  });

async function askAll(house: ProgramHouse, headers: Record<string, string>): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const [route, asked] of Object.entries(ASKED))
    for (const [index, one] of asked.entries()) {
      const question = await ask(one, house);
      const [method = '', path = ''] = route.split(' ');
      const ids = { service_id: house.freezer.id, ...question.ids };
      const address = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => String(ids[name as never] ?? name));
      answered.push(await send(house, { method, address, question, headers, name: `${route} ${index + 1}` }));
    }
  for (const [method, address, question = {}] of REFUSED)
    answered.push(
      await send(house, { method, address, question, headers, name: `${method} ${address.slice(0, 60)}` }),
    );
  return answered;
}

interface Sent {
  method: string;
  address: string;
  question: Question;
  headers: Record<string, string>;
  name: string;
}

async function send(
  { lab }: ProgramHouse,
  { method, address, question, headers, name }: Sent,
): Promise<Answered> {
  const { by = 'ada', form, json, body, query = '', blowsAfter = null } = question;
  const token = {
    nobody: () => null,
    nonsense: () => 'nonsense',
    gateway: () => lab.secret,
  } as Record<string, () => string | null>;
  const bearer = await (token[by] ?? lab[by as 'ada'].token)();
  const sent = body ?? (json !== undefined ? JSON.stringify(json) : new URLSearchParams(form));
  fuse.blowsAfter = blowsAfter;
  const answer = await fetch(server.url + address + query, {
    method,
    redirect: 'manual',
    ...(method === 'POST' && { body: sent }),
    headers: {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...question.headers,
    },
  });
  fuse.blowsAfter = null;
  const told = [...answer.headers].filter(([header]) => !UNTOLD.has(header));
  return {
    asked: `${name} by ${by}`,
    status: answer.status,
    headers: alike(told.map(([header, value]) => `${header}: ${decodeURI(value)}`).join('\n')),
    body: alike(await answer.text()),
  };
}

/** Of the moment, or of the length of ids. */
const UNTOLD = new Set(['date', 'etag', 'content-length', 'set-cookie', 'x-request-id']);

/** Ids, times and secrets of two houses are the same. */
const alike = (text: string): string =>
  text
    .replaceAll(/"access_token":"[^"]*"/g, '"access_token":"#"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}/g, '#')
    .replaceAll(/\d+/g, '#');

test('every route of programs is asked', () => {
  const routes = Object.keys(ACCESS).filter((route) => OF_PROGRAMS.test(route));
  expect(Object.keys(ASKED).sort()).toEqual(routes.sort());
});

test('both houses get the same answers, letter by letter', () => {
  expect(answers.long.length).toBeGreaterThan(300);
  expect(answers.long).toEqual(answers.english);
});

test('all kinds of refusals are among them', () => {
  const statuses = new Set(answers.long.map(({ status }) => status));
  for (const status of [200, 204, 302, 303, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 431, 500, 503])
    expect(statuses).toContain(status);
});

test('people of the second house read another language all the while', async () => {
  const { lab, freezer } = long;
  for (const path of ['/', `/services/${freezer.id}`])
    expect(await (await lab.ada.get(path)).text()).toMatch(MADE_UP_LETTER);
  expect(await (await lab.ada.get('/api/v1/alarms', HX)).text()).toMatch(MADE_UP_LETTER);
});

test('the same is on record, in the same words', async () => {
  const recordsOf = async ({ lab }: ProgramHouse) => {
    const people = [lab.vera, lab.oscar, lab.ada, lab.olga, lab.nora].map(({ id }) => id);
    const records = await server.db.query<{ action: string; detail: unknown }>(sql`
      select action, detail from audit
      where organization_id = ${lab.organization} or account_id = any(${people}) order by id`);
    return records.map(({ action, detail }) => alike(`${action} ${JSON.stringify(detail)}`));
  };
  const records = await recordsOf(long);
  expect(records).toEqual(await recordsOf(english));
  expect(new Set(records.map((line) => line.split(' ')[0])).size).toBeGreaterThan(10);
});

const SECRET_KINDS = new Set<string>(['gotify', 'matrix', 'pagerduty']);

test('webhooks of every kind say it in English, whatever those read who set them up', async () => {
  const receiver = await startWebhookReceiver(says(200, '{}'));
  const kinds = WEBHOOK_KIND_NAMES.filter((kind) => kind !== 'mqtt');
  const pathOf = (kind: string) => (kind === 'matrix' ? `${kind}/!cold:lab.example` : `${kind}/in`);
  const desk = await openDeliveryDesk(server, {
    webhooks: kinds.map((kind) => ({
      kind,
      url: `${receiver.url}/${pathOf(kind)}`,
      ...(SECRET_KINDS.has(kind) && { secret: 'R0uting' }),
    })),
  });
  await speakLong();
  const webhook = createWebhookTransport({
    allowPrivate: true,
    publicUrl: () => 'https://tocsin.lab.example',
  });
  const program = desk.hire({ transports: { ...desk.postbox.transports, webhook } });
  const asks = { 'accept-language': LONG };
  const strike = async (ms = seconds(3)) => {
    await desk.strike(ms, program);
    await desk.strike(seconds(3), program);
  };
  const freezer = await desk.freezer({ send_acknowledgements: true, repeat_interval_minutes: 15 });
  await freezer.warms();
  await strike();
  await strike(minutes(15));
  const { ada, oscar } = desk.lab;
  await oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'on my way' }, asks);
  await strike();
  await oscar.post(`/alarms/${freezer.id}/hand-over`, { to: String(ada.id) }, asks);
  await oscar.post(`/alarms/${freezer.id}/cannot-go`, {}, asks);
  await strike();
  await freezer.cools();
  await strike();
  await ada.post(`/settings/groups/${desk.groupId}/test`, {}, asks);
  await ada.post(`/services/${freezer.id}/drill`, {}, asks);
  await strike();
  await desk.warmAll(await desk.freezers(40));
  await strike();
  await strike(hours(1));
  const texts = receiver.received.map(({ text, headers }) => `${text} ${JSON.stringify(headers)}`);
  expect(receiver.received.length).toBeGreaterThan(kinds.length * 5);
  for (const kind of kinds)
    expect(
      receiver.received.some(({ path }) => path.startsWith(`/${kind}/`)),
      kind,
    ).toBe(true);
  expect(texts.filter((text) => MADE_UP_LETTER.test(decodeURI(text)))).toEqual([]);
});

test('what is stored, logged and measured has no letter of it', async () => {
  const columns = await server.db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'json', 'jsonb', 'ARRAY')`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await server.db.query<{ value: string }>(sql`
      select ${raw(`"${column}"`)}::text as value from ${raw(`"${table}"`)}
      where ${raw(`"${column}"`)}::text ~ ${MADE_UP_LETTER.source} limit 3`);
    found.push(...rows.map(({ value }) => `${table}.${column}: ${value}`));
  }
  expect(found).toEqual([]);
  expect(server.logLines.length).toBeGreaterThan(400);
  expect(server.logLines.filter((line) => MADE_UP_LETTER.test(line))).toEqual([]);
  const registry = new Registry();
  const log = pino({ level: 'silent' });
  measureHealth(registry, { db: server.db, config: readConfig({}), clock: server.clock.read, log });
  expect(await registry.metrics()).not.toMatch(MADE_UP_LETTER);
});
