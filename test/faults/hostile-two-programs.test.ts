// Two programs share the work, and one organization does to both at once whatever it may; alarms of another one go out
// meanwhile, each once, whichever of the programs took the reading.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beHostile } from '../../bench/hostile-acts.ts';
import { describeHostile } from '../../bench/hostile-neighbour.ts';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { startServing } from '../support/program.ts';
import { findQuietPort } from '../support/quiet-ports.ts';
import { openServingLab, SECRET } from '../support/serving-lab.ts';

test('posts to either are taken, and each alarm is told once', async () => {
  const ports = [await findQuietPort(), await findQuietPort()];
  const envOf = (at: number) => ({ TOCSIN_WEBHOOK_PRIVATE: 'true', TOCSIN_MQTT_PORT: String(ports[at]) });
  const lab = await openServingLab(envOf(0));
  const { own, smtp } = lab;
  const { accounts, organization } = await describeHostile();
  const text = JSON.stringify({ accounts, organizations: [organization] });
  const input = { text, fileName: 'hostile.yaml', isDryRun: false };
  expect(await applyLabFile(own.db, COMMAND_LINE, input, new Date())).toMatchObject({ ok: true });
  const beside = { DATABASE_URL: own.url, SMTP_URL: smtp.url, LOG_LEVEL: 'silent', ...envOf(1) };
  const programs = [lab.serving, await startServing(beside)];
  const ending = new AbortController();
  const hostile = programs.map(({ url }, at) =>
    beHostile({ url, mqttUrl: `mqtt://127.0.0.1:${ports[at]}` }, ending.signal),
  );
  await sleep(2_000);
  const told = (freezer: number) =>
    smtp.subjects.filter((subject) => subject.includes(`Freezer ${freezer}`)).length;
  for (const [at, { url }] of programs.entries()) {
    const freezer = at + 1;
    const answer = await fetch(`${url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ device: `freezer-${freezer}`, values: { temperature: -40 } }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { accepted: 1 }]);
    await expect.poll(() => told(freezer), { timeout: 120_000 }).toBe(1);
  }
  ending.abort();
  const answers = (await Promise.all(hostile)).flatMap((met) => [...met.keys()]);
  expect([told(1), told(2)]).toEqual([1, 1]);
  expect(answers.filter((what) => / 5(?!03)/.test(what))).toEqual([]);
  expect(answers).toContain('POST /api/v1/telemetry 200');
}, 400_000);
