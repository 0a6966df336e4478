// What was sent must not be sent again because the database was away for a moment.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/db/database.ts';
import { createGatherer } from '../../platform/gather.ts';
import type { Log } from '../../platform/log.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { judgeAttempt, type LetterAttempt, markLetters } from './mark-letters.ts';

const PAUSES_MS = { first: 500, longest: 5_000 };

interface MarkerDeps {
  db: Database;
  log: Log;
  metrics: DeliveryMetrics | null;
}

export function createMarker({ db, log, metrics }: MarkerDeps, stopping: AbortSignal) {
  async function markAll(attempts: LetterAttempt[]): Promise<never[]> {
    const judged = attempts.map((attempt) => ({ ...attempt, fate: judgeAttempt(attempt, Math.random) }));
    await markLetters(db, judged);
    for (const attempt of judged) metrics?.observe(attempt);
    return [];
  }
  const gatherer = createGatherer<LetterAttempt, void>(markAll, { lanes: 1, mostPerBatch: 200 });

  /** After the first failure each is marked alone: one that cannot be must not hold up the others. */
  return async (attempt: LetterAttempt): Promise<void> => {
    let marking = () => gatherer.take(attempt, 1);
    for (let pauseMs = PAUSES_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSES_MS.longest)) {
      try {
        return await marking();
      } catch (error) {
        log.error({ err: error, letterId: attempt.letter.id }, 'what became of a letter is not marked yet');
        if (stopping.aborted) return;
        await pause(pauseMs, undefined, { signal: stopping }).catch(() => {});
      }
      marking = async () => void (await markAll([attempt]));
    }
  };
}
