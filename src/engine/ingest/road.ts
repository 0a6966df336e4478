// The road of one program: what it remembers, the posts it gathers, the sweep of what is due.
import type { MostDays } from '../../domain/readings/retention.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { retryHelps } from '../../platform/db/passing-fault.ts';
import { createGatherer } from '../../platform/gather.ts';
import { createCatalogue } from '../alarm-state/catalogue.ts';
import { type SetBack, setBackStates } from '../alarm-state/set-back-states.ts';
import { createSweeper, type Sweep } from '../alarm-state/sweep.ts';
import { stockEpisodeIds } from '../outbox/episode-ids.ts';
import { bringAlong } from './bring-along.ts';
import { ingestPosts, type PostOutcome } from './ingest.ts';
import { speakForSilent } from './silent-probes.ts';
import type { SentPost } from './sort-readings.ts';

export interface Road {
  /** Resolves when the post is stored, judged and committed. */
  take(post: SentPost, size: number): Promise<PostOutcome>;
  sweep: Sweep;
  /** What devices said before they were adopted. After an adoption, and every so often for one that was cut short. */
  bringAlong(now: Date): Promise<void>;
  /** Every minute. Answers with what was dated by a clock ahead of this one since the last time; null: hardly anything. */
  setBack(now: Date): Promise<SetBack | null>;
}

export interface RoadDeps {
  db: Database;
  clock: Clock;
  retentionDays: MostDays;
  /** Services of which all is kept in memory. */
  mostRemembered?: number;
}

/** Clocks that differ by less are as good as one. */
const NOTICED_MS = 2_000;

export function openRoad({ db, clock, retentionDays, mostRemembered }: RoadDeps): Road {
  const catalogue = createCatalogue(mostRemembered);
  const takeEpisodes = stockEpisodeIds(db);
  const sight = { blindUntil: 0 };
  let ahead: SetBack = { services: 0, aheadMs: 0 };
  const noteAhead = (services: number, aheadMs: number) => {
    ahead = { services: ahead.services + services, aheadMs: Math.max(ahead.aheadMs, aheadMs) };
  };
  const gatherer = createGatherer<SentPost, PostOutcome>(
    (posts) => ingestPosts({ db, catalogue, retentionDays, takeEpisodes, noteAhead, sight }, posts, clock()),
    {
      lanes: 6,
      lanesBeside: 1,
      lineOf: ({ organizationId }) => organizationId,
      mostPerBatch: 2_000,
      isFaultOfOne: (error) => !retryHelps(error),
    },
  );
  return {
    take: gatherer.take,
    sweep: createSweeper(db, speakForSilent),
    bringAlong: (now) => bringAlong({ db, take: gatherer.take }, now),
    async setBack(now) {
      const { services, aheadMs } = await setBackStates(db, now);
      noteAhead(services, aheadMs);
      const noted = ahead;
      ahead = { services: 0, aheadMs: 0 };
      return noted.aheadMs > NOTICED_MS ? noted : null;
    },
  };
}
