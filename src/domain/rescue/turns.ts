// Whose turn it is where several units of a room are in alarm.
import type { VALUE_CLASSES } from '../guidance/guidance.ts';
import { compareRanks, type Need } from './rank-refuges.ts';

export interface UnitToEmpty extends Need {
  name: string;
  /** 1: it is emptied first; null: nobody said so. */
  rescueOrder: number | null;
  valueClass: (typeof VALUE_CLASSES)[number] | null;
  /** Until what is inside suffers; null: nobody can tell. */
  leftMs: number | null;
}

export interface RescueTurn {
  place: number;
  count: number;
  /** Whose turn is right before; null: it is the first. */
  after: string | null;
}

const rankOf = ({ rescueOrder, valueClass, leftMs, serviceId }: UnitToEmpty): number[] => [
  rescueOrder ?? Number.MAX_VALUE,
  valueClass === null ? CLASSES.length : CLASSES.indexOf(valueClass),
  leftMs ?? Number.MAX_VALUE,
  serviceId,
];
const CLASSES = ['A', 'B', 'C'] satisfies (typeof VALUE_CLASSES)[number][];

/** By the order that was said, then by what would be the worst to lose, then by what suffers first. */
export const inOrderOfRescue = <One extends UnitToEmpty>(waiting: readonly One[]): One[] =>
  waiting.toSorted((one, other) => compareRanks(rankOf(one), rankOf(other)));

/** Those of which only the time that is left can say who comes first. */
export const findTied = <One extends Omit<UnitToEmpty, 'leftMs'>>(waiting: readonly One[]): One[] => {
  const isTied = (one: One) =>
    waiting.some(
      (other) =>
        other.serviceId !== one.serviceId &&
        other.rescueOrder === one.rescueOrder &&
        other.valueClass === one.valueClass,
    );
  return waiting.filter(isTied);
};

/** null: it waits with nobody. */
export function findTurn(inOrder: readonly UnitToEmpty[], serviceId: number): RescueTurn | null {
  const place = inOrder.findIndex((one) => one.serviceId === serviceId);
  if (place < 0 || inOrder.length < 2) return null;
  return { place: place + 1, count: inOrder.length, after: inOrder[place - 1]?.name ?? null };
}
