// The real program, killed at every stage of a step: whoever stands on it is told at least once, and at most once more.
import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { runCommand, type Serving, startServing } from '../support/program.ts';
import { startSmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const PEOPLE = ['second@lab.example', 'third@lab.example'];

/** Where the program stands still until it is killed: before that row is written. */
const STAGES: [stage: string, trigger: string][] = [
  ['it opens', 'before insert on step_opened for each row'],
  ['its letters are made', 'before insert on letter for each row'],
  [
    'its letters are claimed',
    'before update on letter for each row when (old.leased_until is null and new.leased_until is not null)',
  ],
  ['what was sent is marked', "before update on letter for each row when (new.state = 'sent')"],
];

async function prepareLab(smtpUrl: string) {
  const { db, url } = await cloneDatabase();
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', SMTP_URL: smtpUrl };
  const lab = JSON.stringify({
    organizations: [
      {
        name: 'Cell Biology',
        sources: [{ name: 'gateway', secret: SECRET }],
        groups: [
          {
            // Nobody is told first: the step after it opens at once.
            name: 'Cold team',
            steps: [{ step: 1, after_minutes: 1 }],
            told: PEOPLE.map((email) => ({ step: 1, email })),
          },
        ],
        services: STAGES.map((_, number) => ({
          name: `Freezer ${number}`,
          device: { key: `freezer-${number}` },
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
          notifications: { group: 'Cold team', send_critical: true, repeat_interval_minutes: 0 },
        })),
      },
    ],
  });
  expect(await runCommand(['apply', '-'], env, lab)).toMatchObject({ code: 0 });
  await db.query(
    raw(`create function stand_still() returns trigger language plpgsql as
      $$ begin perform pg_sleep(600); return new; end $$`),
  );
  return { db, env };
}

const warm = ({ url }: Serving, number: number) =>
  fetch(`${url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ device: `freezer-${number}`, values: { temperature: -40 } }]),
  });

async function killAt(db: Database, serving: Serving, number: number, trigger: string): Promise<void> {
  const [, table] = / on (\w+) /.exec(trigger) ?? [];
  const [timing, ...when] = trigger.split(' when ');
  const condition = when.length > 0 ? `when ${when.join(' when ')}` : '';
  await db.query(raw(`create trigger stands_still ${timing} ${condition} execute function stand_still()`));
  expect((await warm(serving, number)).status).toBe(200);
  const findStanding = () =>
    db.query<{ pid: number }>(sql`
      select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`);
  await expect.poll(async () => (await findStanding()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  serving.process.kill('SIGKILL');
  await expect.poll(() => serving.process.signalCode, { timeout: 20_000 }).toBe('SIGKILL');
  for (const { pid } of await findStanding()) await db.query(sql`select pg_terminate_backend(${pid}::int)`);
  await expect.poll(async () => (await findStanding()).length).toBe(0);
  await db.query(raw(`drop trigger stands_still on ${table}`));
  // The leases of the dead program end.
  await db.query(sql`update letter set leased_until = now() - interval '1 second' where state = 'queued'`);
}

test('kill -9 at every stage of a step', async () => {
  const smtp = await startSmtpReceiver();
  onTestFinished(() => smtp.close());
  const { db, env } = await prepareLab(smtp.url);
  let serving = await startServing(env);
  for (const [number, [stage, trigger]] of STAGES.entries()) {
    await killAt(db, serving, number, trigger);
    serving = await startServing(env);
    const count = (email: string) =>
      smtp.mails.filter(({ subject, to_ }) => subject?.includes(`Freezer ${number}`) && to_[0] === email)
        .length;
    const countSent = async () =>
      (
        await db.query(sql`
          select from delivery join service on service.id = service_id
          where state = 'sent' and step = 1 and service.name = ${`Freezer ${number}`}`)
      ).length;
    await expect.poll(countSent, { timeout: 60_000, message: stage }).toBe(PEOPLE.length);
    for (const person of PEOPLE) {
      expect(count(person), `${stage}: ${person}`).toBeGreaterThanOrEqual(1);
      expect(count(person), `${stage}: ${person}`).toBeLessThanOrEqual(2);
    }
    const steps = await db.query<{ step: number }>(sql`
      select step from step_opened join service on service.id = service_id
      where service.name = ${`Freezer ${number}`} order by step`);
    expect(
      steps.map(({ step }) => step),
      stage,
    ).toEqual([0, 1]);
  }
  await serving.stop();
}, 180_000);
