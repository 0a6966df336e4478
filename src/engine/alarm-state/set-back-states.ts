// States that were dated by a clock ahead of this one: it was set right since, or is another host's. What arrives for them
// is judged as it comes; this is for those of which nothing comes, so that they go stale in time.

import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { type AlarmRow, lockRowsAhead } from './alarm-rows.ts';
import { judgeRows, MOST_AT_ONCE, type SweepDeps } from './sweep.ts';

/** Clocks never agree exactly, and nobody minds this much. */
const TOLERATED_MS = 60_000;

/** How many services, and by how much at most. */
export interface SetBack {
  services: number;
  aheadMs: number;
}

export async function setBackStates({ db, catalogue }: SweepDeps, now: Date): Promise<SetBack> {
  const until = new Date(now.getTime() + TOLERATED_MS);
  const all: SetBack = { services: 0, aheadMs: 0 };
  for (let after = 0 as ServiceId; ; ) {
    const some = await db.transaction(async (tx) => {
      const rows = await lockRowsAhead(tx, until, after, MOST_AT_ONCE);
      const serviceIds = rows.map(({ serviceId }) => serviceId);
      if (rows.length === 0) return null;
      const judged = await judgeRows(tx, catalogue, rows, now);
      // What was planned to be told of them was planned by the wrong clock.
      lookAgain(tx, serviceIds, now);
      return { ...judged, rows };
    }, 'by_index');
    if (!some) return all;
    catalogue.settle(some.writes, some.rowVersion);
    all.services += some.rows.length;
    all.aheadMs = Math.max(all.aheadMs, ...some.rows.map((row) => findLatest(row) - now.getTime()));
    after = some.rows.at(-1)?.serviceId ?? after;
  }
}

const findLatest = ({ channelAt, severitySince, staleSince }: AlarmRow): Instant =>
  Math.max(...channelAt, severitySince ?? 0, staleSince ?? 0);
