import type { GroupField } from './refusals.ts';

export const GROUPS = '/settings/groups';

/** Of the form that was refused: what was typed, and what is wrong with it. */
export interface FormFault {
  field: GroupField;
  text: string;
  typed: Record<string, string>;
}
