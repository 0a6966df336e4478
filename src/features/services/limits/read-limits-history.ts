import type { Changes } from '../../../domain/changes.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { findLimitsChanges } from '../../../domain/judging/limits.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { type LimitsVersion, selectVersionsPage } from './queries.ts';

export interface LimitsHistory {
  /** The newest first. */
  entries: LimitsHistoryEntry[];
  /** The next page begins before this version; null: there is none. */
  olderThan: number | null;
}

export interface LimitsHistoryEntry extends LimitsVersion {
  /** Against the version before it. */
  changes: Changes;
}

const PAGE = 50;

/** `before`: those older than this version; null: the newest. */
export async function readLimitsHistory(
  db: ReadDatabase,
  serviceId: ServiceId,
  before: number | null,
): Promise<LimitsHistory> {
  const versions = await selectVersionsPage(db, serviceId, { before, most: PAGE + 1 });
  const nameOf = ({ channel, version }: Pick<LimitsVersion, 'channel' | 'version'>) =>
    JSON.stringify([channel, version]);
  const known = new Map(versions.map((version) => [nameOf(version), version]));
  const listed = versions.filter(({ isListed }) => isListed);
  const entries = listed.slice(0, PAGE).map(({ isListed: _, ...version }) => {
    const earlier = known.get(nameOf({ ...version, version: version.version - 1 })) ?? null;
    return { ...version, changes: findLimitsChanges(earlier, version) };
  });
  return { entries, olderThan: listed.length > PAGE ? (entries.at(-1)?.id ?? null) : null };
}
