// A machine that comes up with a clock behind the one it went down with says so, and goes on.
import { expect, test } from 'vitest';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { query } from '../support/embedded-probes.ts';
import { makeDataDir, runCommand, startServing } from '../support/program.ts';

const SECRET = 'the secret of the gateway';
const LAB = JSON.stringify({
  organizations: [
    {
      name: 'Cell Biology',
      sources: [{ name: 'gateway', secret: SECRET }],
      services: [{ name: 'Freezer 1', device: { key: 'freezer-1' } }],
    },
  ],
});

test('what was dated ahead of the clock is told in the log, and counts from now', async () => {
  const dataDir = await makeDataDir();
  const env = { TOCSIN_DATA: dataDir };
  expect(await runCommand(['apply', '-'], env, LAB)).toMatchObject({ code: 0 });
  const before = await startServing(env);
  const posted = await fetch(`${before.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device: 'freezer-1', values: { temperature: -80 } }),
  });
  expect(posted.status).toBe(200);
  const database = await openEmbedded({ dataDir });
  await before.stop();
  await query(database, 'update alarm_state set channel_at_ms = array[channel_at_ms[1] + 3600000]');

  const after = await startServing(env);
  let log = '';
  after.process.stderr?.on('data', (text) => {
    log += text;
  });
  await expect.poll(() => log, { timeout: 60_000 }).toContain('dated ahead of the clock of this host');
  expect(log).toMatch(/"services":1,"aheadSeconds":3[56]\d\d/);
  const rows = (await query(database, 'select channel_at_ms[1]::float8 as "at" from alarm_state')) as {
    at: number;
  }[];
  expect(rows[0]?.at).toBeLessThanOrEqual(Date.now());
  await database.close();
});
