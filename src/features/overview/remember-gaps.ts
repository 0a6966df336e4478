// Who would reach nobody until this time tomorrow. It takes a while where groups are many: the page does not wait for it, and
// what was found is good for a minute.
import type { OrganizationId } from '../../domain/ids.ts';
import { readGaps } from '../../engine/reminders/gaps.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { keepRecent } from '../../platform/keep-recent.ts';
import type { Log } from '../../platform/log.ts';

export type GroupGaps = Awaited<ReturnType<typeof readGaps>>[number];

/** null: it is still being looked at. */
export type LookForGaps = (
  organizationIds: readonly OrganizationId[],
  now: Date,
) => Promise<readonly GroupGaps[] | null>;

const A_DAY = 1 / 7;
const KEPT_MS = 60_000;
const MOST_KEPT = 1_000;
const PATIENCE_MS = 100;

export function rememberGaps(db: ReadDatabase, log: Log): LookForGaps {
  const recent = keepRecent<{ groups: readonly GroupGaps[]; at: number }>(MOST_KEPT);
  const underWay = new Map<string, Promise<readonly GroupGaps[] | null>>();

  const look = (name: string, organizationIds: readonly OrganizationId[], now: Date) => {
    const looking = readGaps(db, organizationIds, now, A_DAY)
      .then((groups) => {
        recent.put(name, { groups, at: now.getTime() }, 1);
        return groups;
      })
      .catch((error) => {
        log.warn({ err: error }, 'the gaps of the next day could not be looked at');
        return null;
      })
      .finally(() => underWay.delete(name));
    underWay.set(name, looking);
    return looking;
  };

  return async (organizationIds, now) => {
    const name = [...organizationIds].sort((one, other) => one - other).join();
    const known = recent.get(name);
    if (known && Math.abs(now.getTime() - known.at) < KEPT_MS) return known.groups;
    const looking = underWay.get(name) ?? look(name, organizationIds, now);
    return Promise.race([looking, patience()]);
  };
}

const patience = (): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS, null).unref();
  });
