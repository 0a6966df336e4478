// What may be a little old is read from a replica, for as long as it follows closely. It is looked at by the beats of the
// programs, which come every few seconds: no clock but theirs counts, whatever kind of replica it is.
import sql from 'sql-template-tag';
import { BEAT_LATE_MS } from '../../domain/self-watch.ts';
import type { ClockTask } from '../../platform/clock-loop.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { retryHelps, tookTooLong } from '../../platform/db/passing-fault.ts';
import type { Log } from '../../platform/log.ts';

interface ReplicaDeps {
  replica: ReadDatabase;
  /** Where everything can be read that the replica cannot answer. */
  primary: ReadDatabase;
  log: Log;
}

export interface FollowedReplica {
  db: ReadDatabase;
  task: ClockTask;
}

const EVERY_SECONDS = 2;

export function followReplica({ replica, primary, log }: ReplicaDeps): FollowedReplica {
  let isClose = false;
  const setClose = (isCloseNow: boolean, why: object) => {
    if (isCloseNow !== isClose)
      log.warn(
        why,
        isCloseNow ? 'the replica follows: history is read from it' : 'history is read from the primary',
      );
    isClose = isCloseNow;
  };

  const run = async (now: Date) => {
    try {
      const row = first(await replica.query<{ beatAt: Date | null }>(SELECT_LAST_BEAT, 'briefly'));
      const lagMs = row?.beatAt ? now.getTime() - row.beatAt.getTime() : Number.POSITIVE_INFINITY;
      setClose(lagMs <= BEAT_LATE_MS, { lagSeconds: Math.round(lagMs / 1000) });
    } catch (error) {
      setClose(false, { err: error });
    }
  };

  /** One that fails to answer is not asked again before it was looked at. What asks for too much asks too much of both. */
  const ask = async <Answer>(read: (db: ReadDatabase) => Promise<Answer>): Promise<Answer> => {
    if (!isClose) return read(primary);
    try {
      return await read(replica);
    } catch (error) {
      if (!retryHelps(error) || tookTooLong(error)) throw error;
      setClose(false, { err: error });
      return read(primary);
    }
  };

  return {
    db: {
      query: (statement, access) => ask((db) => db.query(statement, access)),
      queryAll: (statements, access) => ask((db) => db.queryAll(statements, access)),
    },
    task: { name: 'replica', everySeconds: EVERY_SECONDS, run },
  };
}

const SELECT_LAST_BEAT = sql`select max(beat_at) as "beatAt" from program`;
