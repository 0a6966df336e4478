// Of a batch that was judged from memory, the services that somebody has written since. They are held, looked up anew and
// judged once more in the same transaction: an edit costs the service it is made to, and not the batch it meets.
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type HeldRow, lockFreeRows } from '../alarm-state/alarm-rows.ts';
import { assess } from '../alarm-state/assess.ts';
import type { Assessment, Numbered } from '../alarm-state/assessment.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { writeAssessments } from '../alarm-state/write-assessments.ts';
import type { TakeEpisodes } from '../outbox/episode-ids.ts';
import { needsLock } from './judge-from-memory.ts';
import { isMeant } from './lock-parcels.ts';
import {
  joinMoments,
  nameReading,
  type Parcel,
  type SortedPosts,
  type SortedValue,
  sortValues,
} from './sort-readings.ts';

/** What somebody has written meanwhile cannot be had without waiting, or is too different. */
export class OutdatedMemory extends Error {}

interface Outdated {
  rows: HeldRow[];
  parcels: Parcel[];
}

/**
 * When the readings are stored, and the other rows moved on. Nobody is waited for: what cannot be had at once is done over.
 * Answers with those that somebody has written, held and as they stand now.
 */
export async function holdOutdated(
  tx: Tx,
  catalogue: Catalogue,
  { parcels }: SortedPosts,
  left: readonly ServiceId[],
): Promise<Outdated> {
  if (left.length === 0) return { rows: [], parcels: [] };
  const byService = new Map(parcels.map((parcel) => [parcel.watched.config.serviceId, parcel]));
  const rows = await tx.query(lockFreeRows(left));
  const held = (await catalogue.refresh(tx, rows)).map((watched) => ({
    watched,
    entries: byService.get(watched.config.serviceId)?.entries ?? [],
  }));
  if (held.length < left.length) throw new OutdatedMemory();
  return { rows, parcels: held };
}

interface WrittenFromMemory {
  late: readonly SortedValue[];
  /** Of those that were late. */
  isStored(value: SortedValue): boolean;
}

/** Answers with those that were judged anew, and are written. */
export async function judgeOutdated(
  tx: Tx,
  { takeEpisodes }: { takeEpisodes?: TakeEpisodes },
  { rows, parcels }: Outdated,
  { late, isStored }: WrittenFromMemory,
  now: Date,
): Promise<readonly Numbered[]> {
  if (parcels.length === 0) return [];
  const isDouble = new Map(late.map((value) => [nameReading(value), isStored(value)]));
  const again = parcels.map((parcel) => judgeAgain(parcel, isDouble, now.getTime()));
  return writeAssessments(tx, rows, again, now, takeEpisodes);
}

/** Its readings are stored and counted already. */
function judgeAgain(parcel: Parcel, isDouble: ReadonlyMap<string, boolean>, now: Instant): Assessment {
  const { watched, entries } = parcel;
  if (!entries.every((placed) => isMeant(watched.config, placed)) || needsLock(parcel, now))
    throw new OutdatedMemory();
  const values = sortValues(parcel, now, []);
  // Taken for new, and late after all: somebody else may have stored it before.
  if (values.some((value) => value.isLate && !isDouble.has(nameReading(value)))) throw new OutdatedMemory();
  const judged = values.filter((value) => !value.isLate && isDouble.get(nameReading(value)) !== true);
  return assess(watched, joinMoments(judged), now);
}
