// Readings that come after their hour was rolled up mark it, in the transaction that stores them.
import sql from 'sql-template-tag';
import type { Instant } from '../../domain/judging/judge.ts';
import { floorTo, HOUR_MS } from '../../domain/readings/rollup.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { OneRow } from '../../platform/db/statement.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';
import type { ReadingColumns } from './write-readings.ts';

/**
 * Whoever stores readings joins the seal in the same transaction, after its last row lock: from then on it must wait for
 * nobody. The seal stands still until the commit, so that no reading falls between rollup and mark.
 */
export const joinSeal = (): OneRow<{ sealedUntil: Instant }> => sql`
  select extract(epoch from join_rollup_seal(${LOCK_KEYS.rollupSeal}))::float8 * 1000 as "sealedUntil"`;

export function markDirty(tx: Tx, readings: MarkedReadings, sealedUntil: Instant, now: Date): void {
  const marks = gatherMarks(readings, sealedUntil);
  if (marks.length === 0) return;
  tx.later(sql`
    insert into rollup_dirty (service_id, channel_id, starts_at, marked_at)
    select service_id, channel_id, to_timestamp(ms / 1000.0), ${now}
    from unnest(${marks.map(({ serviceId }) => serviceId)}::int[], ${marks.map(({ channelId }) => channelId)}::int[],
      ${marks.map(({ hour }) => hour)}::float8[]) as given (service_id, channel_id, ms)`);
}

interface Mark {
  serviceId: number;
  channelId: number;
  hour: Instant;
}

type MarkedReadings = Pick<ReadingColumns, 'serviceIds' | 'channelIds' | 'ats'>;

/** Each hour of a channel that has a reading older than the seal, once. */
export function gatherMarks({ serviceIds, channelIds, ats }: MarkedReadings, sealedUntil: Instant): Mark[] {
  const marks = new Map<string, Mark>();
  for (let index = 0; index < ats.length; index += 1) {
    const at = ats[index] ?? Number.POSITIVE_INFINITY;
    if (at >= sealedUntil) continue;
    const serviceId = serviceIds[index];
    const channelId = channelIds[index];
    if (serviceId === undefined || channelId === undefined) continue;
    const hour = floorTo(at, HOUR_MS);
    marks.set(`${channelId} ${hour}`, { serviceId, channelId, hour });
  }
  return [...marks.values()];
}
