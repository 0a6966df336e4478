// Who is on call. A version never changes, so who was on call stays provable; a change is a new version.
import { addDays, daysBetween, instantAt, localDay } from './local-instant.ts';

export interface Rota {
  id: number;
  timeZone: string;
  /** In their order: the newest that has begun counts. */
  versions: readonly RotaVersion[];
  /** Oldest first: of several the newest counts. */
  standIns: readonly StandIn[];
  /** Accounts that can be told: who left passes the shift to the next. */
  present: ReadonlySet<number>;
}

export interface RotaVersion {
  version: number;
  /** The local day of its first handover: `2026-11-16`. */
  fromDate: string;
  /** `08:00` */
  handover: string;
  every: 'day' | 'week';
  /** So many days or weeks is a shift. */
  length: number;
  members: readonly number[];
}

export interface StandIn {
  id: number;
  startAt: Date;
  endAt: Date;
  accountId: number;
  insteadOfId: number | null;
}

export interface Shift {
  startAt: Date;
  endAt: Date;
  /** Whose turn it is; null: none of its members can be told. */
  memberId: number | null;
  version: RotaVersion;
}

export interface Duty {
  accountId: number;
  standIn: StandIn | null;
}

export const SHIFT_UNITS = ['day', 'week'] as const;
export const LONGEST_SHIFT = 12;

const DAYS = { day: 1, week: 7 } as const;

/** The k-th handover of a version. It never falls with k, whatever the zone does to its clocks. */
export const findHandover = (version: RotaVersion, timeZone: string, k: number): Date =>
  instantAt(version.fromDate, version.handover, timeZone, k * version.length * DAYS[version.every]);

export const startOf = (version: RotaVersion, timeZone: string): Date => findHandover(version, timeZone, 0);

/** Whoever looks ahead asks about the same shift again and again, and a calendar is slow. */
const lastShifts = new WeakMap<Rota, Shift>();

/** null: before the first version. */
export function findShift(rota: Rota, at: Date): Shift | null {
  const last = lastShifts.get(rota);
  if (last && last.startAt <= at && at < last.endAt) return last;
  const shift = workOutShift(rota, at);
  if (shift) lastShifts.set(rota, shift);
  return shift;
}

function workOutShift(rota: Rota, at: Date): Shift | null {
  const { versions, timeZone, present } = rota;
  const index = versions.findLastIndex((one) => startOf(one, timeZone) <= at);
  const version = versions[index];
  if (!version) return null;
  const days = version.length * DAYS[version.every];
  let k = Math.max(0, Math.floor(daysBetween(version.fromDate, localDay(at, timeZone)) / days));
  while (k > 0 && findHandover(version, timeZone, k) > at) k -= 1;
  while (findHandover(version, timeZone, k + 1) <= at) k += 1;
  const later = versions.slice(index + 1).map((one) => startOf(one, timeZone));
  return {
    startAt: findHandover(version, timeZone, k),
    endAt: earliestOf([findHandover(version, timeZone, k + 1), ...later]) as Date,
    memberId: findMember(version, k, present),
    version,
  };
}

function findMember({ members }: RotaVersion, k: number, present: ReadonlySet<number>): number | null {
  for (let passed = 0; passed < members.length; passed += 1) {
    const member = members[(k + passed) % members.length];
    if (member !== undefined && present.has(member)) return member;
  }
  return null;
}

/** Who is on call at that moment; null: nobody is. */
export function findDuty(rota: Rota, at: Date): Duty | null {
  const standIn = rota.standIns.findLast(
    ({ startAt, endAt, accountId }) => startAt <= at && at < endAt && rota.present.has(accountId),
  );
  if (standIn) return { accountId: standIn.accountId, standIn };
  const memberId = findShift(rota, at)?.memberId ?? null;
  return memberId === null ? null : { accountId: memberId, standIn: null };
}

/** When somebody else may come on duty; null: never. */
export function findDutyEdge(rota: Rota, at: Date): Date | null {
  const shift = findShift(rota, at);
  const handovers = shift ? [shift.endAt] : rota.versions.map((one) => startOf(one, rota.timeZone));
  const standIns = rota.standIns.flatMap(({ startAt, endAt }) => [startAt, endAt]);
  return earliestOf([...handovers, ...standIns].filter((edge) => edge > at));
}

const earliestOf = (instants: readonly Date[]): Date | null =>
  instants.length === 0 ? null : new Date(Math.min(...instants.map((at) => at.getTime())));

export interface DutySpan {
  startAt: Date;
  endAt: Date;
  /** null: nobody. */
  duty: Duty | null;
}

/** From one edge to the next, without spans in which the same goes on. */
export function listDuties(rota: Rota, from: Date, until: Date): DutySpan[] {
  const spans: DutySpan[] = [];
  let at = from;
  while (at < until) {
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

/** Of what is still to come: those that stand in for somebody who has another turn by now. */
export const findStrayStandIns = (rota: Rota, now: Date): StandIn[] =>
  rota.standIns.filter(
    ({ startAt, endAt, insteadOfId }) =>
      endAt > now &&
      insteadOfId !== null &&
      !listShifts(rota, startAt > now ? startAt : now, endAt).some(
        ({ memberId }) => memberId === insteadOfId,
      ),
  );

/** Those that are under way or begin in between. */
export function listShifts(rota: Rota, from: Date, until: Date): Shift[] {
  const shifts: Shift[] = [];
  for (let at = from; at < until; ) {
    const shift = findShift(rota, at);
    if (!shift) break;
    shifts.push(shift);
    at = shift.endAt;
  }
  return shifts;
}

/** The local day on which a change takes effect: that of the next handover, or today where there is none yet. */
export function findChangeDay(rota: Rota, now: Date): string {
  const last = rota.versions.at(-1);
  if (!last) return localDay(now, rota.timeZone);
  const begins = startOf(last, rota.timeZone);
  if (begins > now) return last.fromDate;
  const days = last.length * DAYS[last.every];
  let k = Math.max(0, Math.floor(daysBetween(last.fromDate, localDay(now, rota.timeZone)) / days));
  while (findHandover(last, rota.timeZone, k) <= now) k += 1;
  return addDays(last.fromDate, k * days);
}
