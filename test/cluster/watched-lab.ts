// A lab behind two real programs: gateways that post, people who act, freezers that get warm one after the other. Whoever
// gets no answer, or a failure, sends the same again. Everything that was answered is remembered, and looked for afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import { expect } from 'vitest';
import { TOKEN_COOKIE } from '../../src/engine/requests/find-signed-in.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { runCommand, type Serving, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { listStored } from '../support/stored-readings.ts';
import type { Cluster } from './cluster.ts';

const SECRET = 'the secret of the gateway';
const PASSWORD = 'a password for Oscar';
const OSCAR = 'oscar@lab.example';
const GATEWAYS = 4;
const ENTRIES_PER_POST = 25;
const OPERATORS = 3;
/** As many as get warm in a few minutes; each has somebody of its own who is told. */
const FREEZERS = 2_500;
const ALARM_EVERY_MS = 400;

const ALARM_LIMITS = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }];
const freezerName = (number: number) => `Freezer ${number}`;
const addressOf = (number: number) => `team-${number}@lab.example`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const LAB = JSON.stringify({
  accounts: [{ email: OSCAR, name: 'Oscar', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: OSCAR, role: 'operator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: numbers(FREEZERS).map((number) => ({ name: `Team ${number}`, emails: [addressOf(number)] })),
      services: [
        ...numbers(GATEWAYS).map((number) => ({ name: `Room ${number}`, device: { key: `room-${number}` } })),
        ...numbers(OPERATORS).map((number) => ({
          name: `Incubator ${number}`,
          device: { key: `incubator-${number}` },
          limits: ALARM_LIMITS,
        })),
        ...numbers(FREEZERS).map((number) => ({
          name: freezerName(number),
          device: { key: `freezer-${number}` },
          limits: ALARM_LIMITS,
          notifications: { group: `Team ${number}`, send_critical: true, repeat_interval_minutes: 0 },
        })),
      ],
    },
  ],
});

interface Answer {
  status: number;
  body: { detail?: unknown; status?: string; accepted?: number; duplicates?: number };
}

/** Of what was answered, or told, in one round. */
export interface Toll {
  lostReadings: number;
  lostAcknowledgements: number;
  lostAlarms: number;
  doubledReadings: number;
  doubledAcknowledgements: number;
  doubledMails: number;
}

export interface WatchedLab {
  programs: Serving[];
  /** From now on, gaps are measured anew. */
  beginRound(): void;
  /** Since the round began, in milliseconds. */
  round(): { gapMs: number; alarmMs: number; posts: number };
  /** The status of a page that Oscar looks at. */
  look(path: string): Promise<number>;
  /** Until this many more posts were answered, and alarms told. */
  untilWell(): Promise<void>;
  finish(): Promise<void>;
  /** By round; what came before the first counts as the first's. */
  count(db: Database): Promise<Toll[]>;
  answered(): { readings: number; acknowledgements: number; alarms: number };
  /** What the database has of alarms that nobody was told of. */
  explainLost(db: Database): Promise<string[]>;
  /** Told that it was not saved, or that nobody knows, although it was. */
  misled(): number;
  /** Answers that nobody should get. */
  surprises: readonly string[];
}

/** Where its programs find their database, and are found. */
interface Place extends Pick<Cluster, 'url'>, Partial<Pick<Cluster, 'readUrl'>> {
  web: { url: string; ports: number[] };
}

export async function openWatchedLab({ url: databaseUrl, readUrl, web }: Place): Promise<WatchedLab> {
  const smtp = await openSmtpReceiver();
  const env = {
    DATABASE_URL: databaseUrl,
    ...(readUrl && { TOCSIN_READ_URL: readUrl }),
    SMTP_URL: smtp.url,
    LOG_LEVEL: 'error',
  };
  const applied = await runCommand(['apply', '-', '--json'], env, LAB);
  if (applied.code !== 0) throw new Error(`The lab could not be set up: ${applied.stderr}`);
  const { services } = JSON.parse(applied.stdout) as { services: Record<string, number> };
  const ids = new Map(Object.entries(services).map(([name, id]) => [name.replace(/^.*\//, ''), id]));
  const programs: Serving[] = [];
  for (const port of web.ports) programs.push(await startServing({ ...env, PORT: String(port) }));

  const readings = new Map<string, { value: number; round: number }[]>();
  const comments: { comment: string; round: number }[] = [];
  const warmed = new Map<string, { at: number; round: number }>();
  const surprises: string[] = [];
  let misled = 0;
  let posts = 0;
  let rounds = 0;
  const thisRound = () => Math.max(0, rounds - 1);
  let roundAt = performance.now();
  let answeredAt = performance.now();
  let gapMs = 0;
  let isOver = false;
  const noteAnswer = () => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - Math.max(answeredAt, roundAt));
    answeredAt = now;
  };

  async function ask(path: string, init: RequestInit): Promise<Answer | null> {
    try {
      const answer = await fetch(web.url + path, {
        method: 'POST',
        ...init,
        signal: AbortSignal.timeout(40_000),
      });
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    } catch {
      return null;
    }
  }
  const isAnswered = (answer: Answer | null): answer is Answer =>
    answer !== null && answer.status < 500 && answer.body.status !== 'error';

  async function post(entries: unknown[]): Promise<Answer> {
    for (;;) {
      const answer = await ask('/api/v1/telemetry', {
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify(entries),
      });
      if (isAnswered(answer)) {
        if (answer.status !== 200)
          surprises.push(`telemetry ${answer.status} ${JSON.stringify(answer.body)}`);
        noteAnswer();
        return answer;
      }
      await sleep(100);
    }
  }

  async function runGateway(number: number): Promise<void> {
    const device = `room-${number}`;
    const sent: { value: number; round: number }[] = [];
    readings.set(`Room ${number}`, sent);
    const beganAt = Date.now() - 60 * 60_000;
    for (let count = 0; !isOver; count += ENTRIES_PER_POST) {
      const values = numbers(ENTRIES_PER_POST).map((index) => count + index);
      await post(
        values.map((value) => ({ device, time: beganAt + value * 10, values: { temperature: value } })),
      );
      sent.push(...values.map((value) => ({ value, round: thisRound() })));
      posts += 1;
      await sleep(20);
    }
  }

  const token = await signIn(web.url);
  async function runOperator(number: number): Promise<void> {
    await post([{ device: `incubator-${number}`, values: { temperature: -40 } }]);
    const path = `/api/v1/alarms/${ids.get(`Incubator ${number}`)}`;
    const headers = { authorization: `Bearer ${token}` };
    for (let count = 0; !isOver; count += 1) {
      const comment = `Incubator ${number}, number ${count}`;
      await insist(`${path}/acknowledge`, { headers, body: new URLSearchParams({ comment }) });
      comments.push({ comment, round: thisRound() });
      await insist(`${path}/unacknowledge`, { headers });
      await sleep(50);
    }
  }

  /** The second time, what is refused because it was done is a contradiction of what was said the first time. */
  async function insist(path: string, init: RequestInit): Promise<void> {
    for (let before: Answer | null | undefined; ; ) {
      const answer = await ask(path, init);
      if (isAnswered(answer) && answer.status === 200) return;
      if (isAnswered(answer) && before === undefined)
        surprises.push(`${path} ${answer.status} ${JSON.stringify(answer.body)}`);
      if (isAnswered(answer)) {
        if (before) misled += 1;
        return;
      }
      before = answer;
      await sleep(100);
    }
  }

  async function warmOneAfterTheOther(): Promise<void> {
    const posting: Promise<unknown>[] = [];
    for (let number = 0; number < FREEZERS && !isOver; number += 1) {
      warmed.set(addressOf(number), { at: performance.now(), round: thisRound() });
      posting.push(post([{ device: `freezer-${number}`, values: { temperature: -40 } }]));
      await sleep(ALARM_EVERY_MS);
    }
    await Promise.all(posting);
  }

  const told = new Map<string, number>();
  const mailIds = new Set<string>();
  const doubledMails: { round: number }[] = [];
  let read = 0;
  const readMails = () => {
    for (const mail of smtp.mails.slice(read)) {
      read += 1;
      for (const address of mail.to_) if (!told.has(address)) told.set(address, performance.now());
      const id = mail.messageId ?? '';
      if (mailIds.has(id)) doubledMails.push({ round: thisRound() });
      mailIds.add(id);
    }
  };
  const reading = setInterval(readMails, 50);

  const running = Promise.all([
    ...numbers(GATEWAYS).map(runGateway),
    ...numbers(OPERATORS).map(runOperator),
    warmOneAfterTheOther(),
  ]);

  return {
    programs,
    beginRound() {
      roundAt = performance.now();
      gapMs = 0;
      posts = 0;
      rounds += 1;
    },
    round() {
      const ways = [...warmed]
        .filter(([, { at }]) => at >= roundAt)
        .map(([address, { at }]) => (told.get(address) ?? performance.now()) - at);
      return { gapMs, alarmMs: Math.max(0, ...ways), posts };
    },
    async look(path) {
      const headers = { cookie: `${TOKEN_COOKIE}=${token}` };
      const answer = await fetch(web.url + path, { headers, redirect: 'manual' });
      await answer.arrayBuffer().catch(() => {});
      return answer.status;
    },
    async untilWell() {
      const from = { posts, told: told.size };
      await expect
        .poll(() => posts > from.posts + 50 && told.size > from.told + 3, { timeout: 120_000, interval: 100 })
        .toBe(true);
    },
    async finish() {
      isOver = true;
      await running;
      const until = performance.now() + 60_000;
      while ([...warmed.keys()].some((address) => !told.has(address)) && performance.now() < until)
        await sleep(100);
      clearInterval(reading);
      readMails();
    },
    answered: () => ({
      readings: [...readings.values()].reduce((sum, values) => sum + values.length, 0),
      acknowledgements: comments.length,
      alarms: warmed.size,
    }),
    async count(db) {
      const tolls = Array.from(
        { length: Math.max(1, rounds) },
        (): Toll => ({
          lostReadings: 0,
          lostAcknowledgements: 0,
          lostAlarms: 0,
          doubledReadings: 0,
          doubledAcknowledgements: 0,
          doubledMails: 0,
        }),
      );
      const note = (what: keyof Toll, ...found: { round: number }[]) => {
        for (const { round } of found) (tolls[round] as Toll)[what] += 1;
      };
      const noteAll = <One extends { round: number }>(
        answered: readonly One[],
        timesKept: (one: One) => number,
        lost: keyof Toll,
        doubled: keyof Toll,
      ) => {
        note(lost, ...answered.filter((one) => timesKept(one) === 0));
        note(doubled, ...answered.filter((one) => timesKept(one) > 1));
      };
      for (const [room, sent] of readings) {
        const kept = countEach((await listStored(db, ids.get(room) ?? 0)).map(({ value }) => value));
        noteAll(sent, ({ value }) => kept.get(value) ?? 0, 'lostReadings', 'doubledReadings');
      }
      const rows = await db.query<{ comment: string }>(raw('select comment from acknowledgement'));
      const kept = countEach(rows.map(({ comment }) => comment));
      noteAll(
        comments,
        ({ comment }) => kept.get(comment) ?? 0,
        'lostAcknowledgements',
        'doubledAcknowledgements',
      );
      note('lostAlarms', ...[...warmed].flatMap(([address, one]) => (told.has(address) ? [] : [one])));
      note('doubledMails', ...doubledMails);
      return tolls;
    },
    async explainLost(db) {
      const lost = [...warmed.keys()].filter((address) => !told.has(address));
      const rows = await db.query<{ name: string; state: string }>(sql`
        select notification_group.name, concat_ws(' ', severity, severity_since, (
          select string_agg(concat_ws(' ', '|', notification.state, reason, delivery.state, drop_reason, letter.state,
            letter.attempts, last_error, leased_until, held_at, letter.next_attempt_at), ' ' order by notification.id)
          from notification left join delivery on notification_id = notification.id
          left join letter on letter.id = letter_id
          where notification.service_id = alarm_state.service_id)) as "state"
        from alarm_state join service_settings using (service_id)
        join notification_group on notification_group.id = notification_group_id order by 1`);
      const stateOf = new Map(rows.map(({ name, state }) => [name.replace('Team ', ''), state]));
      return lost.map((address) => `${address}: ${stateOf.get(/\d+/.exec(address)?.[0] ?? '')}`);
    },
    misled: () => misled,
    surprises,
  };
}

function countEach<One>(all: readonly One[]): Map<One, number> {
  const counts = new Map<One, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: OSCAR, password: PASSWORD });
  const answer = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}
