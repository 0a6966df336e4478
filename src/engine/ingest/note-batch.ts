// What both ways of a batch have in common: what comes in, what comes out, and what is written beside the readings.
import type { Instant } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Assessment } from '../alarm-state/assessment.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { noteEvents } from '../alarm-state/write-assessments.ts';
import type { TakeEpisodes } from '../outbox/episode-ids.ts';
import { markDirty } from '../readings/rollup-marks.ts';
import type { ReadingColumns } from '../readings/write-readings.ts';
import { rememberDevices } from './queries.ts';
import { type SortedPosts, UNKNOWN_DEVICE } from './sort-readings.ts';

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
export async function noteBatch(
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
): Promise<void> {
  if (sources.length < sourceIds.size) throw new RevokedSources(new Set(sources.map(({ id }) => id)));
  noteEvents(tx, assessments, now);
  for (const columns of readings) markDirty(tx, columns, sealedUntil, now);
  await noteDevices(tx, sorted, now);
}

/** Of one organization; anybody with the secret of a source can make up more. */
const MOST_UNKNOWN_DEVICES = 1_000;
const NOT_REMEMBERED = `${UNKNOWN_DEVICE}, and not remembered: ${MOST_UNKNOWN_DEVICES} others wait to be adopted`;

async function noteDevices(tx: Tx, { unknown, answers }: SortedPosts, now: Date): Promise<void> {
  const devices = unknown.flatMap(({ organizationId, target }) =>
    'device' in target ? [{ organizationId, key: target.device }] : [],
  );
  if (devices.length === 0) return;
  const surplus = await rememberDevices(tx, devices, MOST_UNKNOWN_DEVICES, now);
  if (surplus.length === 0) return;
  const nameOf = ({ organizationId, key }: (typeof devices)[number]) =>
    `${organizationId} ${key.toLowerCase()}`;
  const names = new Set(surplus.map(nameOf));
  const places = new Set(
    unknown
      .filter(
        ({ organizationId, target }) =>
          'device' in target && names.has(nameOf({ organizationId, key: target.device })),
      )
      .map(({ post, index }) => `${post} ${index}`),
  );
  for (const [post, { rejected }] of answers.entries())
    for (const rejection of rejected)
      if (rejection.reason === UNKNOWN_DEVICE && places.has(`${post} ${rejection.index}`))
        rejection.reason = NOT_REMEMBERED;
}
