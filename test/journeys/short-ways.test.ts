// Nearly all posts go a short way: past the framework, in one message with their turn, without being judged. Whichever way
// the same posts go, they leave the same rows and states, and are answered the same.
import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { openRoad } from '../../src/engine/ingest/road.ts';
import type { SentPost } from '../../src/engine/ingest/sort-readings.ts';
import { openSourceLedger } from '../../src/engine/sources/source-ledger.ts';
import { answerOutcome } from '../../src/features/telemetry/answers.ts';
import { openHandIn } from '../../src/features/telemetry/hand-in.ts';
import { rememberSources } from '../../src/features/telemetry/sources.ts';
import { openLargeGate } from '../../src/features/telemetry/take-post.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { listStored, packAll } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { PROGRAMS, startServerOn, type TestServer } from '../support/test-server.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

interface Answer {
  status: number | undefined;
  body: unknown;
}

interface Way {
  lab: Lab;
  hand(body: string): Promise<Answer>;
}

/** The same database, and how many posts were entered in one message. */
function countQuiet(db: Database): { db: Database; read(): number } {
  let quiet = 0;
  const counted: Database = {
    ...db,
    async query(statement, access) {
      const rows = await db.query(statement, access);
      if (/with turn as materialized[\s\S]*reading_inbox/.test(statement.text) && rows.length > 0) quiet += 1;
      return rows;
    },
    async queryAll(statements, access) {
      const answers = await db.queryAll(statements, access);
      const { entered } = answers as { entered?: unknown[] };
      if (entered && entered.length > 0) quiet += 1;
      return answers;
    },
  };
  return { db: counted, read: () => quiet };
}

async function openWays() {
  const { db } = await cloneDatabase();
  const quiet = countQuiet(db);
  const asked = { short: 0 };
  const remembering = await startServerOn(quiet.db, {}, (app) =>
    app.addHook('onRequest', async ({ headers }) => {
      if (headers['x-way'] === 'short') asked.short += 1;
    }),
  );
  const others = countQuiet(db);
  const forgetful = await startServerOn(others.db, {}, () => {}, { mostRemembered: 0 });
  const servers = [remembering, forgetful];

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  whenFileIsDone(async () => agent.destroy());
  const short = await openLab(remembering);
  const long = await openLab(remembering);
  const forgotten = await openLab(forgetful);
  const judged = await openLab(remembering);
  const ways: Record<string, Way> = {
    'past the framework': { lab: short, hand: (body) => sendOver(agent, remembering, short, body) },
    'by the framework': {
      lab: long,
      hand: async (body) => {
        const answer = await long.send(body, { 'content-type': 'application/json; charset=utf-8' });
        return { status: answer.status, body: await answer.json() };
      },
    },
    'in turn, with nothing remembered': {
      lab: forgotten,
      hand: async (body) => {
        const answer = await forgotten.send(body);
        return { status: answer.status, body: await answer.json() };
      },
    },
    'judged, every reading': { lab: judged, hand: judgeAll(others.db, remembering, judged) },
  };
  return {
    db,
    servers,
    ways,
    counts: () => ({ asked: asked.short, quiet: quiet.read(), others: others.read() }),
  };
}

const sendOver = (agent: Agent, { url }: TestServer, { secret }: Lab, body: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-way': 'short',
    };
    const asked = request(`${url}/api/v1/telemetry`, { method: 'POST', agent, headers }, async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve({ status: answer.statusCode, body: JSON.parse(text) });
    });
    asked.on('error', reject).end(body);
  });

/** What holds faults is never let through unjudged, be they none. */
function judgeAll(db: Database, { clock }: TestServer, { secret }: Lab): Way['hand'] {
  const road = openRoad({ db, clock: clock.read, retentionDays: 400 });
  const ledger = openSourceLedger(db, pino({ level: 'silent' }));
  whenFileIsDone(() => ledger.close());
  const sources = rememberSources(db);
  const take = (post: SentPost, size: number) =>
    road.take(
      { ...post, entries: post.entries.map((entry) => ({ ...entry, faults: entry.faults ?? [] })) },
      size,
    );
  const handIn = openHandIn({ sources, ledger, take, large: openLargeGate() });
  return async (text) => {
    const sender = await sources.find(secret);
    if (!sender) throw new Error('The source is gone');
    const { status, body } = answerOutcome(
      await handIn(sender, { body: Buffer.from(text), headers: {}, now: clock.read() }),
    );
    return { status, body: JSON.parse(JSON.stringify(body)) };
  };
}

const DEVICES = ['one', 'two'] as const;
const SERVICE = {
  channels: ['temperature', 'door', 'humidity'].map((name) => ({ name, kind: 'metric' })),
  limits: [
    {
      channel: 'temperature',
      bands: { CRITICAL_HIGH: { limit: -60, sustained: 0 }, WARNING_HIGH: { limit: -65, sustained: 2 } },
    },
  ],
  stale_after_minutes: 15,
};

const temperature = fc.oneof(
  { weight: 16, arbitrary: fc.integer({ min: -90, max: -66 }) },
  { weight: 2, arbitrary: fc.integer({ min: -66, max: -58 }) },
  { weight: 1, arbitrary: fc.constantFrom(-127, 85, 'cold', null, 1e300) },
);
const values = fc.record(
  { temperature, door: fc.constantFrom(0, 1, true, false), humidity: fc.nat({ max: 90 }), fresh: fc.nat() },
  { requiredKeys: ['temperature'] },
);
/** Rarely the first of its channel: that is nobody's short way. */
const usual = values.map(({ fresh, ...rest }) =>
  fresh !== undefined && fresh % 40 === 0 ? { ...rest, fresh } : rest,
);
const secondsAgo = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(-300, -700, 60, 600, 3_600, 11 * 366 * 86_400) },
);
const entry = fc.record({
  device: fc.oneof(
    { weight: 25, arbitrary: fc.constantFrom<string>(...DEVICES) },
    { weight: 1, arbitrary: fc.constantFrom('nobody', '') },
  ),
  secondsAgo,
  values: usual,
});
const entries = fc.array(entry, { minLength: 1, maxLength: 4 });
const inOrder = entries.map((sent) => sent.toSorted((one, other) => other.secondsAgo - one.secondsAgo));
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      waits: fc.integer({ min: 30, max: 90 }),
      entries: fc.oneof({ weight: 6, arbitrary: inOrder }, { weight: 1, arbitrary: entries }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ raw: fc.constantFrom('{', '[]', '7', '[7]', '{"values":{"t":1}}') }) },
  { weight: 1, arbitrary: fc.record({ again: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ sweepsAfter: fc.integer({ min: 60, max: 1_500 }) }) },
);

/** Side by side: each is an organization of its own. */
const ofEach = <Done>(ways: Record<string, Way>, work: (way: Way) => Promise<Done>) =>
  Promise.all(
    Object.entries(ways).map(async ([name, way]): Promise<[string, Done]> => [name, await work(way)]),
  );

const findServices = async (db: Database, { organization }: Lab, services: { name: string }[]) =>
  (
    await db.query<{ id: ServiceId }>(sql`
      select id from service where organization_id = ${organization}
        and name = any(${services.map(({ name }) => name)}::text[]) order by name`)
  ).map(({ id }) => id);

/** All that is stored of it, under names that are the same for all. */
async function readBack(db: Database, serviceId: ServiceId) {
  const events = await db.query(sql`
    select kind, from_severity, to_severity, channel, band, value, limit_value, message, happened_at, recorded_at from alarm_event
    where service_id = ${serviceId} order by id`);
  const states = await db.query(sql`
    select severity, severity_since, channel, band, value, limit_value, message, stale_since, episode_id is null as calm,
      (select json_agg(json_build_object('name', name, 'at', at, 'value', newest, 'alarm', channel_alarms -> id::text) order by name)
        from unnest(channel_ids, channel_at_ms, channel_values) as known (id, at, newest) join channel using (id)) as channels
    from alarm_state where service_id = ${serviceId}`);
  const channels = await db.query(sql`
    select name, kind, unit, fault_of, sent_unit from channel where service_id = ${serviceId} order by name`);
  return { readings: await listStored(db, serviceId), events, states, channels };
}

test('by whichever way posts go, the same is stored, judged and answered', async () => {
  const { db, servers, ways, counts } = await openWays();
  let stories = 0;
  let posts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }), async (steps) => {
      stories += 1;
      const story = stories;
      const keyOf = (device: string) => (device === '' ? '' : `${device}-${story}`);
      const services = DEVICES.map((device) => ({
        ...SERVICE,
        name: `Unit ${device} ${story}`,
        device: { key: keyOf(device) },
      }));
      const now = () => servers[0]?.clock.read() ?? new Date(0);
      const wait = (ms: number) => {
        for (const { clock } of servers) clock.advance(ms);
      };
      const handAll = async (body: string) => {
        posts += 1;
        const answers = await ofEach(ways, ({ hand }) => hand(body));
        const [[, first] = []] = answers;
        for (const [name, answer] of answers)
          expect({ name, body, answer }).toEqual({ name, body, answer: first });
      };

      const known = await ofEach(ways, async ({ lab }) => {
        await lab.applyAll(services);
        return findServices(db, lab, services);
      });
      let last = JSON.stringify(
        DEVICES.map((device) => ({
          device: keyOf(device),
          time: now().getTime(),
          values: { temperature: -80, door: 0, humidity: 40 },
        })),
      );
      await handAll(last);
      for (const each of steps) {
        if ('sweepsAfter' in each) {
          wait(each.sweepsAfter * 1_000);
          await servers[0]?.road.sweep(now());
        } else if ('raw' in each) await handAll(each.raw);
        else {
          if ('entries' in each) {
            wait(each.waits * 1_000);
            last = JSON.stringify(
              each.entries.map(({ device, secondsAgo: ago, values: said }) => ({
                device: keyOf(device),
                time: now().getTime() - ago * 1_000,
                values: said,
              })),
            );
          }
          await handAll(last);
        }
      }

      await packAll(db, now());
      for (const [place] of DEVICES.entries()) {
        const stored = await Promise.all(known.map(async ([, ids]) => readBack(db, ids[place] as ServiceId)));
        for (const [index, [name]] of known.entries())
          expect({ name, ...stored[index] }).toEqual({ name, ...stored[0] });
      }
      wait(minutes(30));
    }),
    // Shrinking stops in time for the report; a clean run is not cut short.
    { numRuns: 25, interruptAfterTimeLimit: 10_000 },
  );
  const { asked, quiet, others } = counts();
  expect(others, 'these went the long way').toBe(0);
  if (PROGRAMS > 1) return;
  expect(posts - asked, 'passed by the framework').toBeGreaterThan(posts / 2);
  expect(quiet, 'entered in one message').toBeGreaterThan(posts / 10);
}, 60_000);
