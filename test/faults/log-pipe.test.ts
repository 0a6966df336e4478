// Whoever reads the log may stop reading. Alarms are judged and told all the same.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataDir, runCommand, type Serving, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';

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

async function startUnread(env: Record<string, string>): Promise<Serving> {
  const serving = await startServing({ ...env, LOG_LEVEL: 'trace', TOCSIN_METRICS_PORT: '0' });
  serving.process.stderr?.pause();
  onTestFinished(() => void serving.process.stderr?.resume());
  return serving;
}

/** One connection, one request after the other; every answer is a line in the log. */
async function askOften({ url }: Serving, times: number): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const ask = (how: string) => `GET /health HTTP/1.1\r\nHost: x\r\nConnection: ${how}\r\n\r\n`;
  socket.write(ask('keep-alive').repeat(times - 1) + ask('close'));
  await once(socket.resume(), 'end');
}

async function countDropped(serving: Serving): Promise<number> {
  const [, url = ''] = /Metrics on (\S+)/.exec(serving.said()) ?? [];
  const text = await (await fetch(url)).text();
  return Number(/^tocsin_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

async function fillLog(serving: Serving): Promise<number> {
  for (;;) {
    await askOften(serving, 1000);
    const dropped = await countDropped(serving);
    if (dropped !== 0) return dropped;
  }
}

test('with a log that nobody reads an alarm is told; lines are dropped, counted, and spoken of once they flow again', async () => {
  const mailServer = await openSmtpReceiver();
  const env = { TOCSIN_DATA: await makeDataDir(), SMTP_URL: mailServer.url };
  expect(await runCommand(['apply', '-'], env, LAB)).toMatchObject({ code: 0 });
  const serving = await startUnread(env);
  expect(await fillLog(serving)).toBeGreaterThan(0);

  const posted = await fetch(`${serving.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device: 'freezer-1', values: { temperature: -40 } }),
  });
  expect(posted.status).toBe(200);
  expect((await mailServer.mail(1)).subject).toContain('Freezer 1');

  const dropped = await countDropped(serving);
  let read = '';
  serving.process.stderr?.on('data', (text) => {
    read += text;
  });
  serving.process.stderr?.resume();
  await expect.poll(() => read, { timeout: 60_000 }).toMatch(/log lines were dropped.*\n/);
  const told = read.split('\n').find((line) => line.includes('log lines were dropped')) ?? '';
  expect(JSON.parse(told)).toMatchObject({ level: 40, lines: expect.any(Number) });
  expect(JSON.parse(told).lines).toBeGreaterThanOrEqual(dropped);
  expect(await countDropped(serving)).toBe(JSON.parse(told).lines);
});

test('a program whose log nobody reads still ends when it is asked to', async () => {
  const serving = await startUnread({ TOCSIN_DATA: await makeDataDir() });
  await fillLog(serving);
  const exited = new Promise((resolve) => serving.process.once('exit', resolve));
  serving.process.kill('SIGTERM');
  expect(await Promise.race([exited, sleep(20_000, 'still running')])).toBe(0);
});

test('a program whose log was closed by its reader goes on', async () => {
  const serving = await startUnread({ TOCSIN_DATA: await makeDataDir() });
  serving.process.stderr?.destroy();
  await askOften(serving, 100);
  expect(await countDropped(serving)).toBeGreaterThan(0);
  expect((await fetch(`${serving.url}/health`)).status).toBe(200);
});
