// The tree of places with what is wrong in each of its branches: what comes first, what is unfolded, and how much of it a page shows.
import { growTree, isBranch, type TreeEntry } from '../../domain/equipment/place-tree.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ListedPlace } from './remember-places.ts';

export interface Sums {
  critical: number;
  warning: number;
  stale: number;
  units: number;
  places: number;
  /** When the newest of these alarms began; null: there is none. */
  newestAt: number | null;
}

export interface Weighed {
  organizationId: OrganizationId;
  entry: TreeEntry<ListedPlace>;
  sums: Sums;
  /** The worst first. */
  inside: Weighed[];
  /** In it, beyond those. */
  more: number;
  isOpen: boolean;
}

const MOST_INSIDE = 12;
/** Of all branches of a page. */
const MOST_ROWS = 120;
/** Places of a page of which each unit is shown. */
const MOST_DRAWN = 16;

/** All entries of the tree, or of one branch of it, those with alarms first. Places come by organization. */
export function weighTree(places: readonly ListedPlace[], below: string | null): Weighed[] {
  const byOrganization = groupBy(places, ({ organizationId }) => organizationId);
  const all = [...byOrganization].flatMap(([organizationId, own]) =>
    growTree(own, below).map((entry) => weigh(entry, organizationId)),
  );
  return worstFirst(all);
}

function weigh(entry: TreeEntry<ListedPlace>, organizationId: OrganizationId): Weighed {
  if (!isBranch(entry)) {
    const { alarms, units } = entry.place;
    const { critical = 0, warning = 0, stale = 0 } = alarms ?? {};
    const newestAt = alarms?.newestAt.getTime() ?? null;
    const sums = { critical, warning, stale, units, places: 1, newestAt };
    return { organizationId, entry, sums, inside: [], more: 0, isOpen: false };
  }
  const inside = worstFirst(entry.entries.map((one) => weigh(one, organizationId)));
  const sums = inside.map((one) => one.sums).reduce(add);
  return { organizationId, entry, sums, inside, more: 0, isOpen: countAlarms(sums) > 0 };
}

const add = (one: Sums, other: Sums): Sums => ({
  critical: one.critical + other.critical,
  warning: one.warning + other.warning,
  stale: one.stale + other.stale,
  units: one.units + other.units,
  places: one.places + other.places,
  newestAt: one.newestAt === null ? other.newestAt : Math.max(one.newestAt, other.newestAt ?? one.newestAt),
});

export const countAlarms = ({ critical, warning, stale }: Sums): number => critical + warning + stale;

const worstFirst = (all: Weighed[]): Weighed[] =>
  all.toSorted(
    ({ sums: one }, { sums: other }) =>
      other.critical - one.critical || other.warning - one.warning || countAlarms(other) - countAlarms(one),
  );

/** As much of it as a page shows, however large its branches are. */
export function cutTree(entries: readonly Weighed[]): Weighed[] {
  let rows = MOST_ROWS;
  const cut = (one: Weighed): Weighed => {
    const most = Math.min(MOST_INSIDE, rows);
    const kept = one.inside.slice(0, most);
    rows -= kept.length;
    return { ...one, inside: kept.map(cut), more: one.inside.length - kept.length };
  };
  const shown = entries.map(cut);
  return shown.length === 1 ? shown.map((one) => ({ ...one, isOpen: true })) : shown;
}

/** Places whose units are shown one by one: those that stand by themselves, then those of branches that are unfolded. */
export function listDrawn(entries: readonly Weighed[]): ListedPlace[] {
  const [own, unfolded]: [ListedPlace[], ListedPlace[]] = [[], []];
  const gather = (all: readonly Weighed[], into: ListedPlace[]): void => {
    for (const { entry, inside, isOpen } of all) {
      if (!isBranch(entry)) into.push(entry.place);
      else if (isOpen) gather(inside, unfolded);
    }
  };
  gather(entries, own);
  return [...own, ...unfolded].slice(0, MOST_DRAWN);
}
