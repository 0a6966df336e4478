import { type MostName, sayMost } from '../domain/mosts.ts';

/** One more would be too many. Undoes the transaction, and is answered with its sentence wherever it was asked for. */
export class MostReached extends Error {
  readonly statusCode = 409;
  constructor(readonly most: MostName) {
    super(sayMost(most));
  }
}
