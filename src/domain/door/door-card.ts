// What a door card shows to whoever stands at a unit, and how often they can say so.
import type { GuidanceField } from '../guidance/guidance.ts';
import { message } from '../language/message.ts';

/** What an organization may show beside the alarm itself, by the words of the lab file and the form. */
export const DOOR_PARTS = {
  names: message('The name of whoever has taken the alarm, and their comment'),
  what_to_do: message('What to do'),
  contents: message('Contents'),
  owner: message('Owner'),
  value_class: message('Value class'),
  phones: message('Phones'),
} as const;

export type DoorPart = keyof typeof DOOR_PARTS;

export const ALL_DOOR_PARTS = Object.keys(DOOR_PARTS) as DoorPart[];

/** What most would show: nothing about people or samples. */
export const USUAL_DOOR_PARTS: readonly DoorPart[] = ['what_to_do', 'phones'];

/** Each once, in one order. */
export const orderParts = (parts: readonly string[]): DoorPart[] =>
  ALL_DOOR_PARTS.filter((part) => parts.includes(part));

const FIELDS: [part: DoorPart, field: GuidanceField][] = [
  ['what_to_do', 'whatToDo'],
  ['contents', 'contents'],
  ['owner', 'owner'],
  ['value_class', 'valueClass'],
  ['phones', 'phones'],
];

export const fieldsOf = (parts: readonly DoorPart[]): GuidanceField[] =>
  FIELDS.filter(([part]) => parts.includes(part)).map(([, field]) => field);

const UNIT_MS = 5 * 60_000;
const ADDRESS_MS = 60 * 60_000;
const MOST_OF_ADDRESS = 10;

export interface Arrivals {
  /** The last one at the unit; null: none. */
  lastAt: Date | null;
  /** From the same address, within the last hour: how many, and the first. */
  fromAddress: number;
  firstFromAddressAt: Date | null;
}

export const addressWindowAt = (now: Date): Date => new Date(now.getTime() - ADDRESS_MS);

/** Until when nobody is told again that somebody is there; null: they may say so now. */
export function waitUntil(
  { lastAt, fromAddress, firstFromAddressAt }: Arrivals,
  now: Date,
): { until: Date; of: 'unit' | 'address' } | null {
  const unit = lastAt === null ? 0 : lastAt.getTime() + UNIT_MS;
  if (unit > now.getTime()) return { until: new Date(unit), of: 'unit' };
  if (fromAddress < MOST_OF_ADDRESS || firstFromAddressAt === null) return null;
  return { until: new Date(firstFromAddressAt.getTime() + ADDRESS_MS), of: 'address' };
}
