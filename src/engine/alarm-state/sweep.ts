// What becomes due because time passes: breaches that have lasted long enough, data that went stale. Any number of
// programs may sweep: each takes the turns of organizations with something due.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { isQuiet } from '../../domain/judging/judge.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isLockTimeout } from '../../platform/db/passing-fault.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { appendEntry } from '../journal/inbox.ts';
import { type Turn, takeTurn } from '../journal/take-turn.ts';
import { bringHeldUpToNow, type HeldRow, lockDueRows, watch } from './alarm-rows.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assessment.ts';
import { loadServiceConfigs } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';
import { writeAssessments } from './write-assessments.ts';

export const MOST_AT_ONCE = 500;
const LANES = 3;

export async function sweepDue(db: Database, now: Date): Promise<void> {
  const due = await db.query<{ organizationId: OrganizationId }>(
    sql`select distinct organization_id as "organizationId" from alarm_state where next_due_at <= ${now}`,
    'by_index',
  );
  // A few beside each other: one that is held up holds up few, and the others' connections are left alone.
  for (let from = 0; from < due.length; from += LANES)
    await Promise.all(
      due.slice(from, from + LANES).map(({ organizationId }) => sweepOrganization(db, organizationId, now)),
    );
}

async function sweepOrganization(db: Database, organizationId: OrganizationId, now: Date): Promise<void> {
  const lockRows = lockDueRows(organizationId, now, MOST_AT_ONCE);
  while ((await judgeInTurn(db, organizationId, lockRows, now)).length === MOST_AT_ONCE);
}

/** Those that are locked, without a reading. Answers with none where the turn does not come soon: whoever has it is stuck. */
export async function judgeInTurn(
  db: Database,
  organizationId: OrganizationId,
  lockRows: Statement<HeldRow>,
  now: Date,
  also: (tx: Tx, rows: readonly HeldRow[]) => void = () => {},
): Promise<readonly HeldRow[]> {
  try {
    return await db.transaction(async (tx) => {
      const {
        turn: [turn],
        rows,
      } = await tx.queryAll({ patience: PATIENCE, turn: takeTurn(organizationId), rows: lockRows });
      await judgeRows(tx, organizationId, turn, rows, now);
      also(tx, rows);
      return rows;
    }, 'by_index');
  } catch (error) {
    if (isLockTimeout(error)) return [];
    throw error;
  }
}

const PATIENCE = sql`select set_config('lock_timeout', '10s', true)`;

async function judgeRows(
  tx: Tx,
  organizationId: OrganizationId,
  turn: Turn,
  rows: HeldRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await bringHeldUpToNow(tx, rows);
  const byService = new Map(rows.map((row) => [row.serviceId, row]));
  const assessments = (await loadServiceConfigs(tx, [...byService.keys()])).flatMap((config) => {
    const row = byService.get(config.serviceId);
    if (!row) return [];
    const watched = watch(config, row);
    return [config.isArchived ? neverDue(watched) : assess(watched, [], now.getTime())];
  });
  const changed = assessments.filter((assessment) => !isStillQuiet(assessment));
  const serviceIds = changed.map(({ watched }) => watched.config.serviceId);
  if (serviceIds.length > 0) tx.later(appendEntry(organizationId, NO_READINGS, serviceIds, now));
  await writeAssessments(tx, turn, assessments, now);
}

const NO_READINGS = { serviceIds: [], channelIds: [], ats: [], values: [] };

/** Only when it is due next was found out, which programs that remember it need not know. */
const isStillQuiet = ({ watched: { alarm: before, channels }, alarm, moved }: Assessment): boolean =>
  alarm === null &&
  before.severity === 'normal' &&
  before.staleSince === null &&
  'channels' in moved &&
  [...channels].every(([name, state]) => isQuiet(state) && moved.channels.get(name)?.at === state.at);

/** An archived service waits for nothing. */
const neverDue = (watched: WatchedService): Assessment => ({
  watched,
  moved: { channels: watched.channels },
  alarm: null,
  nextDueAt: Number.POSITIVE_INFINITY,
  events: [],
});
