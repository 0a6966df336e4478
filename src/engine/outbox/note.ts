// What is to be told: rows written in the transaction of the state change, and looked at by decide.ts.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { AlarmEvent } from '../../domain/notifications/alarm-event.ts';
import { type AlarmSeverity, isAbout, SUBJECTS } from '../../domain/notifications/subject.ts';
import { describeAcknowledgement } from '../../domain/words/note-words.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';

const UNDECIDED = sql`'{"code": "not_decided"}'::jsonb`;

/** One statement, however many: what comes of them is decided within a second, off the path of the readings. */
export function noteHappenings(tx: Tx, events: readonly AlarmEvent[], now: Date): void {
  const rows = events.map((event) => ({ ...event, ...placeSubject(event), message: event.message ?? '' }));
  tx.announce();
  tx.later(sql`
    insert into notification (service_id, organization_id, episode_id, subject, severity, why, message, state, due_at,
      created_at, happened_at, channel, value, limit_value)
    select "serviceId", organization_id, "episodeId", subject, given.severity, ${UNDECIDED}, given.message, 'waiting',
      ${now}, ${now}, to_timestamp("at" / 1000.0), given.channel, given.value, "limit"
    from json_to_recordset(${JSON.stringify(rows)}) as given ("serviceId" int, "episodeId" bigint, subject text,
      severity text, message text, "at" float8, channel text, value float8, "limit" float8)
    join alarm_state on service_id = "serviceId"`);
  lookBehind(
    tx,
    events.filter(({ subject }) => isAbout(subject, 'stale')).map(({ serviceId }) => serviceId),
    now,
  );
}

/** Whether a service tells that it is stale depends on whether its gateways are. */
function lookBehind(tx: Tx, gateways: readonly ServiceId[], now: Date): void {
  if (gateways.length === 0) return;
  tx.later(sql`
    insert into look_again (service_id, noted_at)
    select distinct service_id, ${now}::timestamptz from service_parent where parent_id = any(${gateways}::int[])`);
}

const placeSubject = ({ subject, to, episodeId }: AlarmEvent) => ({
  severity: SUBJECTS[subject].severity ?? to,
  episodeId: isAbout(subject, 'stale') ? null : episodeId,
});

interface GivenAcknowledgement {
  serviceId: LockedService;
  episodeId: string | null;
  severity: AlarmSeverity;
  comment: string | null;
  accountName: string;
}

export function noteAcknowledgement(tx: Tx, given: GivenAcknowledgement, now: Date): void {
  tx.announce();
  tx.later(sql`
    insert into notification (service_id, organization_id, episode_id, subject, severity, why, message, state, due_at,
      created_at, since, happened_at, channel, value, limit_value, author_name, comment)
    select service_id, organization_id, ${given.episodeId}::bigint, 'acknowledgement', ${given.severity},
      ${UNDECIDED}, coalesce(nullif(message, ''), ${describeAcknowledgement(given.accountName)}), 'waiting', ${now}, ${now}, severity_since, ${now}, channel, value,
      limit_value, ${given.accountName}, ${given.comment}
    from alarm_state where service_id = ${given.serviceId}`);
}
