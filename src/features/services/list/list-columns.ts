// Which columns of the list somebody wants to see beside state, name and place: kept with the account.
import { message } from '../../../domain/language/message.ts';
import type { FormFields } from '../../../platform/http/form-body.ts';

/** In the order of the table. */
export const LIST_COLUMNS = {
  // For translators: head of a column with the group of people that is notified
  group: message('Notifies'),
  values: message('Latest values'),
  curve: message('Last 24 hours'),
  last: message('Last data'),
} as const;
export type ListColumn = keyof typeof LIST_COLUMNS;

const ALL = Object.keys(LIST_COLUMNS) as ListColumn[];

/** null: nothing was chosen yet. */
export const readColumns = (kept: readonly string[] | null): ListColumn[] =>
  ALL.filter((column) => (kept ? kept.includes(column) : column !== 'group'));

export const columnField = (column: ListColumn): string => `column-${column}`;

export const chosenColumns = (form: FormFields): ListColumn[] =>
  ALL.filter((column) => form[columnField(column)] !== undefined);
