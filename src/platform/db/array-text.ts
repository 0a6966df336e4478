/** An array as PostgreSQL writes it, to be cast there. For numbers and bare words: nothing is quoted. */
export const arrayText = (values: readonly (number | string | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;
