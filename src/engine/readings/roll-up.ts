// Minutes and hours are rolled up behind the readings, a stretch at a time; hours that late readings marked, once more.

import type { Instant } from '../../domain/judging/judge.ts';
import { type ReadingWeek, weekOf } from '../../domain/readings/reading-week.ts';
import {
  adaptPace,
  advanceSeal,
  HOUR_MS,
  MINUTE_MS,
  nextStretch,
  type RollupProgress,
  settledUntil,
} from '../../domain/readings/rollup.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import {
  deleteMarks,
  lockSeal,
  rollHours,
  rollMinutes,
  selectFirstFilled,
  selectMarks,
  selectProgress,
  stretchesOf,
  stretchOfAll,
  takeProgress,
  updateProgress,
} from './rollup-queries.ts';

type RollUpOutcome = 'caught_up' | 'more_to_do' | 'another_program_does' | 'ingest_in_the_way';
type StepOutcome = 'done' | 'skipped' | 'nothing_to_do' | 'another_program_does';

const DAY_MS = 24 * HOUR_MS;
const BUDGET_MS = 1500;
// Not more, however quick: the next stretch may hold a thousand times as many readings.
const STRETCH_MS = [MINUTE_MS, 12 * HOUR_MS] as const;
const MARKS = [1, 20_000] as const;
const LOCK_NOT_AVAILABLE = '55P03';

/** One program's share of the work. What it remembers is only its pace; where things stand is in the database. */
export function createRollUp(db: Database, retentionDays: number, budgetMs = BUDGET_MS) {
  let stretchMs: number = STRETCH_MS[0];
  let marksAtOnce = 1000;

  const rollStretch = () =>
    db.transaction(async (tx): Promise<StepOutcome> => {
      const progress = await takeProgress(tx);
      if (!progress) return 'another_program_does';
      const stretch = nextStretch(progress, stretchMs);
      if (!stretch) return 'nothing_to_do';
      const rolledUntil = await skipEmptyWeeks(tx, progress);
      if (rolledUntil > progress.rolledUntil) {
        await updateProgress(tx, { ...progress, rolledUntil });
        return 'skipped';
      }
      await rollMinutes(tx, stretchOfAll(stretch.minutes));
      if (stretch.hours.from < stretch.hours.to) await rollHours(tx, stretchOfAll(stretch.hours));
      await updateProgress(tx, { ...progress, rolledUntil: stretch.minutes.to });
      return 'done';
    });

  const rollMarked = () =>
    db.transaction(async (tx): Promise<StepOutcome> => {
      const progress = await takeProgress(tx);
      if (!progress) return 'another_program_does';
      const marks = await deleteMarks(tx, marksAtOnce);
      if (marks.length === 0) return 'nothing_to_do';
      // What lies beyond is still to be rolled up, with the reading that left the mark.
      const { rolledUntil } = progress;
      const stretches = marks
        .filter(({ hour }) => hour < rolledUntil)
        .map((mark) => ({ ...mark, from: mark.hour, to: Math.min(mark.hour + HOUR_MS, rolledUntil) }));
      const whole = stretches.filter(({ from, to }) => to === from + HOUR_MS);
      if (stretches.length > 0) await rollMinutes(tx, stretchesOf(stretches));
      if (whole.length > 0) await rollHours(tx, stretchesOf(whole));
      return 'done';
    });

  async function timed(step: () => Promise<StepOutcome>, adapt: (tookMs: number) => void) {
    const startedAt = performance.now();
    let outcome: StepOutcome | 'failed' = 'failed';
    try {
      outcome = await step();
      return outcome;
    } finally {
      if (outcome === 'failed') adapt(Number.POSITIVE_INFINITY);
      else if (outcome === 'done') adapt(performance.now() - startedAt);
    }
  }

  return async function rollUp(now: Date): Promise<RollUpOutcome> {
    const startedAt = performance.now();
    const sealed = await moveSeal(db, now, retentionDays);
    if (sealed === 'another_program_does') return sealed;
    do {
      const stretch = await timed(rollStretch, (tookMs) => {
        stretchMs = adaptPace(stretchMs, tookMs, STRETCH_MS);
      });
      const marked = await timed(rollMarked, (tookMs) => {
        marksAtOnce = adaptPace(marksAtOnce, tookMs, MARKS);
      });
      if (stretch === 'nothing_to_do') stretchMs = STRETCH_MS[0];
      if (stretch === 'another_program_does' || marked === 'another_program_does')
        return 'another_program_does';
      if (stretch === 'nothing_to_do' && marked === 'nothing_to_do')
        return sealed === 'ingest_in_the_way' ? sealed : 'caught_up';
    } while (performance.now() - startedAt < budgetMs);
    return 'more_to_do';
  };
}

/** A new lab has a year of weeks without a reading. */
async function skipEmptyWeeks(tx: Tx, { rolledUntil, sealedUntil }: RollupProgress): Promise<Instant> {
  const weeks: ReadingWeek[] = [];
  for (let at = rolledUntil; at < sealedUntil; at = weekOf(new Date(at)).to.getTime())
    weeks.push(weekOf(new Date(at)));
  const filled = await selectFirstFilled(
    tx,
    weeks.map(({ partition }) => partition),
  );
  const firstFilled = weeks.find(({ partition }) => partition === filled);
  return firstFilled ? Math.max(rolledUntil, firstFilled.from.getTime()) : sealedUntil;
}

/** Committed before anything is rolled up: from then on, readings older than the seal leave marks. */
async function moveSeal(db: Database, now: Date, retentionDays: number) {
  try {
    return await db.transaction(async (tx) => {
      const progress = await takeProgress(tx);
      if (!progress) return 'another_program_does';
      const oldestAt = weekOf(new Date(now.getTime() - retentionDays * DAY_MS)).from.getTime();
      const next = advanceSeal(progress, now.getTime(), oldestAt);
      if (next.sealedUntil === progress.sealedUntil) return 'sealed';
      await lockSeal(tx);
      // A new lab is not a year behind, not even for the moment until the first stretch.
      const hasBegun = progress.rolledUntil !== Number.NEGATIVE_INFINITY;
      await updateProgress(tx, hasBegun ? next : { ...next, rolledUntil: await skipEmptyWeeks(tx, next) });
      return 'sealed';
    });
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return 'ingest_in_the_way';
    throw error;
  }
}

/** How far the rollups are behind where they should be, by stretch or by mark, and how many marks wait. */
export async function findRollupLag(db: ReadDatabase, now: Date) {
  const progress = await selectProgress(db);
  const marks = await selectMarks(db);
  const rolledUntil = progress?.rolledUntil ?? Number.NEGATIVE_INFINITY;
  const lagMs = Math.max(
    0,
    Number.isFinite(rolledUntil) ? settledUntil(now.getTime()) - rolledUntil : 0,
    marks?.oldestAt ? now.getTime() - marks.oldestAt.getTime() : 0,
  );
  return {
    rolledUntil: Number.isFinite(rolledUntil) ? new Date(rolledUntil) : null,
    lagSeconds: Math.round(lagMs / 1000),
    marks: marks?.hours ?? 0,
  };
}
