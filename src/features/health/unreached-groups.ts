// Groups that a service tells, and that reach nobody at some hour of the next week.
import type { OrganizationId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { readGaps } from '../../engine/reminders/gaps.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface UnreachedGroup {
  organization_id: number;
  group: string;
  /** How often in the week, and the first time. */
  times: number;
  from: string;
  until: string;
}

const WEEKS = 1;

export async function readUnreached(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  now: Date,
): Promise<UnreachedGroup[]> {
  const groups = await readGaps(db, organizationIds, now, WEEKS);
  return groups.flatMap(({ organizationId, groupName, gaps }) => {
    const unreached = gaps.filter(({ kind }) => kind === 'nobody');
    const [soonest] = unreached;
    if (!soonest) return [];
    const { startAt, endAt } = soonest;
    return [
      {
        organization_id: organizationId,
        group: groupName,
        times: unreached.length,
        from: formatInstant(startAt),
        until: formatInstant(endAt),
      },
    ];
  });
}
