// What becomes due because time passes: breaches that have lasted long enough, data that went stale. Any number of
// programs may sweep: each takes the turns of organizations with something due.

import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { isQuiet } from '../../domain/judging/judge.ts';
import type { Measurement } from '../../domain/judging/measurement.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isLockTimeout, PassingFault } from '../../platform/db/passing-fault.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { openGate } from '../../platform/turns.ts';
import { appendEntry, type ReadingColumns } from '../journal/inbox.ts';
import { type Turn, takeTurn } from '../journal/take-turn.ts';
import { bringHeldUpToNow, type HeldRow, lockDueRow, lockDueRows, watch } from './alarm-rows.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assessment.ts';
import { loadServiceConfigs } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';
import { writeAssessments } from './write-assessments.ts';

export const MOST_AT_ONCE = 500;
const LANES = 3;

/** What nobody says of services that are due, and has to be said before they are judged. */
export type SpeakFor = (
  tx: Tx,
  turn: Turn,
  services: readonly WatchedService[],
  now: Date,
) => Promise<{
  readings: ReadingColumns;
  said: ReadonlyMap<ServiceId, { watched: WatchedService; measurements: readonly Measurement[] }>;
}>;

const NOBODY: SpeakFor = async () => ({
  readings: { serviceIds: [], channelIds: [], ats: [], values: [] },
  said: new Map(),
});

/** Waits until all that was due is judged, or for so long: what takes longer goes on beside the next round. */
export type Sweep = (now: Date, patienceMs?: number) => Promise<void>;

/** Organizations take turns, and one that is held up holds up nobody else. */
export function createSweeper(db: Database, speakFor: SpeakFor = NOBODY): Sweep {
  // A few beside each other: the others' connections are left alone.
  const gate = openGate({ atOnce: LANES });
  const underWay = new Map<OrganizationId, Promise<void>>();
  let faults: unknown[] = [];

  async function sweepOrganization(organizationId: OrganizationId, now: Date): Promise<void> {
    const judge = (lockRows: Statement<HeldRow>) =>
      gate.pass(organizationId, () => judgeInTurn(db, organizationId, lockRows, now, { speakFor }));
    try {
      while ((await judge(lockDueRows(organizationId, now, MOST_AT_ONCE))).length === MOST_AT_ONCE);
    } catch (error) {
      if (error instanceof PassingFault) throw error;
      // A service that cannot be judged holds up no other.
      const due = await selectDue(db, organizationId, now);
      const nameOf = ({ serviceId }: { serviceId: ServiceId }) => `service ${serviceId}`;
      await eachAlone(due, nameOf, ({ serviceId }) => judge(lockDueRow(serviceId, now)));
    }
  }

  return async (now, patienceMs) => {
    const due = await db.query<{ organizationId: OrganizationId }>(
      sql`select distinct organization_id as "organizationId" from alarm_state where next_due_at <= ${now}`,
      'by_index',
    );
    for (const { organizationId } of due) {
      if (underWay.has(organizationId)) continue;
      const swept = sweepOrganization(organizationId, now)
        .catch((error) => void faults.push(error))
        .finally(() => underWay.delete(organizationId));
      underWay.set(organizationId, swept);
    }
    const all = Promise.all(underWay.values());
    await (patienceMs === undefined
      ? all
      : Promise.race([all, pause(patienceMs, undefined, { ref: false })]));
    const met = faults;
    faults = [];
    if (met.length === 1) throw met[0];
    if (met.length > 1) throw new AggregateError(met, 'not everything that was due could be judged');
  };
}

const selectDue = (db: Database, organizationId: OrganizationId, now: Date) =>
  db.query<{ serviceId: ServiceId }>(
    sql`
      select service_id as "serviceId" from alarm_state
      where organization_id = ${organizationId} and next_due_at <= ${now} order by next_due_at`,
    'by_index',
  );

interface Beside {
  speakFor?: SpeakFor;
  also?: (tx: Tx, rows: readonly HeldRow[]) => void;
}

/** Those that are locked, without a reading. Answers with none where the turn does not come soon: whoever has it is stuck. */
export async function judgeInTurn(
  db: Database,
  organizationId: OrganizationId,
  lockRows: Statement<HeldRow>,
  now: Date,
  { speakFor = NOBODY, also = () => {} }: Beside = {},
): Promise<readonly HeldRow[]> {
  try {
    return await db.transaction(async (tx) => {
      const {
        turn: [turn],
        rows,
      } = await tx.queryAll({ patience: PATIENCE, turn: takeTurn(organizationId), rows: lockRows });
      await judgeRows(tx, turn, { organizationId, rows, speakFor }, now);
      also(tx, rows);
      return rows;
    }, 'by_index');
  } catch (error) {
    if (isLockTimeout(error)) return [];
    throw error;
  }
}

const PATIENCE = sql`select set_config('lock_timeout', '10s', true)`;

interface DueRows {
  organizationId: OrganizationId;
  rows: HeldRow[];
  speakFor: SpeakFor;
}

async function judgeRows(
  tx: Tx,
  turn: Turn,
  { organizationId, rows, speakFor }: DueRows,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await bringHeldUpToNow(tx, rows);
  const byService = new Map(rows.map((row) => [row.serviceId, row]));
  const services = (await loadServiceConfigs(tx, [...byService.keys()])).flatMap((config) => {
    const row = byService.get(config.serviceId);
    return row ? [watch(config, row)] : [];
  });
  const { readings, said } = await speakFor(tx, turn, services, now);
  const assessments = services.map((found) => {
    const { watched, measurements } = said.get(found.config.serviceId) ?? {
      watched: found,
      measurements: [],
    };
    return watched.config.isArchived ? neverDue(watched) : assess(watched, measurements, now.getTime());
  });
  const changed = assessments
    .filter((assessment) => said.has(assessment.watched.config.serviceId) || !isStillQuiet(assessment))
    .map(({ watched }) => watched.config.serviceId);
  if (changed.length > 0) tx.later(appendEntry(organizationId, readings, changed, now));
  await writeAssessments(tx, turn, assessments, now);
}

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
