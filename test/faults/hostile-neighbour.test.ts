// One organization does all at once whatever it may; alarms of another one go out meanwhile, each once.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beHostile, describeHostile } from '../../bench/hostile-neighbour.ts';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { openServingLab } from '../support/serving-lab.ts';

test('a hostile neighbour: posts are taken, alarms go out once, and what is refused is refused in words', async () => {
  const lab = await openServingLab({ TOCSIN_WEBHOOK_PRIVATE: 'true' });
  const { accounts, organization } = await describeHostile();
  const input = {
    text: JSON.stringify({ accounts, organizations: [organization] }),
    fileName: 'hostile.yaml',
    isDryRun: false,
  };
  expect(await applyLabFile(lab.own.db, COMMAND_LINE, input, new Date())).toMatchObject({ ok: true });
  const ending = new AbortController();
  const hostile = beHostile(lab.serving.url, ending.signal);
  await sleep(2_000);
  for (const freezer of [1, 2, 3]) {
    expect((await lab.post({ device: `freezer-${freezer}`, values: { humidity: 40 } })).status).toBe(200);
    await lab.expectAlarmToGoOut(freezer);
  }
  ending.abort();
  const answers = await hostile;
  for (const freezer of [1, 2, 3])
    expect(lab.smtp.subjects.filter((subject) => subject.includes(`Freezer ${freezer}`))).toHaveLength(1);
  expect([...answers.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(answers.get(422)).toContain('Choose');
}, 300_000);
