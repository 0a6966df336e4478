// Failures of the database that pass: the same, tried again later, may well be done.

/** There was no connection, or it was lost. */
export class PassingFault extends Error {}

/** The connection was lost while the server was to commit: nobody can tell whether it did. */
export class CommitUnknown extends PassingFault {}

/** For whatever reason: nothing was done yet, and nobody who asks can help it. */
export const noConnection = (cause: Error): PassingFault =>
  new PassingFault(`There is no connection to the database: ${wordsOf(cause)}`, { cause });

export const lostConnection = (cause: Error): PassingFault =>
  new PassingFault(`The connection to the database was lost: ${wordsOf(cause)}`, { cause });

/** A host with several addresses that all refuse says nothing but a code. */
const wordsOf = (error: Error & { code?: string }) => error.message || error.code;

/** No connection, no resources left (connections, memory, disk), an operator at work (shutdown, timeout, cancel). */
const PASSING_CLASSES: readonly string[] = ['08', '53', '57'];

const PASSING_CODES: readonly string[] = [
  '25006', // read-only: a standby, or a server that is being looked after
  '25P03', // idle in a transaction for too long
  '25P04', // transaction timeout
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock timeout
];

/** Tells our bad moment from our mistake. */
export function retryHelps(error: unknown): boolean {
  if (error instanceof PassingFault) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return (
    typeof code === 'string' && (PASSING_CODES.includes(code) || PASSING_CLASSES.includes(code.slice(0, 2)))
  );
}
