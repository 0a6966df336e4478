// What is to come on a rota, never further than somebody can read.
import { type Duty, earliestOf, findDuty, findDutyEdge, findShift, type Rota, type Shift } from './rota.ts';
import type { StandIn } from './stand-in-cover.ts';

export interface DutySpan {
  startAt: Date;
  endAt: Date;
  /** null: nobody. */
  duty: Duty | null;
}

/** Weeks of a rota with all the handovers that a day may have; what comes after is left out. */
const MOST_LISTED = 600;
/** A year by the week, a month by watches. */
const MOST_COMPARED = 200;

/** From one edge to the next, as far as somebody asks. */
function* walkDuties(rota: Rota, from: Date, until: Date): Generator<DutySpan, void> {
  let at = from;
  for (let looked = 0; at < until && looked < MOST_LISTED; looked += 1) {
    const edge = findDutyEdge(rota, at);
    const endAt = edge && edge < until ? edge : until;
    yield { startAt: at, endAt, duty: findDuty(rota, at) };
    at = endAt;
  }
}

/** Without spans in which the same goes on. */
export function listDuties(rota: Rota, from: Date, until: Date): DutySpan[] {
  const spans: DutySpan[] = [];
  for (const span of walkDuties(rota, from, until)) {
    const last = spans.at(-1);
    if (last && last.duty?.accountId === span.duty?.accountId && last.duty?.standIn === span.duty?.standIn)
      last.endAt = span.endAt;
    else spans.push(span);
  }
  return spans;
}

export interface BegunDuty {
  accountId: number;
  /** Who was on call until then; null: nobody was. */
  before: number | null;
  startAt: Date;
  /** Who stands in for himself, or is next again, goes on. */
  endAt: Date;
}

/** Whoever is on call at that moment, and came on since; null: nobody is, or did. */
export function findBegunDuty(
  rota: Rota,
  { since, now, until }: { since: Date; now: Date; until: Date },
): BegunDuty | null {
  let current: DutySpan | null = null;
  let before: DutySpan | null = null;
  for (const span of walkDuties(rota, since, until)) {
    if (current && current.duty?.accountId === span.duty?.accountId) current.endAt = span.endAt;
    else if (current && current.endAt > now) break;
    else {
      before = current;
      current = span;
    }
  }
  // What began before it was looked at is no beginning.
  if (!current?.duty || !before || current.endAt <= now) return null;
  const { startAt, endAt, duty } = current;
  return { accountId: duty.accountId, before: before.duty?.accountId ?? null, startAt, endAt };
}

/** Those that are under way or begin in between. */
export function listShifts(rota: Rota, from: Date, until: Date, most = MOST_LISTED): Shift[] {
  const shifts: Shift[] = [];
  for (let at = from; at < until && shifts.length < most; ) {
    const shift = findShift(rota, at);
    if (!shift) break;
    shifts.push(shift);
    at = shift.endAt;
  }
  return shifts;
}

/** Of what is still to come: those that stand in for somebody who has another turn by now. */
export function findStrayStandIns(rota: Rota, now: Date): StandIn[] {
  const meant = rota.standIns.filter(({ endAt, insteadOfId }) => endAt > now && insteadOfId !== null);
  if (meant.length === 0) return [];
  const lastEnd = meant.reduce((latest, { endAt }) => (endAt > latest ? endAt : latest), now);
  const shifts = listShifts(rota, now, lastEnd, MOST_COMPARED);
  const seenUntil = shifts.at(-1)?.endAt ?? now;
  return meant.filter(
    (one) =>
      // Of what is too far away nobody says that it is wrong.
      (one.endAt <= seenUntil || shifts.length < MOST_COMPARED) &&
      !shifts.some(
        ({ memberId, startAt, endAt }) =>
          memberId === one.insteadOfId && startAt < one.endAt && endAt > one.startAt,
      ),
  );
}

export interface DutyNow {
  duty: Duty | null;
  /** When the shift or the stand-in began; null: nobody is on call. */
  since: Date | null;
  /** When the shift or the stand-in is over, or another stand-in begins; null: nothing is to come. */
  until: Date | null;
  next: Duty | null;
}

export function findDutyNow(rota: Rota, now: Date): DutyNow {
  const duty = findDuty(rota, now);
  const until = duty ? findEnd(rota, duty, now) : findDutyEdge(rota, now);
  const next = until && findDuty(rota, until);
  const since = duty && (duty.standIn ?? findShift(rota, now))?.startAt;
  return { duty, since: since ?? null, until, next };
}

/** Only a newer stand-in takes the place of another. */
function findEnd(rota: Rota, { standIn }: Duty, now: Date): Date | null {
  const newer = rota.standIns.slice(standIn ? rota.standIns.indexOf(standIn) + 1 : 0);
  const begins = newer.filter(({ startAt, accountId }) => startAt > now && rota.present.has(accountId));
  const own = (standIn ?? findShift(rota, now))?.endAt;
  return earliestOf([...(own ? [own] : []), ...begins.map(({ startAt }) => startAt)]);
}
