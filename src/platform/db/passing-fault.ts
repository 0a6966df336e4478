// Failures of the database that pass: the same, tried again later, may well be done.
import pg from 'pg';

/** There was no connection, or it was lost, or it has to be made anew. */
export class PassingFault extends Error {}

/** Something was sent, and no answer came. */
export class LostConnection extends PassingFault {}

/** The connection was lost while the server was to commit: nobody can tell whether it did. */
export class CommitUnknown extends PassingFault {}

/** For whatever reason: nothing was done yet, and nobody who asks can help it. */
export const noConnection = (cause: Error): PassingFault =>
  new PassingFault(`There is no connection to the database: ${wordsOf(cause)}`, { cause });

export const lostConnection = (cause: Error): LostConnection =>
  new LostConnection(`The connection to the database was lost: ${wordsOf(cause)}`, { cause });

/** What the driver failed with: what the server has no words for is the end of the connection. */
export const nameFault = (error: Error): Error =>
  error instanceof pg.DatabaseError ? error : lostConnection(error);

/** What failed while a transaction was being committed. The server's own errors say that it was rolled back. */
export function doubtCommit(error: Error): Error {
  const isLost = error instanceof LostConnection || /^(08|57P)/.test(codeOf(error));
  if (!isLost) return error;
  return new CommitUnknown(`It is not known whether the transaction was committed: ${wordsOf(error)}`, {
    cause: error,
  });
}

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

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

/** A server that was read-only may have been replaced by one that is not: only a new connection finds it. */
export const needsNewConnection = (error: unknown): boolean =>
  error instanceof PassingFault || codeOf(error) === '25006';

/** Tells our bad moment from our mistake. */
export function retryHelps(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof PassingFault ||
    PASSING_CODES.includes(code) ||
    PASSING_CLASSES.includes(code.slice(0, 2))
  );
}

/**
 * Where tables are split over machines: the server lives, and one that holds what was asked for does not. It says that it has no
 * connection there, or hands on what the other said.
 */
export function isWorkerAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const code = codeOf(error);
  return code === '08006' || (code.startsWith('57P') && /while executing command on/.test(error.where ?? ''));
}

/** A statement ran into its limit, or somebody gave it up. */
export const tookTooLong = (error: unknown): boolean => codeOf(error) === '57014';

const CONFLICT_CODES: readonly string[] = ['40001', '40P01'];

/** Another transaction was in the way, and this one was given up for it: done over at once it may well succeed. */
export const isConflict = (error: unknown): boolean => CONFLICT_CODES.includes(codeOf(error));

const MOST_TRIES = 5;

/** `work` is a whole transaction, and does the same each time. */
export async function pastConflicts<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === MOST_TRIES) throw error;
    }
  }
}

/** Somebody held what was wanted for longer than one would wait. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';
