// When the engine has to look at units with a story, so that whoever is told hears it when it happens and not at the end
// of the day: where a value passes a limit, when that has lasted, and when a step or a reminder is due.
import type { Instant } from '../../../domain/instant.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import { listLimits } from '../lab-text.ts';
import { type DemoUnit, isEventful, type Period } from './plan.ts';
import { readStretch } from './read-stretch.ts';

const AFTER_A_CHANGE_MS = [0, 5, 10, 15, 20, 30, 45, 60].map((minutes) => minutes * MINUTE_MS);
const REMINDER_MS = 4 * HOUR_MS;

/** Within a stretch, in their order; the last is its end. */
export function planTurns(units: readonly DemoUnit[], stretch: Period, whole: Period): Instant[] {
  const turns = units
    .filter((unit) => isEventful(unit, stretch))
    .flatMap((unit) => turnsOf(unit, stretch, whole));
  return [...new Set([...turns, stretch.until])]
    .filter((at) => at > stretch.from && at <= stretch.until)
    .sort((one, other) => one - other);
}

/** What began two hours before the stretch may have turns in it. */
function turnsOf(unit: DemoUnit, stretch: Period, whole: Period): Instant[] {
  const limits = listLimits(unit.kind);
  const passedSince = new Map<string, Instant>();
  const turns: Instant[] = [];
  let before = '';
  let changedAt = stretch.from;
  const told = { from: stretch.from - 2 * HOUR_MS, until: stretch.until };
  for (const { at, values } of readStretch(unit, told, whole)) {
    for (const { name, sustainedMs, isPassedBy } of limits) {
      const since = passedSince.get(name);
      if (isPassedBy(values)) passedSince.set(name, since ?? at);
      else if (passedSince.delete(name) && since !== undefined && at - since >= sustainedMs)
        // Between two readings it had lasted, and is over.
        turns.push(since + sustainedMs);
    }
    const now = limits
      .filter(
        ({ name, sustainedMs }) => at - (passedSince.get(name) ?? Number.POSITIVE_INFINITY) >= sustainedMs,
      )
      .map(({ name }) => name)
      .join();
    if (now !== before) {
      turns.push(...AFTER_A_CHANGE_MS.map((ms) => at + ms));
      changedAt = at;
    }
    if (now !== '' && at > changedAt && (at - changedAt) % REMINDER_MS === 0) turns.push(at);
    before = now;
  }
  return turns;
}
