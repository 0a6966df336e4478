// What to do at a unit and what is in it: said for the unit, for its template or for its location.
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { ok, type Result, refuse } from '../result.ts';
import { isStorable } from '../storable-text.ts';
import { MOST_PHONES, type PhonesFault, readPhones, writePhones } from './phones.ts';

export interface Guidance {
  /** As Markdown. */
  whatToDo: string | null;
  contents: string | null;
  owner: string | null;
  valueClass: string | null;
  /** One on each line. */
  phones: string | null;
}

export type GuidanceField = keyof Guidance;

/** The worst to lose first. */
export const VALUE_CLASSES = ['A', 'B', 'C'] as const;

export const GUIDANCE_FIELDS = {
  whatToDo: { title: message('What to do'), most: 4_000, word: 'what_to_do' },
  contents: { title: message('Contents'), most: 1_000, word: 'contents' },
  // For translators: of what is in a freezer
  owner: { title: message('Owner'), most: 200, word: 'owner' },
  // For translators: A, B or C: how bad it were to lose what is in a freezer
  valueClass: { title: message('Value class'), most: 1, word: 'value_class' },
  // For translators: whom to call; telephone numbers
  phones: { title: message('Phones'), most: 1_000, word: 'phones' },
} as const satisfies Record<GuidanceField, { title: string; most: number; word: string }>;

export const ALL_GUIDANCE_FIELDS = Object.keys(GUIDANCE_FIELDS) as GuidanceField[];

export const NO_GUIDANCE: Guidance = {
  whatToDo: null,
  contents: null,
  owner: null,
  valueClass: null,
  phones: null,
};

/** Of a field at a unit, the first of these that says something counts. */
export const GUIDANCE_LEVELS = ['service', 'template', 'location'] as const;
export type GuidanceLevel = (typeof GUIDANCE_LEVELS)[number];

export type FoundGuidance = {
  [Field in GuidanceField]: { value: string; from: GuidanceLevel } | null;
};

/** Field by field: a unit's own wins over its template's, and that over its location's. */
export function findGuidance(said: Record<GuidanceLevel, Guidance | null>): FoundGuidance {
  const find = (field: GuidanceField) => {
    for (const from of GUIDANCE_LEVELS) {
      const value = said[from]?.[field] ?? null;
      if (value !== null) return { value, from };
    }
    return null;
  };
  return Object.fromEntries(ALL_GUIDANCE_FIELDS.map((field) => [field, find(field)])) as FoundGuidance;
}

export const valuesOf = (found: FoundGuidance): Guidance =>
  Object.fromEntries(
    ALL_GUIDANCE_FIELDS.map((field) => [field, found[field]?.value ?? null]),
  ) as unknown as Guidance;

export type GuidanceFault = 'too_long' | 'not_a_class' | 'unstorable' | PhonesFault;

const GUIDANCE_FAULTS = {
  too_long: message('This is too long: at most {most, plural, one {# character} other {# characters}}.'),
  not_a_class: message('Choose A, B or C, or none.'),
  unstorable: message('There are characters in it that cannot be stored.'),
  not_a_phone: message('On each line write whom to call and the number, such as Porter: +49 30 1234.'),
  too_many_phones: message(
    'Give at most {most, plural, one {# number} other {# numbers}}, each on a line of its own.',
  ),
} as const satisfies Record<GuidanceFault, string>;

export interface RefusedGuidance {
  field: GuidanceField;
  fault: GuidanceFault;
}

export function sayGuidanceFault({ field, fault }: RefusedGuidance, { say }: Language): string {
  if (fault === 'too_long') return say(GUIDANCE_FAULTS.too_long, { most: GUIDANCE_FIELDS[field].most });
  if (fault === 'too_many_phones') return say(GUIDANCE_FAULTS.too_many_phones, { most: MOST_PHONES });
  return say(GUIDANCE_FAULTS[fault]);
}

export type TypedGuidance = { [Field in GuidanceField]?: string | null | undefined };

/** Blank is nothing said. */
export function readGuidance(typed: TypedGuidance): Result<Guidance, RefusedGuidance> {
  const read: Guidance = { ...NO_GUIDANCE };
  for (const field of ALL_GUIDANCE_FIELDS) {
    const value = readField(field, (typed[field] ?? '').replaceAll('\r\n', '\n').trim());
    if (!value.ok) return refuse({ field, fault: value.refusal });
    read[field] = value.value;
  }
  return ok(read);
}

function readField(field: GuidanceField, text: string): Result<string | null, GuidanceFault> {
  if (text === '') return ok(null);
  if (!isStorable(text)) return refuse('unstorable');
  if (field === 'valueClass')
    return VALUE_CLASSES.some((known) => known === text) ? ok(text) : refuse('not_a_class');
  if ([...text].length > GUIDANCE_FIELDS[field].most) return refuse('too_long');
  if (field !== 'phones') return ok(field === 'owner' ? text.replaceAll(/\s+/g, ' ') : text);
  const phones = readPhones(text);
  return phones.ok ? ok(writePhones(phones.value)) : phones;
}
