import type { OrganizationId } from '../../domain/ids.ts';
import { keepRecent } from '../../platform/keep-recent.ts';
import { within } from '../../platform/within.ts';

type ReadFor<Found> = (organizationIds: readonly OrganizationId[], now: Date) => Promise<Found>;

const MOST_KEPT = 1_000;
const PATIENCE_MS = 5_000;

/** Whoever sees the same organizations is told the same for so long. null: it does not answer in time. */
export function keepByOrganizations<Found>(keptMs: number, read: ReadFor<Found>): ReadFor<Found | null> {
  const recent = keepRecent<{ madeAt: number; found: Promise<Found | null> }>(MOST_KEPT);
  return (organizationIds, now) => {
    const name = [...organizationIds].sort((one, other) => one - other).join();
    const known = recent.get(name);
    const isFresh = known !== undefined && Math.abs(now.getTime() - known.madeAt) < keptMs;
    const found = isFresh ? known.found : read(organizationIds, now).catch(() => null);
    if (!isFresh) recent.put(name, { madeAt: now.getTime(), found }, 1);
    return within(PATIENCE_MS, found).catch(() => null);
  };
}
