// How far an alarm, or a drill, has climbed the ladder of its group.
import sql, { type Sql } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { LAST_RESORT } from '../../domain/on-call/ladder.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';

export interface StepTaken {
  id: string;
  episodeId: string;
  label: string;
  isLastResort: boolean;
  at: ShownTime;
  reason: string;
  told: number;
  arrived: number;
}

interface StepRow {
  id: string;
  episodeId: string;
  step: number;
  openedAt: Date;
  reason: string;
  told: number;
  arrived: number;
}

/** Of the alarm that the service is in. */
export const readStepsTaken = async (db: ReadDatabase, serviceId: ServiceId, reader: Reader) =>
  (
    await selectSteps(
      db,
      sql`opened.service_id = ${serviceId} and opened.episode_id = (
        select episode_id from alarm_state where service_id = ${serviceId} and severity <> 'normal')`,
    )
  ).map((row) => showStep(row, reader));

export const readStepsOfDrills = async (
  db: ReadDatabase,
  serviceId: ServiceId,
  episodeIds: readonly string[],
  reader: Reader,
) =>
  (
    await selectSteps(
      db,
      sql`opened.service_id = ${serviceId} and opened.episode_id = any(${episodeIds}::bigint[])`,
    )
  ).map((row) => showStep(row, reader));

const selectSteps = (db: ReadDatabase, which: Sql) =>
  db.query<StepRow>(sql`
    select opened.id, opened.episode_id as "episodeId", opened.step, opened_at as "openedAt", opened.reason,
      count(delivery.id)::int as "told", (count(delivery.id) filter (where delivery.state = 'sent'))::int as "arrived"
    from step_opened opened
    left join notification on notification.service_id = opened.service_id and notification.episode_id = opened.episode_id
      and notification.kind = opened.severity and decided_at >= opened_at
    left join delivery on notification_id = notification.id and delivery.step = opened.step and delivery.state <> 'dropped'
    where ${which}
    group by opened.service_id, opened.id
    order by opened.id`);

const showStep = ({ step, openedAt, ...row }: StepRow, reader: Reader): StepTaken => ({
  ...row,
  label: step === LAST_RESORT ? 'Last resort: administrators' : step === 0 ? 'At once' : `Step ${step}`,
  isLastResort: step === LAST_RESORT,
  at: showTime(openedAt, reader),
});
