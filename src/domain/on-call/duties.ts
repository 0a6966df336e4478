// What is to come on a rota, never further than somebody can read.
import {
  type Duty,
  earliestOf,
  findDuty,
  findDutyEdge,
  findShift,
  type Rota,
  type Shift,
  type StandIn,
} from './rota.ts';

export interface DutySpan {
  startAt: Date;
  endAt: Date;
  /** null: nobody. */
  duty: Duty | null;
}

/** Weeks of a rota with all the handovers that a day may have; what comes after is left out. */
const MOST_LISTED = 600;

/** From one edge to the next, without spans in which the same goes on. */
export function listDuties(rota: Rota, from: Date, until: Date): DutySpan[] {
  const spans: DutySpan[] = [];
  let at = from;
  for (let looked = 0; at < until && looked < MOST_LISTED; looked += 1) {
    const edge = findDutyEdge(rota, at);
    const endAt = edge && edge < until ? edge : until;
    const duty = findDuty(rota, at);
    const last = spans.at(-1);
    if (last && last.duty?.accountId === duty?.accountId && last.duty?.standIn === duty?.standIn)
      last.endAt = endAt;
    else spans.push({ startAt: at, endAt, duty });
    at = endAt;
  }
  return spans;
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
  const shifts = listShifts(rota, now, new Date(Math.max(...meant.map(({ endAt }) => endAt.getTime()))));
  const seenUntil = shifts.at(-1)?.endAt ?? now;
  return meant.filter(
    (one) =>
      // Of what is too far away nobody says that it is wrong.
      (one.endAt <= seenUntil || shifts.length < MOST_LISTED) &&
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
