// One version of a rota: when it hands over, and whose turn it is from then on. The versions of a rota are in `rota.ts`.
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
export const MOST_HANDOVERS = 6;
export const MOST_MEMBERS = 50;

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
  const handovers = listHandovers(version, rotaZone);
  // With one handover a day a shift is whole; with several, each has its piece of every day.
  const stride = handovers.length === 1 ? daysOf(version) : 1;
  const begin = ({ at: clock, timeZone }: OwnHandover, k: number) =>
    instantAt(version.fromDate, clock, timeZone, k * stride).getTime();
  /** A handover in the hour that is skipped comes later, and then after the next one: it is none that day. */
  const isPassedOver = (handover: OwnHandover, k: number) =>
    handovers.some(
      (other) =>
        other.at > handover.at &&
        other.timeZone === handover.timeZone &&
        begin(other, k) <= begin(handover, k),
    );
  let held: { handover: OwnHandover; k: number; startMs: number } | null = null;
  let endMs = Number.POSITIVE_INFINITY;
  for (const handover of handovers) {
    let last = Math.floor((at.getTime() - begin(handover, 0)) / (stride * DAY_MS));
    while (begin(handover, last) > at.getTime()) last -= 1;
    while (begin(handover, last + 1) <= at.getTime()) last += 1;
    let next = last + 1;
    while (isPassedOver(handover, last)) last -= 1;
    while (isPassedOver(handover, next)) next += 1;
    const startMs = begin(handover, last);
    if (!held || startMs >= held.startMs) held = { handover, k: last, startMs };
    endMs = Math.min(endMs, begin(handover, next));
  }
  const { handover, k, startMs } = held as NonNullable<typeof held>;
  return {
    startAt: new Date(startMs),
    endAt: new Date(endMs),
    members: handover.members,
    turn: Math.floor((k * stride) / daysOf(version)),
  };
}

type OwnHandover = Handover & { timeZone: string };

const listHandovers = (version: RotaVersion, rotaZone: string): OwnHandover[] => {
  const timeZone = version.timeZone ?? rotaZone;
  return [
    { at: version.handover, timeZone, members: version.members },
    ...(version.further ?? []).map((one) => ({ ...one, timeZone: one.timeZone ?? timeZone })),
  ];
};
