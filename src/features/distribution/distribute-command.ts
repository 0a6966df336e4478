// `tocsin distribute`: readings at rest go to the workers of a Citus, while programs run.
import { distribute } from '../../engine/nodes/distribute.ts';
import type { Database } from '../../platform/db/database.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Output } from '../../platform/terminal.ts';

export interface DistributeCommand {
  /** As it was typed; null: as many as the server is set to. */
  shards: string | null;
  isJson: boolean;
}

export async function runDistribute(
  db: Database,
  { shards, isJson }: DistributeCommand,
  out: Output,
): Promise<0> {
  const count = shards === null ? null : readShards(shards);
  const { wasDone, workers } = await db.alone((session) => distribute(session, count, out.stderr));
  if (isJson) {
    out.stdout(JSON.stringify({ distributed: !wasDone, workers }));
    return 0;
  }
  out.stdout(wasDone ? 'The readings are distributed already:' : 'The readings are distributed:');
  for (const { name, shards } of workers) out.stdout(`  ${name}: ${shards} shards`);
  if (workers.some(({ shards }) => shards === 0))
    out.stdout('A worker has none yet: docs/scale.md tells how to let it take its share.');
  return 0;
}

const MOST_SHARDS = 1024;

function readShards(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_SHARDS)
    throw new StartError(`--shards takes a number from 1 to ${MOST_SHARDS}`);
  return count;
}
