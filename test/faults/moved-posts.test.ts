// A sender whose clock is off hands in a post, and the program is killed before it answers. What comes again, to whichever
// program, is known by the times that it got first.
import sql, { raw } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { runCommand, type Serving, startServing } from '../support/program.ts';
import { listStored } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const LAB = JSON.stringify({
  organizations: [
    {
      name: 'Cell Biology',
      sources: [{ name: 'gateway', secret: SECRET }],
      services: [{ name: 'Freezer 1', device: { key: 'f1' } }],
    },
  ],
});
const OLD_SECONDS = Date.UTC(2003, 4, 6, 7, 8, 9) / 1000;
const DATED = [0, 60, 120].map((later) => `m,device=f1 temperature=${-80 + later} ${OLD_SECONDS + later}`);
const UNDATED = ['m,device=f1 humidity=40', 'm,device=f1 humidity=41'];

test('what was stored by a program that died before it answered is stored once', async () => {
  const { db, url } = await cloneDatabase();
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent' };
  const applied = await runCommand(['apply', '-', '--json'], env, LAB);
  const { services } = JSON.parse(applied.stdout) as { services: Record<string, number> };
  const freezer = Object.values(services)[0] ?? 0;
  const send = ({ url: to }: Serving, lines: string[]) =>
    fetch(`${to}/api/v1/telemetry/influx/write?precision=s`, {
      method: 'POST',
      body: lines.join('\n'),
      headers: { authorization: `Token ${SECRET}` },
    });
  const first = await startServing(env);
  expect((await send(first, [`m,device=f1 battery=90 ${OLD_SECONDS}`])).status).toBe(204);

  // The commit that stores the readings takes long enough for the program to be killed in it.
  await db.query(
    raw(
      `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(2); return null; end $$`,
    ),
  );
  await db.query(
    raw(`create constraint trigger dawdle after insert on reading_inbox deferrable initially deferred
      for each row execute function dawdle()`),
  );
  const unanswered = [DATED, UNDATED].map((lines) =>
    send(first, lines).then(
      ({ status }) => status,
      () => 'no answer',
    ),
  );
  const movedPosts = async () =>
    Number((await db.query<{ n: string }>(sql`select count(*) as "n" from moved_post`))[0]?.n);
  await expect.poll(movedPosts, { timeout: 20_000 }).toBe(3);
  await first.stop('SIGKILL');
  expect(await Promise.all(unanswered)).toEqual(['no answer', 'no answer']);
  // Waits for the commit that nobody waits for any more.
  await db.query(raw('drop trigger dawdle on reading_inbox'));
  expect((await listStored(db, freezer)).length).toBeGreaterThan(1);

  const [second, third] = [await startServing(env), await startServing(env)];
  for (const program of [second, third])
    for (const lines of [DATED, UNDATED]) expect((await send(program, lines)).status).toBe(204);
  const stored = await listStored(db, freezer);
  const valuesOf = (channel: string) => stored.filter(({ name }) => name === channel);
  const temperatures = valuesOf('temperature');
  expect(stored).toHaveLength(6);
  expect(valuesOf('humidity').map(({ value }) => value)).toEqual([40, 41]);
  expect(temperatures.map(({ at }) => at.getTime() - (temperatures[2]?.at.getTime() ?? 0))).toEqual([
    -120_000, -60_000, 0,
  ]);
});
