import { findResultId, MOST_RESULT_ID } from '../../domain/advisor/result-id.ts';
import { FieldFaults } from '../../platform/http/fields.ts';

/** Anything else is 422. */
export function readResultId(input: string): string {
  const found = findResultId(input);
  if (found !== null) return found;
  const isWhole = /^[0-9]+$/.test(input);
  const msg = isWhole ? `Must be from 1 to ${MOST_RESULT_ID}` : 'Must be a whole number in decimal digits';
  throw new FieldFaults([{ type: isWhole ? 'range' : 'integer', loc: ['body', 'result_id'], msg, input }]);
}
