// What the overview shows: places with their units, and beside them who is on call, what is not heard, and who would be reached.
import { organizationIdsOf, organizationNameIn, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { UnitState } from '../../domain/equipment/unit-state.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { formatLocalInput } from '../../domain/local-time.ts';
import { findDutyNow } from '../../domain/on-call/duties.ts';
import { readRotas, type StoredRota } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import type { FirstStepsModel } from '../../engine/pages/first-steps.tsx';
import { readFirstSteps } from '../../engine/pages/first-steps.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { type ListedPlace, type PlaceUnits, selectPlaces, selectUnheard, type Unheard } from './queries.ts';
import type { GroupGaps, LookForGaps } from './remember-gaps.ts';
import { countUnits, isLarge, keyOf, type ReadUnits } from './remember-units.ts';

export interface PlaceModel {
  placeId: string;
  /** null: its units stand nowhere. */
  name: string | null;
  /** null: the reader has no other. */
  organizationName: string | null;
  path: string;
  counts: Partial<Record<UnitState, number>>;
  total: number;
  units: PlaceUnits['units'];
  /** Of those that are not normal, beyond those that are shown. */
  more: number;
  /** Only what is not normal is shown. */
  isCut: boolean;
}

export interface OverviewModel {
  places: PlaceModel[];
  page: number;
  /** Some of it may be a moment old. */
  isSlow: boolean;
  hasNext: boolean;
  onCall: OnCallModel[];
  moreOnCall: number;
  unheard: UnheardModel[];
  hasMoreUnheard: boolean;
  /** null: it is being looked at. */
  gaps: GapsModel | null;
  /** Only while nothing is watched. */
  firstSteps: FirstStepsModel | null;
  timeZone: string;
  asOf: string;
}

interface OnCallModel {
  rotaId: number;
  rota: string;
  organizationName: string | null;
  /** null: nobody. */
  name: string | null;
  until: ShownTime | null;
}

interface UnheardModel {
  kind: Unheard['kind'];
  id: number;
  name: string;
  organizationName: string | null;
  /** null: its reader may not open it. */
  path: string | null;
  /** null: never. */
  last: ShownTime | null;
}

interface GapsModel {
  /** Groups that some unit notifies. */
  groups: number;
  shown: {
    key: string;
    group: string;
    organizationName: string | null;
    path: string | null;
    kind: 'nobody' | 'only_mail';
    from: ShownTime;
    until: ShownTime;
  }[];
  more: number;
}

const PLACES_A_PAGE = 16;
const MOST_PAGES = 1_000;
const MOST_ON_CALL = 12;
const MOST_UNHEARD = 12;
const MOST_GAPS = 12;
/** Sources that send once an hour are heard. */
const UNHEARD_MS = 75 * 60_000;

export const readPageNumber = (text: string | undefined): number =>
  text !== undefined && /^[1-9][0-9]{0,3}$/.test(text) ? Math.min(Number(text), MOST_PAGES) : 1;

export async function readOverview(
  { db, readUnits, lookForGaps }: { db: ReadDatabase; readUnits: ReadUnits; lookForGaps: LookForGaps },
  visitor: Visitor,
  page: number,
): Promise<OverviewModel> {
  const organizationIds = organizationIdsOf(visitor);
  const { now } = visitor;
  const since = new Date(now.getTime() - UNHEARD_MS);
  // It goes on while the units are read.
  const looking = lookForGaps(organizationIds, now);
  const [found, rotas, unheard] = await Promise.all([
    selectPlaces(db, organizationIds, {
      limit: PLACES_A_PAGE + 1,
      offset: (page - 1) * PLACES_A_PAGE,
      now,
    }),
    readRotas(db, organizationIds, now),
    selectUnheard(db, organizationIds, { since, limit: MOST_UNHEARD + 1, now }),
  ]);
  const listed = found.slice(0, PLACES_A_PAGE);
  const units = await readUnits(listed, now);
  const unitsOf = new Map(units.map((one) => [keyOf(one), one]));
  const gaps = await looking;
  const onCall = await inSlices(
    eachInTurn(rotas.slice(0, MOST_ON_CALL), (rota) => showOnCall(rota, visitor)),
  );
  return {
    places: listed.flatMap((place) => showPlace(place, unitsOf.get(keyOf(place)), visitor)),
    page,
    isSlow: units.some((one) => isLarge(countUnits(one))),
    hasNext: found.length > PLACES_A_PAGE,
    onCall,
    moreOnCall: Math.max(0, rotas.length - MOST_ON_CALL),
    unheard: unheard.slice(0, MOST_UNHEARD).map((one) => showUnheard(one, visitor)),
    hasMoreUnheard: unheard.length > MOST_UNHEARD,
    gaps: gaps && showGaps(gaps, visitor),
    firstSteps: listed.length === 0 && page === 1 ? await readFirstSteps(db, visitor) : null,
    timeZone: visitor.timezone,
    asOf: formatLocalInput(now, visitor.timezone).slice(11),
  };
}

/** Nothing where its last unit has left it meanwhile. */
function showPlace(place: ListedPlace, found: PlaceUnits | undefined, visitor: Visitor): PlaceModel[] {
  if (!found) return [];
  const { organizationId, locationId, name } = place;
  const total = countUnits(found);
  const notNormal = total - (found.counts.normal ?? 0);
  const isCut = found.units.length < total;
  const query = new URLSearchParams({ organization: String(organizationId) });
  if (locationId !== null) query.set('location', String(locationId));
  return [
    {
      placeId: keyOf(place),
      name,
      organizationName: organizationNameIn(visitor, organizationId),
      path: `/services?${query}`,
      counts: found.counts,
      total,
      units: found.units,
      more: isCut ? Math.max(0, notNormal - found.units.length) : 0,
      isCut,
    },
  ];
}

/** Whoever the rota itself says, as those who are notified are found. */
function showOnCall(stored: StoredRota, visitor: Visitor): OnCallModel {
  const { duty, until } = findDutyNow(toRota(stored), visitor.now);
  return {
    rotaId: stored.id,
    rota: stored.name,
    organizationName: organizationNameIn(visitor, stored.organizationId),
    name: stored.people.find(({ id }) => id === duty?.accountId)?.name ?? null,
    until: until && showTime(until, visitor),
  };
}

const isAdministratorOf = (visitor: Visitor, organizationId: OrganizationId): boolean =>
  canAdminister(roleIn(visitor, organizationId));

function showUnheard({ organizationId, lastAt, ...one }: Unheard, visitor: Visitor): UnheardModel {
  const source = isAdministratorOf(visitor, organizationId)
    ? settingsPath(`/settings/sources/${one.id}`, { id: organizationId })
    : null;
  return {
    ...one,
    organizationName: organizationNameIn(visitor, organizationId),
    path: one.kind === 'gateway' ? `/services/${one.id}` : source,
    last: lastAt && showTime(lastAt, visitor),
  };
}

function showGaps(groups: readonly GroupGaps[], visitor: Visitor): GapsModel {
  const gaps = groups.flatMap(({ groupId, groupName, organizationId, gaps: own }) =>
    own.map(({ kind, startAt, endAt }) => ({ groupId, groupName, organizationId, kind, startAt, endAt })),
  );
  // Nobody at all is worse than mail alone.
  const worst = gaps.toSorted(
    (one, other) =>
      Number(one.kind !== 'nobody') - Number(other.kind !== 'nobody') ||
      one.startAt.getTime() - other.startAt.getTime(),
  );
  return {
    groups: groups.length,
    shown: worst.slice(0, MOST_GAPS).map(({ groupId, groupName, organizationId, kind, startAt, endAt }) => ({
      key: `${groupId}-${startAt.getTime()}`,
      group: groupName,
      organizationName: organizationNameIn(visitor, organizationId),
      path: isAdministratorOf(visitor, organizationId) ? `/settings/groups/${groupId}` : null,
      kind,
      from: showTime(startAt, visitor),
      until: showTime(endAt, visitor),
    })),
    more: Math.max(0, gaps.length - MOST_GAPS),
  };
}
