// Beside the places: who is on call, what is not heard, and who would be reached.
import { organizationIdsOf, organizationNameIn, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { findDutyNow } from '../../domain/on-call/duties.ts';
import { readRotas, type StoredRota } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { selectUnheard, type Unheard } from './queries.ts';
import type { GroupGaps } from './remember-gaps.ts';

export interface BesideModel {
  onCall: OnCallModel[];
  moreOnCall: number;
  unheard: UnheardModel[];
  hasMoreUnheard: boolean;
  /** null: it is being looked at. */
  gaps: GapsModel | null;
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

const MOST_ON_CALL = 12;
const MOST_UNHEARD = 12;
const MOST_GAPS = 12;
/** Sources that send once an hour are heard. */
const UNHEARD_MS = 75 * 60_000;

export async function readBeside(
  db: ReadDatabase,
  visitor: Visitor,
  looking: Promise<readonly GroupGaps[] | null>,
): Promise<BesideModel> {
  const organizationIds = organizationIdsOf(visitor);
  const { now } = visitor;
  const since = new Date(now.getTime() - UNHEARD_MS);
  const [rotas, unheard] = await Promise.all([
    readRotas(db, organizationIds, now),
    selectUnheard(db, organizationIds, { since, limit: MOST_UNHEARD + 1, now }),
  ]);
  const onCall = await inSlices(
    eachInTurn(rotas.slice(0, MOST_ON_CALL), (rota) => showOnCall(rota, visitor)),
  );
  const gaps = await looking;
  return {
    onCall,
    moreOnCall: Math.max(0, rotas.length - MOST_ON_CALL),
    unheard: unheard.slice(0, MOST_UNHEARD).map((one) => showUnheard(one, visitor)),
    hasMoreUnheard: unheard.length > MOST_UNHEARD,
    gaps: gaps && showGaps(gaps, visitor),
  };
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
