// How far alarms and stale periods have climbed, and when an acknowledgement of them ended.
import sql, { type Sql } from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { Climbed, PassedOn } from '../../domain/notifications/situation.ts';
import type { AlarmSeverity, Beginning } from '../../domain/notifications/subject.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';

interface OpenedRow {
  serviceId: ServiceId;
  subject: Beginning;
  step: number;
  at: Date;
  reason: Reason;
}

/** Of the alarm and the stale period that the services are in. */
export const selectOpenedSteps = (serviceIds: Sql): Statement<OpenedRow> => sql`
  select service_id as "serviceId", opened.severity as "subject", step, opened_at as "at", why as "reason"
  from alarm_state cross join lateral (
    select severity, step, opened_at, why from step_opened
    where step_opened.service_id = alarm_state.service_id and step_opened.episode_id = alarm_state.episode_id
    union all
    select severity, step, opened_at, why from step_opened
    where step_opened.service_id = alarm_state.service_id and stale_since is not null and stale_event_id = (
      select id from alarm_event
      where alarm_event.service_id = alarm_state.service_id and kind = 'went_stale' order by id desc limit 1)) as opened
  where service_id = any(${serviceIds}) and (alarm_state.episode_id is not null or stale_since is not null)`;

interface EndedRow {
  serviceId: ServiceId;
  severity: AlarmSeverity;
  at: Date;
}

/** While the alarm went on: somebody removed it, other limits or its time did. */
export const selectAcknowledgementEnds = (serviceIds: Sql): Statement<EndedRow> => sql`
  select service_id as "serviceId", lower(ended.severity) as "severity", max(ended_at) as "at"
  from alarm_state join acknowledgement ended using (service_id, episode_id)
  where service_id = any(${serviceIds}) and end_reason in ('removed', 'limits_changed', 'expired')
  group by service_id, ended.severity`;

export function toClimbed(
  opened: OpenedRow[],
  ends: EndedRow[],
  passedOn: (PassedOn & { serviceId: ServiceId })[],
): (serviceId: ServiceId) => Climbed {
  const openedOf = groupBy(opened, ({ serviceId }) => serviceId);
  const endsOf = groupBy(ends, ({ serviceId }) => serviceId);
  const passedOf = new Map(passedOn.map((row) => [row.serviceId, row]));
  return (serviceId) => ({
    opened: openedOf.get(serviceId) ?? [],
    acknowledgementEnds: endsOf.get(serviceId) ?? [],
    passedOn: passedOf.get(serviceId) ?? null,
  });
}

interface NewStep extends OpenedRow {
  episodeId: string | null;
  staleEventId: string | null;
}

export function insertOpenedSteps(tx: Tx, steps: readonly NewStep[]): void {
  if (steps.length === 0) return;
  tx.later(sql`
    insert into step_opened (service_id, episode_id, stale_event_id, severity, step, opened_at, why)
    select "serviceId", "episodeId", "staleEventId", subject, step, at, reason
    from json_to_recordset(${JSON.stringify(steps)}) as given ("serviceId" int, "episodeId" bigint, "staleEventId" bigint,
      subject text, step int, at timestamptz, reason jsonb)`);
}
