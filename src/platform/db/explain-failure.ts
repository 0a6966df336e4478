import { StartError } from '../start-error.ts';
import { retryHelps } from './passing-fault.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Why a command ended: one line for what its user can do something about, everything for what only we can. */
export function explainFailure(error: Error): string {
  const { message, stack } = error;
  if (error instanceof StartError) return message;
  if (retryHelps(error)) return `The database is not available: ${message}`;
  if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE)
    return `The database refuses it: ${message}. docs/postgresql.md lists the rights that are needed.`;
  return stack ?? message;
}
