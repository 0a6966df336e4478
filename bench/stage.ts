// What every part of the bench is given.
import type { Database } from '../src/platform/db/database.ts';
import type { Reader } from './alarms-list.ts';
import type { Cluster } from './cluster.ts';
import type { Bench, Program } from './compare.ts';
import type { Bare } from './start-bare.ts';

export interface Stage {
  bench: Bench;
  cluster: Cluster;
  db: Database;
  bare: Bare;
  tocsin: Program;
  /** An administrator of the organization that posts. */
  reader: Reader;
  /** When the lab was made. */
  now: Date;
}
