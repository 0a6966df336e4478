import { Socket } from 'node:net';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { cloneDatabase, openBeside } from '../support/test-database.ts';

const ROWS = 20_000;
const KB = 1024;

test('a long answer of the database is read in pieces, and others have their turns in between', async () => {
  let inThisRound = 0;
  let mostInARound = 0;
  let isDone = false;
  const stream = () =>
    new Socket().on('data', ({ length }) => {
      inThisRound += length;
      mostInARound = Math.max(mostInARound, inThisRound);
    });
  const beat = () => {
    inThisRound = 0;
    if (!isDone) setImmediate(beat);
  };
  const db = openBeside(await cloneDatabase(), { stream });
  setImmediate(beat);
  const asking = db.query<{ n: number; text: string }>(
    sql`select n, repeat('x', 1000) as text from generate_series(1, ${ROWS}::int) as n`,
  );
  const rows = await asking;
  isDone = true;
  expect(rows.length).toBe(ROWS);
  expect(rows.at(-1)).toEqual({ n: ROWS, text: 'x'.repeat(1_000) });
  expect(mostInARound).toBeLessThanOrEqual(2 * 64 * KB);
  await db.close();
});
