/** One more would be too many. Undoes the transaction, and is answered with its message wherever it was asked for. */
export class MostReached extends Error {
  readonly statusCode = 409;
}
