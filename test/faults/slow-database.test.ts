// The real program on a database that takes two seconds for every answer: an alarm is told all the same.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { runCommand, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const LAB = JSON.stringify({
  organizations: [
    {
      name: 'Cell Biology',
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: [{ name: 'Cold team', emails: ['cold@lab.example'] }],
      services: [
        {
          name: 'Freezer 1',
          device: { key: 'freezer-1' },
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
          notifications: { group: 'Cold team', send_critical: true },
        },
      ],
    },
  ],
});

async function openSlowHouse() {
  const own = await cloneDatabase();
  const proxy = await openDatabaseProxy(own.connection);
  const smtp = await openSmtpReceiver();
  const { user, password, database } = own.connection;
  const env = {
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${database}`,
    SMTP_URL: smtp.url,
  };
  expect(await runCommand(['apply', '-'], env, LAB)).toMatchObject({ code: 0 });
  const { url } = await startServing(env);
  const post = async (temperature: number) => {
    const answer = await fetch(`${url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ device: 'freezer-1', values: { temperature } }),
    });
    expect(answer.status).toBe(200);
  };
  return { proxy, smtp, post };
}

test.concurrent.each([
  ['that sends readings', true],
  ['that nobody has heard of', false],
])(
  'every answer comes two seconds late: the alarm of a service %s is notified all the same',
  async (_, isKnown) => {
    const { proxy, smtp, post } = await openSlowHouse();
    if (isKnown) await post(-80);
    proxy.delayMs = 2_000;
    // Until whatever was under way at full speed is over.
    await sleep(15_000);

    // Half a minute after it on an idle machine. A letter that is given back and taken again leaves never.
    await post(-40);
    await expect
      .poll(() => smtp.subjects, { timeout: 120_000 })
      .toEqual([expect.stringContaining('CRITICAL Freezer 1')]);
    proxy.delayMs = 0;
  },
);
