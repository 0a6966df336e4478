import { FieldFaults } from '../../platform/http/fields.ts';

/** The largest bigint of the database; contract, Limits. */
export const MOST_RESULT_ID = '9223372036854775807';

/** Without leading zeros. It stays text: a JavaScript number would lose its last digits. Anything else is 422. */
export function readResultId(input: string): string {
  const loc: ['body', string] = ['body', 'result_id'];
  if (!/^[0-9]+$/.test(input)) {
    const msg = 'Must be a whole number in decimal digits';
    throw new FieldFaults([{ type: 'integer', loc, msg, input }]);
  }
  const digits = input.replace(/^0+/, '');
  if (digits === '' || digits.length > MOST_RESULT_ID.length || BigInt(digits) > BigInt(MOST_RESULT_ID)) {
    throw new FieldFaults([{ type: 'range', loc, msg: `Must be from 1 to ${MOST_RESULT_ID}`, input }]);
  }
  return digits;
}
