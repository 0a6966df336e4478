import { StartError } from '../../start-error.ts';

/** Its message is one line for the person at the terminal; a stack would add nothing. */
export class EmbeddedDatabaseError extends StartError {
  override name = 'EmbeddedDatabaseError';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
