/** An array as PostgreSQL writes it, to be cast there. For numbers and bare words: nothing is quoted. */
export const arrayText = (values: readonly (number | string | null)[]): string =>
  `{${(values.includes(null) ? values.map((value) => value ?? 'null') : values).join(',')}}`;
