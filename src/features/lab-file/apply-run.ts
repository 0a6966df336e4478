import type { Requester } from '../../domain/accounts/requester.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FaultBook } from './read/faults.ts';

/** One application of one file: everything in it commits or none of it does. */
export interface ApplyRun {
  tx: Tx;
  requester: Requester;
  now: Date;
  fileName: string;
  /** A step that meets a fault leaves its entry out and goes on, so that all faults are told at once. */
  faults: FaultBook;
}

/** A row that the file names. */
export interface Known<Id extends number = number> {
  id: Id;
  isNew: boolean;
}
