// The whole program, put together as people start it, on a machine whose clock is wrong.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { createTokenSigner } from '../../src/platform/auth/token.ts';
import { openLogOutput } from '../../src/platform/log-output.ts';
import { serve } from '../../src/serve.ts';
import { invitePeople } from '../support/people.ts';
import { cloneDatabase } from '../support/test-database.ts';
import type { TestServer } from '../support/test-server.ts';

test('a clock that is ahead is said in every place, and the program says how its work fares', async () => {
  const { db, url: databaseUrl } = await cloneDatabase();
  const clock = () => new Date(Date.now() + 90_000);
  const config = readEnvironment({
    DATABASE_URL: databaseUrl,
    PORT: '0',
    TOCSIN_METRICS_PORT: '0',
    TOCSIN_SECRET: 'a secret of at least 32 characters',
  });
  const said: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const program = await serve({
    config,
    clock,
    log,
    logOutput: openLogOutput((_, done) => done()),
    roles: ['web', 'engine', 'deliver', 'advise'],
    say: (line) => void said.push(line),
  });
  onTestFinished(() => program.stop());
  const find = (pattern: RegExp) => pattern.exec(said.join('\n'))?.[1] ?? '';

  const signer = createTokenSigner(config.tokenSecret as Buffer);
  const url = find(/listens on (\S+)/);
  const { ada, vera } = await invitePeople({ db, signer, url, clock: { read: clock } } as TestServer);
  const words = /The clock of \S+ is 1 minute .*ahead of that of the database/;
  expect(await (await vera.get('/api/v1/health/detailed')).json()).toMatchObject({
    degraded: ['clock'],
    findings: [{ name: 'clock_differs', trouble: expect.stringMatching(words) }],
  });
  expect(await (await fetch(find(/Metrics on (\S+)/))).text()).toContain(
    'tocsin_finding{finding="clock_differs",component="clock",severity="critical"} 1',
  );
  expect(await (await ada.get('/')).text()).toMatch(words);
  expect(await (await vera.get('/')).text()).not.toMatch(words);
  expect(lines.filter((line) => line.includes('"finding"'))).toEqual([expect.stringMatching(words)]);

  const row = async () =>
    (
      await db.query(sql`
        select swept_at is not null and decided_at is not null and delivered_at is not null as "isTold" from program`)
    )[0];
  await expect.poll(row, { timeout: 30_000 }).toEqual({ isTold: true });
});
