// What becomes due because time passes: breaches that have lasted long enough, data that went stale. Any number of
// programs may sweep: each takes services that nobody else holds.
import type { Database, Tx } from '../../platform/db/database.ts';
import { type HeldRow, lockDueRows, selectRowVersion } from './alarm-rows.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assessment.ts';
import type { Catalogue } from './catalogue.ts';
import type { WatchedService } from './watched-service.ts';
import { writeAssessments } from './write-assessments.ts';

export interface SweepDeps {
  db: Database;
  catalogue: Catalogue;
}

export const MOST_AT_ONCE = 500;

export async function sweepDue({ db, catalogue }: SweepDeps, now: Date): Promise<void> {
  for (;;) {
    const swept = await db.transaction(async (tx) => {
      const rows = await lockDueRows(tx, now, MOST_AT_ONCE);
      return rows.length > 0 ? judgeRows(tx, catalogue, rows, now) : null;
    }, 'by_index');
    if (swept) catalogue.settle(swept.writes, swept.rowVersion);
    if (!swept || swept.writes.length < MOST_AT_ONCE) return;
  }
}

/** Without a reading. To be settled when it is committed. */
export async function judgeRows(tx: Tx, catalogue: Catalogue, rows: readonly HeldRow[], now: Date) {
  const assessments = (await catalogue.refresh(tx, rows)).map((watched) =>
    watched.config.isArchived ? neverDue(watched) : assess(watched, [], now.getTime()),
  );
  const writes = await writeAssessments(tx, rows, assessments, now);
  const {
    version: [{ rowVersion }],
  } = await tx.queryAll({ version: selectRowVersion });
  return { writes, rowVersion };
}

/** An archived service waits for nothing. */
const neverDue = (watched: WatchedService): Assessment => ({
  watched,
  rowVersion: watched.alarm.rowVersion,
  moved: { channels: watched.channels },
  alarm: null,
  nextDueAt: Number.POSITIVE_INFINITY,
  events: [],
});
