// That somebody stands at a unit: said at its door card by whoever it is, told to those who know of the alarm.
import sql from 'sql-template-tag';
import { type Arrivals, addressWindowAt } from '../../domain/door/door-card.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { AlarmSeverity } from '../../domain/notifications/subject.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';

const KEPT_MS = 24 * 60 * 60_000;

interface Asked {
  organizationId: OrganizationId;
  serviceId: ServiceId;
  cameFrom: string;
}

/** Many organizations may share an address: what was said in one of them keeps nobody of another from saying it. */
export async function selectArrivals(
  db: ReadDatabase,
  { organizationId, serviceId, cameFrom }: Asked,
  now: Date,
): Promise<Arrivals> {
  const found = first(
    await db.query<Arrivals>(sql`
      select (select max(arrived_at) from door_arrival where service_id = ${serviceId}) as "lastAt",
        count(*)::int as "fromAddress", min(arrived_at) as "firstFromAddressAt"
      from door_arrival join service on service.id = service_id and organization_id = ${organizationId}
      where came_from = ${cameFrom} and arrived_at > ${addressWindowAt(now)}`),
  );
  return found ?? { lastAt: null, fromAddress: 0, firstFromAddressAt: null };
}

interface Arrival {
  serviceId: LockedService;
  episodeId: string;
  severity: AlarmSeverity;
  cameFrom: string;
}

/** What comes of it is decided like everything else. */
export function insertArrival(
  tx: Tx,
  { serviceId, episodeId, severity, cameFrom }: Arrival,
  now: Date,
): void {
  tx.announce();
  tx.later(sql`
    insert into door_arrival (service_id, episode_id, came_from, arrived_at)
    values (${serviceId}, ${episodeId}, ${cameFrom}, ${now})`);
  tx.later(sql`
    insert into notification (service_id, organization_id, episode_id, subject, severity, why, message, state, due_at,
      created_at, since, happened_at, channel, value, limit_value)
    select service_id, organization_id, ${episodeId}::bigint, 'arrival', ${severity}, '{"code": "not_decided"}'::jsonb,
      message, 'waiting', ${now}, ${now}, severity_since, ${now}, channel, value, limit_value
    from alarm_state where service_id = ${serviceId}`);
}

export const forgetArrivals = (db: Database, now: Date) =>
  db.query(sql`delete from door_arrival where arrived_at < ${new Date(now.getTime() - KEPT_MS)}`);
