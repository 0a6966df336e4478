// The advisor of one program: takes requests for limits one after the other, in turns by organization, and answers each with a
// result or a reason.
import type { OrganizationId } from '../../domain/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import { createClockLoop } from '../../platform/clock-loop.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { hold, SetAside } from '../../platform/process/in-hand.ts';
import { type Consultation, longestConsultationMs } from './consult-llm.ts';
import { recommendLimits } from './recommend-limits.ts';
import { type ClaimedRequest, claimRequest, completeRequest, failRequest } from './recommendations.ts';
import { AnalysisFailure, type AnalystSettings, LONGEST_ANALYSIS_MS } from './start-analyst.ts';

export interface AdvisorDeps {
  db: Database;
  clock: Clock;
  log: Log;
  config: Pick<Config, 'llm'>;
  /** For tests: what else the analyst is told, and how pauses pass. */
  analyst?: Omit<AnalystSettings, 'signal'>;
  pause?: Consultation['pause'];
}

export interface Advisor {
  /** Answers every request that waits. */
  work(): Promise<void>;
  /** Takes no more requests. What is nearly done is finished; what takes longer is free again when its lease ends. */
  leave(): void;
}

const FINISH_WITHIN_MS = 3_000;
const MOST_TURNS_REMEMBERED = 1_000;

export function createAdvisor({ db, clock, log, config, ...settings }: AdvisorDeps): Advisor {
  let isLeaving = false;
  /** The latest last. */
  let turns: OrganizationId[] = [];
  const abandonment = new AbortController();
  const { signal } = abandonment;
  const { llm } = config;
  // Advice and backtest are two analyses; reading the history is quick beside them.
  const leaseMs = 2 * LONGEST_ANALYSIS_MS + (llm ? longestConsultationMs(llm) : 0);
  const deps = {
    db,
    llm,
    analyst: { ...settings.analyst, signal },
    ...(settings.pause && { pause: settings.pause }),
  };

  const recommend = async ({ id, serviceId }: ClaimedRequest, now: Date) => {
    try {
      return await hold(`advice ${id}`, () => recommendLimits(deps, serviceId, now));
    } catch (error) {
      if (error instanceof AnalysisFailure || error instanceof SetAside)
        return { ok: false as const, refusal: error.message };
      throw error;
    }
  };

  /** Another one may have answered meanwhile, the command line for instance: then that answer stands. */
  const answer = async (request: ClaimedRequest) => {
    const outcome = await recommend(request, clock());
    const { id, serviceId, attempt } = request;
    if (outcome.ok) await completeRequest(db, id, outcome.value, clock());
    else await failRequest(db, id, outcome.refusal, clock());
    const reason = outcome.ok ? null : outcome.refusal;
    log.info({ recommendationId: id, serviceId, attempt, reason }, 'request for limits answered');
  };

  return {
    async work() {
      while (!isLeaving) {
        const request = await claimRequest(db, clock(), leaseMs, turns);
        if (!request) return;
        const { organizationId } = request;
        turns = [...turns.filter((other) => other !== organizationId), organizationId];
        turns = turns.slice(-MOST_TURNS_REMEMBERED);
        await answer(request).catch((error) => {
          if (!signal.aborted) throw error;
        });
      }
    },
    leave() {
      isLeaving = true;
      setTimeout(() => abandonment.abort(), FINISH_WITHIN_MS).unref();
    },
  };
}

/** In a loop of its own: however long an analysis takes, nothing else waits for it. */
export function startAdvising(deps: AdvisorDeps): { stop(): Promise<void> } {
  const advisor = createAdvisor(deps);
  const loop = createClockLoop(deps, [{ name: 'advise', everySeconds: 1, run: advisor.work }]);
  loop.start();
  return {
    async stop() {
      advisor.leave();
      await loop.stop();
    },
  };
}
