// Who is on call. A version never changes, so who was on call stays provable; a change is a new version.
import { instantAt, localDay } from './local-instant.ts';
import { findPiece, type RotaVersion, startOf } from './rota-version.ts';
import { type Cover, coverBy, type StandIn } from './stand-in-cover.ts';

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

export const LONGEST_STAND_IN_DAYS = 366;

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

function workOutShift({ versions, timeZone, present }: Rota, at: Date): Shift | null {
  const index = versions.findLastIndex((one) => startOf(one, timeZone) <= at);
  const version = versions[index];
  if (!version) return null;
  const piece = findPiece(version, timeZone, at);
  const begins = startOf(version, timeZone);
  const later = versions.slice(index + 1).map((one) => startOf(one, timeZone));
  return {
    startAt: piece.startAt > begins ? piece.startAt : begins,
    endAt: earliestOf([piece.endAt, ...later]) as Date,
    memberId: findMember(piece, present),
    version,
  };
}

function findMember(
  { members, turn }: { members: readonly number[]; turn: number },
  present: ReadonlySet<number>,
): number | null {
  const count = members.length;
  for (let passed = 0; passed < count; passed += 1) {
    const member = members[(((turn + passed) % count) + count) % count];
    if (member !== undefined && present.has(member)) return member;
  }
  return null;
}

const covers = new WeakMap<Rota, Cover>();

function coverOf(rota: Rota): Cover {
  const cover = covers.get(rota) ?? coverBy(rota.standIns, rota.present);
  covers.set(rota, cover);
  return cover;
}

/** Who is on call at that moment; null: nobody is. */
export function findDuty(rota: Rota, at: Date): Duty | null {
  const standIn = coverOf(rota).find(at);
  if (standIn) return { accountId: standIn.accountId, standIn };
  const memberId = findShift(rota, at)?.memberId ?? null;
  return memberId === null ? null : { accountId: memberId, standIn: null };
}

/** When somebody else may come on duty; null: never. */
export function findDutyEdge(rota: Rota, at: Date): Date | null {
  const shift = findShift(rota, at);
  const handovers = shift ? [shift.endAt] : rota.versions.map((one) => startOf(one, rota.timeZone));
  let earliest = coverOf(rota).findEdge(at) ?? Number.POSITIVE_INFINITY;
  for (const handover of handovers) {
    const edge = handover.getTime();
    if (edge > at.getTime() && edge < earliest) earliest = edge;
  }
  return earliest === Number.POSITIVE_INFINITY ? null : new Date(earliest);
}

export const earliestOf = (instants: readonly Date[]): Date | null =>
  instants.length === 0 ? null : new Date(Math.min(...instants.map((at) => at.getTime())));

/**
 * From when on a new version counts, and the day from which its turns do. A first one counts from now on, another one
 * from the next handover: none changes who has been on call.
 */
export function placeVersion(
  rota: Rota | null,
  { handover, timeZone, from }: { handover: string; timeZone: string; from: string | null },
  now: Date,
): { fromDate: string; beginsAt: Date } {
  if (from !== null) {
    const first = instantAt(from, handover, timeZone);
    return { fromDate: from, beginsAt: first > now ? first : now };
  }
  const beginsAt = rota ? findNextHandover(rota, now) : now;
  return { fromDate: localDay(beginsAt, timeZone), beginsAt };
}

function findNextHandover(rota: Rota, now: Date): Date {
  const last = rota.versions.at(-1);
  if (!last) return now;
  const begins = startOf(last, rota.timeZone);
  return begins > now ? begins : (findShift(rota, now)?.endAt ?? now);
}
