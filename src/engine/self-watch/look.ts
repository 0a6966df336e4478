import {
  type Finding,
  findTroubles,
  findUnreadable,
  type HostFigures,
  type WatchFigures,
} from '../../domain/self-watch.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { within } from '../../platform/within.ts';
import { readFigures } from './read-figures.ts';

export interface Look {
  /** null: the database did not answer. */
  figures: WatchFigures | null;
  findings: Finding[];
}

const PATIENCE_MS = 5_000;

/** Messages may name hosts and roles, which are not for everybody who may read the report. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? 'no connection';
}

/** What is wrong with the service. Always an answer, and in time. `own`: of a host on which no program beats. */
export async function lookAtService(db: ReadDatabase, now: Date, own?: HostFigures): Promise<Look> {
  try {
    const read = await within(PATIENCE_MS, readFigures(db, now));
    const figures = own ? { ...read, hosts: [...read.hosts, own] } : read;
    return { figures, findings: findTroubles(figures, now) };
  } catch (error) {
    return { figures: null, findings: [findUnreadable(codeOf(error))] };
  }
}
