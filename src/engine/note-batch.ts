// What both ways of a batch have in common: what comes in, what comes out, and what is written beside the readings.
import type { Instant } from '../domain/judge.ts';
import type { Tx } from '../platform/db/database.ts';
import type { TakeEpisodes } from './alarm-events.ts';
import type { Assessment } from './assessment.ts';
import type { Catalogue } from './catalogue.ts';
import { type ReadingColumns, rememberDevices } from './ingest-queries.ts';
import { noteEvents } from './judge-services.ts';
import { markDirty } from './rollup-marks.ts';
import type { SortedPosts } from './sort-readings.ts';

export interface Batch {
  sorted: SortedPosts;
  /** Of those who posted. */
  sourceIds: ReadonlySet<number>;
  now: Date;
  catalogue: Catalogue;
  takeEpisodes: TakeEpisodes | undefined;
  /** Services that a clock ahead of this one has dated, and by how much at most. */
  noteAhead: ((services: number, aheadMs: number) => void) | undefined;
}

export interface IngestedBatch {
  assessments: Assessment[];
  rowVersion: number;
  isLocked: boolean;
}

export class RevokedSources extends Error {
  constructor(readonly stillKnown: ReadonlySet<number>) {
    super('A source was revoked');
  }
}

/** When the services' rows are held, and the seal is joined: who has joined it waits for no row any more. */
export function noteBatch(
  tx: Tx,
  { sorted, sourceIds, now }: Batch,
  {
    assessments,
    readings,
    sources,
    sealedUntil,
  }: {
    assessments: readonly Assessment[];
    readings: readonly ReadingColumns[];
    /** Those that still exist. */
    sources: readonly { id: number }[];
    sealedUntil: Instant;
  },
): void {
  if (sources.length < sourceIds.size) throw new RevokedSources(new Set(sources.map(({ id }) => id)));
  noteEvents(tx, assessments, now);
  rememberDevices(tx, sorted.unknown, now);
  for (const columns of readings) markDirty(tx, columns, sealedUntil, now);
}
