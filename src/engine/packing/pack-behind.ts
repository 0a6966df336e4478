// The packer's share of time: behind a full road it keeps up, and never works so long that others wait.
import type { Database } from '../../platform/db/database.ts';
import { mergeParts } from '../readings/merge-parts.ts';
import type { PackEntries } from './pack-entries.ts';
import { type PackOutcome, packInbox } from './pack-inbox.ts';

const BUDGET_MS = 2_500;

/** Everything in the inbox that is worth it, as far as it can be done in time. */
export const packReadingsBehind = (db: Database, now: Date, packMany?: PackEntries) =>
  repeat(() => packInbox(db, now, { packMany }));

/** Parts of days, as far as it can be done in time. */
export const mergePartsBehind = (db: Database, now: Date) => repeat(() => mergeParts(db, now));

async function repeat(step: () => Promise<PackOutcome>): Promise<PackOutcome> {
  const startedAt = performance.now();
  let outcome: PackOutcome;
  do outcome = await step();
  while (outcome === 'more_to_do' && performance.now() - startedAt < BUDGET_MS);
  return outcome;
}
