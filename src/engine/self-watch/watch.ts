// A serving program beats, looks how the service fares, and says in its log what is wrong: once when it begins, once when
// it is over.
import { english } from '../../domain/language/english.ts';
import type { Finding, FindingName, HostFigures } from '../../domain/self-watch.ts';
import { describeSpan } from '../../domain/span.ts';
import type { ClockTask } from '../../platform/clock-loop.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/within.ts';
import { lookAtService } from './look.ts';
import type { Program } from './programs.ts';

interface WatchDeps {
  db: Database;
  log: Log;
  program: Program;
  measureHost: () => Promise<Omit<HostFigures, 'host'>>;
}

export interface Watch {
  /** What the last look found; costs nothing. */
  findings(): readonly Finding[];
  task: ClockTask;
}

const EVERY_SECONDS = 5;
const PATIENCE_MS = 5_000;
/** A database that is busy for a moment is not away. */
const HICCUP_MS = 15_000;

export function createWatch({ db, log, program, measureHost }: WatchDeps): Watch {
  let findings: readonly Finding[] = [];
  let seenAt: Date | null = null;
  const begunAt = new Map<FindingName, Date>();
  let beating: Promise<void> | null = null;
  let isBeatLost = false;

  const beat = (now: Date): Promise<void> => {
    beating ??= measureHost()
      .then((host) => program.beat(now, host))
      .finally(() => {
        beating = null;
      });
    return beating;
  };

  const note = (found: readonly Finding[], now: Date) => {
    for (const { name, component, severity, trouble, advice } of found) {
      if (begunAt.has(name)) continue;
      begunAt.set(name, now);
      log[severity === 'critical' ? 'error' : 'warn']({ finding: name, component, advice }, trouble);
    }
    for (const [name, at] of begunAt) {
      if (found.some((finding) => finding.name === name)) continue;
      begunAt.delete(name);
      const lasted = describeSpan(now.getTime() - at.getTime(), english);
      log.info({ finding: name, lasted }, `over: ${name}`);
    }
  };

  const run = async (now: Date) => {
    try {
      await within(PATIENCE_MS, beat(now));
      isBeatLost = false;
    } catch (error) {
      if (!isBeatLost) log.warn({ err: error }, 'the beat of this program could not be written');
      isBeatLost = true;
    }
    const look = await lookAtService(db, now);
    if (look.figures) seenAt = now;
    else if (seenAt && Math.abs(now.getTime() - seenAt.getTime()) < HICCUP_MS) return;
    findings = look.findings;
    note(findings, now);
  };
  return { findings: () => findings, task: { name: 'watch', everySeconds: EVERY_SECONDS, run } };
}
