import { expect, test } from 'vitest';
import { makeDataDir, type Serving, startServing } from '../support/program.ts';

async function signInAsAda({ url, said }: Serving) {
  const password = /ada@lab\.example +(\S+)/.exec(said())?.[1] ?? '';
  const answer = await fetch(`${url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ada@lab.example', password }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${access_token}` } })).text();
}

test('the first start of the demonstration tells its people and its chat room, and warns of nothing', async () => {
  // A few days of history tell the same in less time.
  const serving = await startServing({ TOCSIN_DATA: await makeDataDir(), TOCSIN_RETENTION_DAYS: '4' }, [
    '--demo',
  ]);
  const read = await signInAsAda(serving);
  await expect
    .poll(() => read('/settings/mail'), { timeout: 60_000 })
    .toMatch(/\[CRITICAL\] ULT freezer 2[\s\S]*to the chat room of the Cold team/);
  await expect.poll(() => read('/settings/mail'), { timeout: 60_000 }).toContain('to oscar@lab.example');
  const { outbox } = (JSON.parse(await read('/api/v1/health/detailed')) as HealthReport).components;
  expect(outbox).toMatchObject({ status: 'ok', undelivered: 0, failed_last_24h: 0 });

  const { code, stderr } = await serving.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}, 120_000);

interface HealthReport {
  components: { outbox: Record<string, unknown> };
}
