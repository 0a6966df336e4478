/** The largest bigint of the database; Contract, Limits. */
export const MOST_RESULT_ID = '9223372036854775807';

/** Without leading zeros. It stays text: a JavaScript number would lose its last digits. null: no result can have it. */
export function findResultId(input: string): string | null {
  const digits = /^[0-9]+$/.test(input) ? input.replace(/^0+/, '') : '';
  const isInRange =
    digits !== '' && digits.length <= MOST_RESULT_ID.length && BigInt(digits) <= BigInt(MOST_RESULT_ID);
  return isInRange ? digits : null;
}
