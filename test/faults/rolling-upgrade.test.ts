// The version before and this one on one database, while this one migrates it and after: both take readings, judge, tell and
// let people act. TOCSIN_EARLIER names another commit than the one before the newest migration.
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { buildEarlier, findEarlier } from '../support/earlier-program.ts';
import { runCommand, type Serving, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { listStored } from '../support/stored-readings.ts';
import { createEmptyDatabase } from '../support/test-database.ts';

const earlier = await findEarlier();
if (!earlier)
  process.stderr.write('The upgrade beside an earlier version is not tried: there is no history here.\n');

const SECRET = 'the secret of the gateway';
const PASSWORD = 'correct horse battery';
/** The last one is quiet. */
const FREEZERS = [1, 2, 3, 4, 5, 6];
const LAB = JSON.stringify({
  accounts: [{ email: 'ada@lab.example', name: 'Ada', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: 'ada@lab.example', role: 'administrator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: FREEZERS.map((number) => ({ name: `Team ${number}`, emails: [`team-${number}@lab.example`] })),
      services: FREEZERS.map((number) => ({
        name: `Freezer ${number}`,
        device: { key: `freezer-${number}` },
        limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        notifications: { group: `Team ${number}`, send_critical: true, repeat_interval_minutes: 0 },
      })),
    },
  ],
});

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

/** Until it is answered; a failure is no answer. */
async function insist(url: string, init: RequestInit): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, init).catch(() => null);
    if (answer && answer.status < 500)
      return { status: answer.status, body: (await answer.json()) as Answered['body'] };
    if (attempt === 200) throw new Error(`${url} answers ${answer?.status}`);
    await sleep(50);
  }
}

test.skipIf(!earlier)(
  'the version before goes on beside this one, during the migration and after',
  async () => {
    const own = await createEmptyDatabase();
    const smtp = await openSmtpReceiver();
    const env = { DATABASE_URL: own.url, SMTP_URL: smtp.url, LOG_LEVEL: 'silent' };
    const { migrations, ...before } = await buildEarlier(earlier as string);
    expect(await runCommand(['apply', '-'], env, LAB, before)).toMatchObject({ code: 0, stderr: '' });
    const old = await startServing(env, [], before);
    const signIn = await insist(`${old.url}/api/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada@lab.example', password: PASSWORD }),
    });
    const headers = { authorization: `Bearer ${signIn.body.access_token}` };

    const sent: string[] = [];
    const post = async ({ url }: Serving, number: number, temperature: number, time = Date.now()) => {
      const { status, body } = await insist(`${url}/api/v1/telemetry`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ device: `freezer-${number}`, time, values: { temperature } }),
      });
      expect([status, Number(body.accepted) + Number(body.duplicates)]).toEqual([200, 1]);
      sent.push(`${number} ${time} ${temperature}`);
    };
    const [{ id } = { id: 0 }] = await own.db.query<{ id: number }>(
      sql`select min(id) - 1 as id from service`,
    );
    const isTold = (number: number) =>
      expect
        .poll(() => smtp.subjects.filter((subject) => subject.includes(`Freezer ${number}`)), {
          timeout: 60_000,
        })
        .toHaveLength(1);
    const acknowledges = async ({ url }: Serving, number: number) =>
      expect(
        await insist(`${url}/api/v1/alarms/${id + number}/acknowledge`, {
          method: 'POST',
          headers,
          body: new URLSearchParams({ comment: 'I see to it' }),
        }),
      ).toMatchObject({ status: 200 });
    const alarms = async ({ url }: Serving) =>
      ((await (await fetch(`${url}/api/v1/alarms`, { headers })).json()) as Record<string, unknown>[])
        .map(({ service_name, acknowledged }) => `${service_name}${acknowledged ? ' acknowledged' : ''}`)
        .sort();

    // Readings of one quiet freezer all the while, by whichever answers.
    let programs = [old];
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
    });
    const beganAt = Date.now() - 60_000;
    const pouring = (async () => {
      for (let number = 0; !isOver; number += 1) {
        await post(programs[number % programs.length] as Serving, 6, -80, beganAt + number);
        await sleep(10);
      }
    })();

    await post(old, 1, -40);
    const young = await startServing(env);
    programs = [old, young];
    await isTold(1);
    await Promise.all([post(old, 2, -40), post(young, 3, -40)]);
    await Promise.all([isTold(2), isTold(3)]);
    await acknowledges(old, 3);
    await acknowledges(young, 2);
    // What one of them raises the other ends.
    const raisedAt = Date.now();
    await post(young, 4, -40, raisedAt);
    await post(old, 4, -80, raisedAt + 1);
    await post(old, 5, -40, raisedAt);
    await post(young, 5, -80, raisedAt + 1);
    const listed = ['Freezer 1', 'Freezer 2 acknowledged', 'Freezer 3 acknowledged'];
    for (const program of programs) expect(await alarms(program)).toEqual(listed);

    const applied = await own.db.query<{ name: string }>(
      sql`select name from schema_migration order by name`,
    );
    const unknown = applied.find(({ name }) => !migrations.includes(name));
    const report = async ({ url }: Serving) =>
      (await (await fetch(`${url}/api/v1/health/detailed`, { headers })).json()) as {
        components: { migrations: { reason?: string } };
      };
    if (unknown) {
      const words = `The database has migration ${unknown.name}, which this version of Tocsin does not know: run a newer version`;
      expect((await report(old)).components.migrations.reason).toBe(words);
      const { code, stderr } = await runCommand(['serve'], { ...env, PORT: '0' }, '', before);
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }

    programs = [young];
    expect((await old.stop()).code).toBe(0);
    isOver = true;
    await pouring;
    expect(await alarms(young)).toEqual(listed);
    const found: string[] = [];
    for (const number of FREEZERS)
      for (const { at, value } of await listStored(own.db, id + number))
        found.push(`${number} ${at.getTime()} ${value}`);
    expect(found.sort()).toEqual(sent.sort());
    expect((await young.stop()).code).toBe(0);
  },
);
