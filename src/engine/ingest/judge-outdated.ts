// Of a batch that was judged from memory, the services that somebody has written since. They are held, looked up anew and
// judged once more in the same transaction: an edit costs the service it is made to, and not the batch it meets.
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockFreeRows } from '../alarm-state/alarm-rows.ts';
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

interface WrittenFromMemory {
  /** Services whose rows somebody has written. */
  left: readonly ServiceId[];
  late: readonly SortedValue[];
  /** Of those that were late. */
  isNew(value: SortedValue): boolean;
}

/**
 * When the readings are stored, and the other rows moved on. Nobody may be waited for any more: who has joined the seal
 * holds up the rollups. Answers with those that were judged anew, and are written.
 */
export async function judgeOutdated(
  tx: Tx,
  { catalogue, takeEpisodes }: { catalogue: Catalogue; takeEpisodes?: TakeEpisodes },
  sorted: SortedPosts,
  { left, late, isNew }: WrittenFromMemory,
  now: Date,
): Promise<readonly Numbered[]> {
  if (left.length === 0) return [];
  const parcels = new Map(sorted.parcels.map((parcel) => [parcel.watched.config.serviceId, parcel]));
  const doubles = new Set(late.filter((value) => !isNew(value)).map(nameReading));
  const rows = await tx.query(lockFreeRows(left));
  const again = (await catalogue.refresh(tx, rows)).map((watched) => {
    const entries = parcels.get(watched.config.serviceId)?.entries ?? [];
    return judgeAgain({ watched, entries }, doubles, now.getTime());
  });
  if (again.length < left.length) throw new OutdatedMemory();
  return writeAssessments(tx, rows, again, now, takeEpisodes);
}

/** Its readings are stored and counted already. */
function judgeAgain(parcel: Parcel, doubles: ReadonlySet<string>, now: Instant): Assessment {
  const { watched, entries } = parcel;
  if (!entries.every(({ entry }) => isMeant(watched.config, entry.target)) || needsLock(parcel, now))
    throw new OutdatedMemory();
  const judged = sortValues(parcel, now, []).filter(
    (value) => !value.isLate && !doubles.has(nameReading(value)),
  );
  return assess(watched, joinMoments(judged), now);
}
