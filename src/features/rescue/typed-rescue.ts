// The fields of a form, by the words that the interface and the lab file have for them too.
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
