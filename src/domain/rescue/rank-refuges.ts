// Where what is in a failing unit goes: places that can take it now, the best first. What is not known to be well is never
// offered.
import { comparedPartsOf } from '../equipment/place-tree.ts';
import { findMissing, type Watching } from '../equipment/watching.ts';
import type { ServiceId } from '../ids.ts';
import type { Severity } from '../judging/severity.ts';
import { ALL_TEMPERATURE_CLASSES, type TemperatureClass } from './rescue.ts';

export interface Need {
  serviceId: ServiceId;
  temperatureClass: TemperatureClass;
  racks: number;
  locationName: string | null;
  /** Chosen by whoever knows the lab: ahead of others as cold, the first one first. */
  preferredIds: readonly ServiceId[];
}

export interface Refuge extends Watching {
  serviceId: ServiceId;
  name: string;
  locationName: string | null;
  temperatureClass: TemperatureClass | null;
  /** Beyond what is reserved. */
  freeRacks: number;
  severity: Severity;
  isStale: boolean;
  isMuted: boolean;
  isInDowntime: boolean;
  /** Since its last alarm; null: it never had one. */
  calmDays: number | null;
}

/** Within so many days an alarm of its own makes a refuge one that is not well. */
export const UNWELL_DAYS = 3;
/** Nobody looks further back. */
export const CALM_DAYS = 30;

/** A place as cold as that, or one step colder among those that freeze. */
export function apartOf(need: TemperatureClass, has: TemperatureClass | null): number | null {
  if (has === need) return 0;
  if (has === null || need === 'fridge' || need === 'incubator') return null;
  return ALL_TEMPERATURE_CLASSES.indexOf(need) - ALL_TEMPERATURE_CLASSES.indexOf(has) === 1 ? 1 : null;
}

/** In which it may go. */
export const classesFor = (need: TemperatureClass): TemperatureClass[] =>
  ALL_TEMPERATURE_CLASSES.filter((has) => apartOf(need, has) !== null);

const isWell = (one: Pick<Refuge, 'calmDays'>): boolean =>
  one.calmDays === null || one.calmDays >= UNWELL_DAYS;

/** Nobody reserves nothing. */
export const racksOf = ({ racks }: Pick<Need, 'racks'>): number => Math.max(1, racks);

/** Whatever is to go there. */
export const isFit = (one: Refuge): boolean =>
  one.severity === 'normal' &&
  !one.isStale &&
  !one.isMuted &&
  !one.isInDowntime &&
  findMissing(one).length === 0 &&
  isWell(one);

export const canTake = (need: Need, one: Refuge): boolean =>
  one.serviceId !== need.serviceId &&
  apartOf(need.temperatureClass, one.temperatureClass) !== null &&
  one.freeRacks >= racksOf(need) &&
  isFit(one);

/** Without an alarm for as long as anybody looks back. */
export const isSteady = ({ calmDays }: Pick<Refuge, 'calmDays'>): boolean =>
  (calmDays ?? CALM_DAYS) >= CALM_DAYS;

/**
 * 0 is the same room. Locations have names only: those that begin alike, such as `Building 2 / Floor 1`, are nearer to each
 * other the more of their parts they share.
 */
export function distanceOf(one: string | null, other: string | null): number {
  return distanceBetween(
    one === null ? null : comparedPartsOf(one),
    other === null ? null : comparedPartsOf(other),
  );
}

/** The same of names that were read already. */
export function distanceBetween(parts: readonly string[] | null, others: readonly string[] | null): number {
  if (parts === null || others === null) return FAR;
  if (parts.join('/') === others.join('/')) return 0;
  const shared = parts.findIndex((part, place) => part !== others[place]);
  const alike = shared < 0 ? parts.length : shared;
  return alike === 0 ? FAR : Math.min(FAR - 1, Math.max(parts.length, others.length) - alike);
}
const FAR = 9;

const placeAmong = (preferred: readonly ServiceId[], { serviceId }: Refuge): number => {
  const place = preferred.indexOf(serviceId);
  return place < 0 ? preferred.length : place;
};

/** By class, preference, health, distance and room; among equals the one that was there first. */
export function rankRefuges(need: Need, refuges: readonly Refuge[]): Refuge[] {
  const rank = (one: Refuge): number[] => [
    apartOf(need.temperatureClass, one.temperatureClass) ?? FAR,
    placeAmong(need.preferredIds, one),
    isSteady(one) ? 0 : 1,
    distanceOf(need.locationName, one.locationName),
    -one.freeRacks,
    one.serviceId,
  ];
  return refuges
    .filter((one) => canTake(need, one))
    .map((one) => ({ one, by: rank(one) }))
    .sort((first, second) => compareRanks(first.by, second.by))
    .map(({ one }) => one);
}

export const compareRanks = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, place) => value - (other[place] ?? 0)).find((difference) => difference !== 0) ?? 0;
