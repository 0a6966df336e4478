// A program that does nothing but pack and merge, run as a process of its own until it is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../../src/engine/readings/merge-parts.ts';
import { openPool } from '../../src/platform/db/database.ts';

const db = openPool({ connectionString: process.argv[2] ?? '' }, () => {});
for (;;) {
  await packInbox(db, new Date(), { atOnce: true });
  await mergeParts(db, new Date());
  await sleep(20);
}
