import { type HealthDeps, type HealthReport, reportHealth } from './report.ts';

const KEPT_MS = 5_000;

/** The report of a moment ago is as good as a new one, however many ask for it. */
export function keepReport(deps: HealthDeps): (now: Date) => Promise<HealthReport> {
  let kept: { madeAt: number; report: Promise<HealthReport> } | null = null;
  return (now) => {
    // A clock that was set back must not keep it for longer.
    if (!kept || Math.abs(now.getTime() - kept.madeAt) >= KEPT_MS)
      kept = { madeAt: now.getTime(), report: reportHealth(deps, now) };
    return kept.report;
  };
}
