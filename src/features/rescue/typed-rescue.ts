// The fields of a form, by the words that the interface and the lab file have for them too.
import { MOST_PREFERRED, PREFERRED } from '../../domain/rescue/preferred-refuges.ts';
import {
  RESCUE_FIELDS,
  type Rescue,
  type RescueField,
  type TypedRescue,
} from '../../domain/rescue/rescue.ts';

const ALL_FIELDS = Object.keys(RESCUE_FIELDS) as RescueField[];

export const readTyped = (form: Record<string, string | undefined>): TypedRescue =>
  Object.fromEntries(ALL_FIELDS.map((field) => [field, form[RESCUE_FIELDS[field].word]]));

export const toTyped = (rescue: Rescue): TypedRescue =>
  Object.fromEntries(ALL_FIELDS.map((field) => [field, rescue[field] === null ? '' : String(rescue[field])]));

export const fillFields = (typed: TypedRescue): Record<RescueField, string> =>
  Object.fromEntries(ALL_FIELDS.map((field) => [field, typed[field] ?? ''])) as Record<RescueField, string>;

/** A field each on a page. */
export const PREFERRED_FIELDS = Array.from(
  { length: MOST_PREFERRED },
  (_, place) => `${PREFERRED.word}_${place + 1}`,
);

export const readTypedPreferred = (form: Record<string, string | undefined>): string[] =>
  PREFERRED_FIELDS.map((field) => form[field] ?? '');

/** Blank ones and those that come twice among them. */
const MOST_READ = 100;

/** Numbers of services, as programs send them: `12, 7`. */
export const readPreferredIds = (sent: string | undefined): string[] =>
  (sent ?? '')
    .split(',', MOST_READ)
    .map((part) => part.trim())
    .map((part) => (part === '' || part.startsWith('#') ? part : `#${part}`));
