import type { Changes } from '../../domain/changes.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { findLimitsChanges } from '../../domain/limits.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type LimitsVersion, selectLimitsVersions } from './queries.ts';

export interface LimitsHistoryEntry extends LimitsVersion {
  /** Against the version before it. */
  changes: Changes;
}

/** Service-wide limits first, then by channel; the newest version of each first. */
export async function readLimitsHistory(
  db: ReadDatabase,
  serviceId: ServiceId,
): Promise<LimitsHistoryEntry[]> {
  const versions = await selectLimitsVersions(db, serviceId);
  return versions.map((version, index) => {
    const next = versions[index + 1];
    const earlier = next?.channel === version.channel ? next : null;
    return { ...version, changes: findLimitsChanges(earlier, version) };
  });
}
