// From windows to the days and rows of the page.

import { organizationNameIn, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import { formatLocalDay, formatLocalInput } from '../../domain/local-time.ts';
import { listPlace, nameWithPlace } from '../../domain/words/place.ts';
import type { ScheduleFormModel, ScheduleValues } from '../../engine/pages/schedule-form.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import { inSlices } from '../../platform/in-slices.ts';
import {
  type ListedWindow,
  selectComingWindows,
  selectPastWindows,
  selectServiceChoices,
  selectWindowsNow,
} from './page-queries.ts';
import type { Day, DowntimeBoardModel } from './page-view.tsx';
import type { DowntimeRowModel } from './views.tsx';

const PAST_PER_PAGE = 25;
const MOST_CHOICES = 100;

export async function loadBoard(
  db: ReadDatabase,
  visitor: Visitor,
  page: number,
): Promise<DowntimeBoardModel> {
  const organizationIds = visitor.memberships.map(({ organizationId }) => organizationId);
  const { timezone, now } = visitor;
  const span = { skip: (page - 1) * PAST_PER_PAGE, take: PAST_PER_PAGE };
  const past = await selectPastWindows(db, organizationIds, span, now);
  const toDays = (windows: ListedWindow[], isOver = false) =>
    inSlices(groupByDay(windows, visitor, (window) => showWindow(window, visitor, isOver)));
  const present = await selectWindowsNow(db, organizationIds, now);
  const coming = await selectComingWindows(db, organizationIds, now);
  const edges = [...present.map(({ endAt }) => endAt), ...coming.map(({ startAt }) => startAt)];
  return {
    timeZone: timezone,
    asOf: formatLocalInput(now, timezone).slice(11),
    renewInMs: edges.length === 0 ? null : Math.min(...edges.map(Number)) - now.getTime(),
    now: await toDays(present),
    coming: await toDays(coming),
    past: await toDays(past.slice(0, PAST_PER_PAGE), true),
    page,
    hasOlder: past.length > PAST_PER_PAGE,
  };
}

export function showWindow(window: ListedWindow, visitor: Visitor, isOver: boolean): DowntimeRowModel {
  const {
    id,
    serviceId,
    serviceName,
    locationName,
    startAt,
    endAt,
    reason,
    createdByName,
    otherStartAt,
    otherEndAt,
  } = window;
  const organizationName = organizationNameIn(visitor, window.organizationId);
  const place = { organizationName, locationName };
  const [from, until] = [otherStartAt, otherEndAt].map((at) => at && showTime(at, visitor).label);
  return {
    id,
    serviceId,
    serviceName,
    fullName: nameWithPlace(serviceName, place),
    place: listPlace(place),
    start: showTime(startAt, visitor),
    end: showTime(endAt, visitor),
    reason,
    overlap:
      from && until
        ? visitor.language.say('Overlaps with another window, from {from} until {until}', { from, until })
        : null,
    createdByName,
    canCancel: !isOver && canOperate(roleIn(visitor, window.organizationId)),
  };
}

/** In the order they come, under the day on which each starts. */
/** Stops after each window. */
function* groupByDay(
  windows: ListedWindow[],
  { timezone, language }: Reader,
  show: (window: ListedWindow) => DowntimeRowModel,
): Generator<void, Day[]> {
  const days = new Map<string, DowntimeRowModel[]>();
  for (const window of windows) {
    const label = formatLocalDay(window.startAt, timezone, language);
    const rows = days.get(label) ?? [];
    rows.push(show(window));
    days.set(label, rows);
    yield;
  }
  return [...days].map(([label, rows]) => ({ label, rows }));
}

/** null: the visitor operates nothing. */
export async function loadForm(
  db: ReadDatabase,
  visitor: Visitor,
  { search, values }: { search: string; values: ScheduleValues },
): Promise<ScheduleFormModel | null> {
  const organizationIds = visitor.memberships
    .filter(({ role }) => canOperate(role))
    .map(({ organizationId }) => organizationId);
  if (organizationIds.length === 0) return null;
  const wantedId = /^[0-9]{1,9}$/.test(values.service_id) ? Number(values.service_id) : null;
  const found = await selectServiceChoices(db, organizationIds, { search, wantedId, most: MOST_CHOICES + 1 });
  const isLong = found.length > MOST_CHOICES || search !== '';
  return {
    search: isLong ? search : null,
    services: found.slice(0, MOST_CHOICES).map(({ id, name, organizationId, locationName }) => {
      const organizationName = organizationNameIn(visitor, organizationId);
      return { id, label: nameWithPlace(name, { organizationName, locationName }) };
    }),
    values,
  };
}
