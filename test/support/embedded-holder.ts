// A program that uses the embedded database, run as a process of its own. It does what its standard input says, one
// word or statement a line, answers each with one line of JSON, and closes when its input ends.
import { createInterface } from 'node:readline';
import { Pool } from 'pg';
import { type EmbeddedDatabase, openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';

const [dataDir = '', packageDir] = process.argv.slice(2);
let database: EmbeddedDatabase | undefined;
let pool: Pool | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await obey(line).catch((error: Error) => ({ failed: error.message, kind: error.name }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await close();

async function obey(line: string): Promise<unknown> {
  if (line === 'open') return open();
  if (line === 'close') return close();
  return (await pool?.query(line))?.rows;
}

async function open(): Promise<unknown> {
  const startedAt = performance.now();
  database = await openEmbedded({ dataDir, packageDir });
  pool = new Pool(database.connection);
  pool.on('error', () => {});
  return { connection: database.connection, openedInMs: Math.round(performance.now() - startedAt) };
}

async function close(): Promise<unknown> {
  const startedAt = performance.now();
  await pool?.end();
  await database?.close();
  pool = undefined;
  database = undefined;
  return { closedInMs: Math.round(performance.now() - startedAt) };
}
