// One version of a rota: when it hands over, and whose turn it is from then on. The versions of a rota are in `rota.ts`.
import { MOSTS } from '../mosts.ts';
import { instantAt } from './local-instant.ts';

export interface RotaVersion {
  version: number;
  /** The local day from which turns are counted: `2026-11-16`. */
  fromDate: string;
  /** From when on it counts, also in the midst of a shift; left out: from the first handover of that day. */
  beginsAt?: Date | null;
  /** Left out: that of the rota. */
  timeZone?: string | null;
  /** `08:00` */
  handover: string;
  every: 'day' | 'week';
  /** Turns change after so many days or weeks. */
  length: number;
  members: readonly number[];
  /** Others of the same day, each with people of its own: a rota that follows the sun. */
  further?: readonly Handover[];
}

export interface Handover {
  at: string;
  /** Left out: that of the version. */
  timeZone?: string | null;
  members: readonly number[];
}

export const SHIFT_UNITS = ['day', 'week'] as const;
export const LONGEST_SHIFT = 12;
/** Every four hours: no watch is shorter. */
export const MOST_HANDOVERS = MOSTS.handovers.most;
export const MOST_MEMBERS = MOSTS.rotaMembers.most;

const DAYS = { day: 1, week: 7 } as const;
const DAY_MS = 24 * 60 * 60_000;

const daysOf = ({ every, length }: RotaVersion): number => length * DAYS[every];

/** The k-th handover to its members. It never falls with k, whatever the zone does to its clocks. */
export const findHandover = (version: RotaVersion, timeZone: string, k: number): Date =>
  instantAt(version.fromDate, version.handover, version.timeZone ?? timeZone, k * daysOf(version));

export const startOf = (version: RotaVersion, timeZone: string): Date =>
  version.beginsAt ?? findHandover(version, timeZone, 0);

export interface Piece {
  startAt: Date;
  endAt: Date;
  members: readonly number[];
  /** Counted from the first; it may be below zero where the version began before its first handover. */
  turn: number;
}

/** What of a version holds at that moment: of all its handovers the one that came last. */
export function findPiece(version: RotaVersion, rotaZone: string, at: Date): Piece {
  const { handovers, stride, begin, isPassedOver } = openTimeline(version, rotaZone);
  const atMs = at.getTime();
  let held = { line: 0, k: 0, startMs: Number.NEGATIVE_INFINITY };
  let endMs = Number.POSITIVE_INFINITY;
  for (let line = 0; line < handovers.length; line += 1) {
    let last = Math.floor((atMs - begin(line, 0)) / (stride * DAY_MS));
    while (begin(line, last) > atMs) last -= 1;
    while (begin(line, last + 1) <= atMs) last += 1;
    let next = last + 1;
    while (isPassedOver(line, last)) last -= 1;
    while (isPassedOver(line, next)) next += 1;
    const startMs = begin(line, last);
    if (startMs >= held.startMs) held = { line, k: last, startMs };
    endMs = Math.min(endMs, begin(line, next));
  }
  return {
    startAt: new Date(held.startMs),
    endAt: new Date(endMs),
    members: handovers[held.line]?.members ?? [],
    turn: Math.floor((held.k * stride) / daysOf(version)),
  };
}

type OwnHandover = Handover & { timeZone: string };

interface Timeline {
  rotaZone: string;
  handovers: OwnHandover[];
  /** So many days later its handovers come again. */
  stride: number;
  /** In milliseconds, of a handover by its place among those of the day. */
  begin: (line: number, k: number) => number;
  isPassedOver: (line: number, k: number) => boolean;
}

/** Whoever looks ahead asks about the same days again and again, and a calendar is slow. */
const timelines = new WeakMap<RotaVersion, Timeline>();

function openTimeline(version: RotaVersion, rotaZone: string): Timeline {
  const known = timelines.get(version);
  if (known?.rotaZone === rotaZone) return known;
  const handovers = listHandovers(version, rotaZone);
  // With one handover a day a shift is whole; with several, each has its piece of every day.
  const stride = handovers.length === 1 ? daysOf(version) : 1;
  const begin = recall((line, k) => {
    const { at, timeZone } = handovers[line] as OwnHandover;
    return instantAt(version.fromDate, at, timeZone, k * stride).getTime();
  });
  /** A handover in the hour that is skipped comes later, and then after the next one: it is none that day. */
  const isPassedOver = recall((line, k) => {
    const { at, timeZone } = handovers[line] as OwnHandover;
    return handovers.some(
      (other, place) => other.at > at && other.timeZone === timeZone && begin(place, k) <= begin(line, k),
    );
  });
  const timeline = { rotaZone, handovers, stride, begin, isPassedOver };
  timelines.set(version, timeline);
  return timeline;
}

function recall<Value>(work: (line: number, k: number) => Value): (line: number, k: number) => Value {
  const known = new Map<number, Value>();
  return (line, k) => {
    const key = k * MOST_HANDOVERS + line;
    const found = known.get(key) ?? work(line, k);
    known.set(key, found);
    return found;
  };
}

function listHandovers(version: RotaVersion, rotaZone: string): OwnHandover[] {
  const timeZone = version.timeZone ?? rotaZone;
  return [
    { at: version.handover, timeZone, members: version.members },
    ...(version.further ?? []).map((one) => ({ ...one, timeZone: one.timeZone ?? timeZone })),
  ];
}
