// One organization does all at once whatever it may; alarms of another one go out meanwhile, each once.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answers, beHostile } from '../../bench/hostile-acts.ts';
import { describeHostile } from '../../bench/hostile-neighbour.ts';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { findQuietPort } from '../support/quiet-ports.ts';
import { openServingLab } from '../support/serving-lab.ts';

test('a hostile neighbour: posts are taken, alarms go out once, and what is refused is refused in words', async () => {
  const mqttPort = await findQuietPort();
  const lab = await openServingLab({ TOCSIN_WEBHOOK_PRIVATE: 'true', TOCSIN_MQTT_PORT: String(mqttPort) });
  const { accounts, organization } = await describeHostile();
  const input = {
    text: JSON.stringify({ accounts, organizations: [organization] }),
    fileName: 'hostile.yaml',
    isDryRun: false,
  };
  expect(await applyLabFile(lab.own.db, COMMAND_LINE, input, new Date())).toMatchObject({ ok: true });
  const ending = new AbortController();
  const answers: Answers = new Map();
  const target = { url: lab.serving.url, mqttUrl: `mqtt://127.0.0.1:${mqttPort}` };
  const hostile = beHostile(target, ending.signal, answers);
  await sleep(2_000);
  for (const freezer of [1, 2, 3]) {
    expect((await lab.post({ device: `freezer-${freezer}`, values: { humidity: 40 } })).status).toBe(200);
    await lab.expectAlarmToGoOut(freezer);
  }
  // Whatever it does was done, or nothing was tried.
  await expect.poll(() => ACTS.filter((act) => !answers.has(act)), { timeout: 120_000 }).toEqual([]);
  ending.abort();
  await hostile;
  for (const freezer of [1, 2, 3])
    expect(lab.smtp.subjects.filter((subject) => subject.includes(`Freezer ${freezer}`))).toHaveLength(1);
  expect([...answers.keys()].filter((what) => / 5(?!03)/.test(what))).toEqual([]);
}, 300_000);

const ACTS = [
  'GET /audit.csv 200',
  'POST /api/v1/telemetry 200',
  'POST /api/v1/telemetry/json 200',
  'POST /downtimes/series 303',
  'POST /downtimes/series 422',
  'POST /on-call/:id/appoint 303',
  'POST /services/:id/backtest 200',
  'POST /settings/sources/:id/try 200',
  'PUBLISH taken',
];
