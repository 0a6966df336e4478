// What the page of the alarms shows, of those that its address asks for.
import { organizationIdsOf, organizationNameIn } from '../../domain/accounts/requester.ts';
import { listBranches } from '../../domain/equipment/place-tree.ts';
import { formatLocalInput } from '../../domain/local-time.ts';
import { listPlace } from '../../domain/words/place.ts';
import { selectOfferedTo } from '../../engine/outbox/hand-overs.ts';
import { readFirstSteps, readMissingSteps } from '../../engine/pages/first-steps.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { ActiveAlarm } from './active-alarm.ts';
import { type AlarmFilter, isFiltered, isOfSeverity, isWithin, SEVERITIES } from './alarm-filter.ts';
import { MANY } from './fold-rows.ts';
import { listAlarms } from './list-alarms.ts';
import {
  countInDowntime,
  selectLocation,
  selectNextEdge,
  selectSourceNames,
  selectWatch,
} from './page-queries.ts';
import type { BoardModel } from './page-view.tsx';
import type { CountUnwatched } from './remember-unwatched.ts';
import { type AlarmRowModel, toRows } from './row-model.ts';

interface BoardDeps {
  db: ReadDatabase;
  countUnwatched: CountUnwatched;
}

/** Fewer are seen at a glance. */
const FEW_ALARMS = 6;

export async function loadBoard(
  { db, countUnwatched }: BoardDeps,
  visitor: Visitor,
  filter: AlarmFilter,
): Promise<BoardModel> {
  const { timezone, now } = visitor;
  const organizationIds = organizationIdsOf(visitor);
  const listed = await listAlarms(db, visitor, now);
  const all = listed.ok ? listed.value : [];
  const offered = new Set<number>(filter.isMine ? await selectOfferedTo(db, visitor.accountId) : []);
  const within = all.filter((alarm) => isWithin(alarm, filter, { accountId: visitor.accountId, offered }));
  const shown = within.filter((alarm) => isOfSeverity(alarm, filter));
  const watch = all.length === 0 ? await selectWatch(db, organizationIds) : null;
  const last = watch?.lastTelemetryAt;
  const firstSteps = watch?.services === 0 ? await readFirstSteps(db, visitor) : null;
  const nextEdge = await selectNextEdge(db, organizationIds, now);
  return {
    alarms: await withSources(db, shown, await toRows(db, shown, visitor, visitor)),
    total: all.length,
    filter,
    choices:
      isFiltered(filter) || all.length > FEW_ALARMS ? await listChoices(db, all, filter, visitor) : null,
    counts: SEVERITIES.map((severity) => ({
      severity,
      count: within.filter((alarm) => alarm.severity === severity).length,
    })),
    inDowntime: await countInDowntime(db, organizationIds, now),
    unwatched: await countUnwatched(organizationIds, { isBesideAlarms: all.length > 0, now }),
    watch: watch && {
      services: watch.services,
      last: last ? { at: showTime(last, visitor), agoMs: now.getTime() - last.getTime() } : null,
    },
    firstSteps,
    missingSteps: firstSteps ? null : await readMissingSteps(db, visitor),
    timeZone: timezone,
    asOf: formatLocalInput(now, timezone).slice(11),
    renewInMs: nextEdge && nextEdge.getTime() - now.getTime(),
  };
}

/** Of many that are stale it is worth knowing what they have in common. */
async function withSources(
  db: ReadDatabase,
  alarms: readonly ActiveAlarm[],
  rows: AlarmRowModel[],
): Promise<AlarmRowModel[]> {
  const stale = alarms.flatMap(({ serviceId, severity }) => (severity === 'stale' ? serviceId : []));
  if (stale.length < MANY) return rows;
  const names = await selectSourceNames(db, stale);
  return rows.map((row) => ({ ...row, sourceName: names.get(row.serviceId) ?? null }));
}

/** Places with alarms, and the one that was asked for. */
async function listChoices(
  db: ReadDatabase,
  alarms: readonly ActiveAlarm[],
  { locationId: asked }: AlarmFilter,
  visitor: Visitor,
): Promise<NonNullable<BoardModel['choices']>> {
  const locations = new Map<number, string>();
  for (const { locationId, organizationName, locationName } of alarms)
    if (locationId !== null)
      locations.set(locationId, listPlace({ organizationName, locationName }).join(' · '));
  const own = organizationIdsOf(visitor);
  const missing = asked !== null && !locations.has(asked) ? await selectLocation(db, asked, own) : null;
  if (missing) {
    const organizationName = organizationNameIn(visitor, missing.organizationId);
    locations.set(missing.id, listPlace({ organizationName, locationName: missing.name }).join(' · '));
  }
  const names = [...alarms.map(({ locationName }) => locationName), missing?.name].filter(
    (name) => name != null,
  );
  return {
    organizations: visitor.memberships.map(({ organizationId, organizationName }) => [
      organizationId,
      organizationName,
    ]),
    locations: [...locations].sort(([, one], [, other]) => one.localeCompare(other, visitor.language.tag)),
    branches: listBranches(names),
  };
}
