// A refuge that takes in what is in another unit is opened often, and has more to lose: its door has half the time.
import type { JudgedLimits } from '../judging/judge.ts';

/** Such as a contact at a door, by its name. */
export const DOOR_NAME = 'door|tür|tuer|porte|puerta';
const IS_DOOR = /door|tür|tuer|porte|puerta/i;

export const isDoor = ({ name, kind }: { name: string; kind: string }): boolean =>
  kind === 'state' && IS_DOOR.test(name);

/** Nobody puts a rack in its place in less. */
const SHORTEST_MS = 60_000;

export const tighterTime = (sustainedMs: number): number =>
  Math.min(sustainedMs, Math.max(SHORTEST_MS, sustainedMs / 2));

/** The limits stay what they are: an edit that is made meanwhile is halved like what was there before. */
export const tightenDoor = (limits: JudgedLimits): JudgedLimits => ({
  ...limits,
  bands: limits.bands.map((band) => ({ ...band, sustainedMs: tighterTime(band.sustainedMs) })),
});
