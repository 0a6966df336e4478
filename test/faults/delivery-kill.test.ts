// The real program, killed between sending and marking: nothing is lost, and one double at most.
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { runCommand, type Serving, startServing } from '../support/program.ts';
import { startSmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { answers, type ReceivedWebhook, startWebhookReceiver } from '../support/webhook-receiver.ts';

const SECRET = 'the secret of the gateway';

async function prepareLab(webhookUrl: string, smtpUrl: string) {
  const { db, url } = await cloneDatabase();
  const env = {
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
    SMTP_URL: smtpUrl,
    TOCSIN_WEBHOOK_PRIVATE: 'true',
  };
  const lab = JSON.stringify({
    organizations: [
      {
        name: 'Cell Biology',
        sources: [{ name: 'gateway', secret: SECRET }],
        groups: [
          {
            name: 'Cold team',
            emails: ['cold@lab.example'],
            webhooks: [{ kind: 'generic', url: webhookUrl }],
          },
        ],
        services: [1, 2, 3].map((number) => ({
          name: `Freezer ${number}`,
          device: { key: `freezer-${number}` },
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
          notifications: { group: 'Cold team', send_critical: true, repeat_interval_minutes: 0 },
        })),
      },
    ],
  });
  expect(await runCommand(['apply', '-'], env, lab)).toMatchObject({ code: 0 });
  return { db, env };
}

const warmAll = ({ url }: Serving) =>
  fetch(`${url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(
      [1, 2, 3].map((number) => ({ device: `freezer-${number}`, values: { temperature: -40 } })),
    ),
  });

async function countSent(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ sent: number }>(
    sql`select count(*)::int as sent from delivery where state = 'sent'`,
  );
  return row?.sent;
}

const idsOf = (received: ReceivedWebhook[]) => received.map(({ headers }) => headers['webhook-id'] as string);

test('kill -9 after the receiver took a message and before it was marked', async () => {
  const smtp = await startSmtpReceiver();
  onTestFinished(() => smtp.close());
  let serving: Serving | null = null;
  const receiver = await startWebhookReceiver((response, received) => {
    // The program dies before it can hear the answer.
    serving?.process.kill('SIGKILL');
    answers(200)(response, received);
  }, answers(200));
  const { db, env } = await prepareLab(receiver.url, smtp.url);
  serving = await startServing(env);
  const killed = serving;
  expect((await warmAll(killed)).status).toBe(200);
  await expect.poll(() => killed.process.signalCode, { timeout: 60_000 }).toBe('SIGKILL');

  const [before] = await db.query<{ unmarked: number }>(
    sql`select count(*)::int as unmarked from letter where state = 'queued'`,
  );
  expect(before?.unmarked).toBeGreaterThan(0);
  // The leases of the dead program end.
  await db.query(sql`update letter set leased_until = now() - interval '1 second' where state = 'queued'`);

  const next = await startServing(env);
  await expect.poll(() => countSent(db), { timeout: 60_000 }).toBe(6);
  await sleep(1_500);
  await next.stop();

  const hooks = idsOf(receiver.received);
  const mails = smtp.mails.map(({ messageId }) => messageId as string);
  for (const ids of [hooks, mails]) {
    expect(new Set(ids).size).toBe(3);
    // Up to three were under way at once, each may have come twice.
    for (const id of ids) expect(ids.filter((other) => other === id).length).toBeLessThanOrEqual(2);
  }
  expect(hooks.length).toBeGreaterThan(3);
});

test('SIGTERM while a message is under way: it is finished and marked, nothing comes twice', async () => {
  const smtp = await startSmtpReceiver();
  onTestFinished(() => smtp.close());
  let stopped: Promise<unknown> | null = null;
  let serving: Serving | null = null;
  const receiver = await startWebhookReceiver((response, received) => {
    stopped ??= serving?.stop('SIGTERM') ?? null;
    setTimeout(() => answers(200)(response, received), 500);
  });
  const { db, env } = await prepareLab(receiver.url, smtp.url);
  serving = await startServing(env);
  await warmAll(serving);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await stopped;
  const next = await startServing(env);
  await expect.poll(() => countSent(db), { timeout: 60_000 }).toBe(6);
  await next.stop();
  expect(idsOf(receiver.received)).toHaveLength(3);
  expect(smtp.mails).toHaveLength(3);
});
