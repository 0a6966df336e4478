// The fields of a form, by the words that the interface and the lab file have for them too.
import {
  ALL_GUIDANCE_FIELDS,
  GUIDANCE_FIELDS,
  type Guidance,
  type GuidanceField,
} from '../../domain/guidance/guidance.ts';

type Typed = Record<string, string | undefined>;

export const readTyped = (form: Typed): Record<GuidanceField, string | undefined> =>
  Object.fromEntries(
    ALL_GUIDANCE_FIELDS.map((field) => [field, form[GUIDANCE_FIELDS[field].word]]),
  ) as Record<GuidanceField, string | undefined>;

/** What stands in the fields: as it was typed, where that was refused. */
export const fillFields = (guidance: Guidance, typed: Typed | null): Record<GuidanceField, string> =>
  Object.fromEntries(
    ALL_GUIDANCE_FIELDS.map((field) => [
      field,
      (typed ? typed[GUIDANCE_FIELDS[field].word] : guidance[field]) ?? '',
    ]),
  ) as Record<GuidanceField, string>;
