import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { BEGINNINGS } from '../../domain/notifications/subject.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import { IS_ACKNOWLEDGED } from '../../engine/sql-parts/service-state.ts';
import { IS_BEGINNING } from '../../engine/sql-parts/subjects.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface ReceiptLetter {
  id: string;
  createdAt: Date;
  recipient: string;
}

/** Of mails alone: whoever gets other letters has a key or an answer. */
const LETTER = sql`select id, created_at as "createdAt", recipient from letter where transport = 'email'`;

export const selectLetter = async (db: ReadDatabase, id: string) =>
  first(await db.query<ReceiptLetter>(sql`${LETTER} and id = ${id}`));

/** Before its deliveries, as whoever sends or drops them does. */
export const lockLetter = async (tx: Tx, id: string) =>
  first(await tx.query<ReceiptLetter>(sql`${LETTER} and id = ${id} for no key update`));

export interface ToldAlarm {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  serviceName: string;
  locationName: string | null;
  severity: 'critical' | 'warning' | 'stale';
  isDrill: boolean;
  toldAt: Date;
  confirmedAt: Date | null;
  /** Of the account that it was sent to; null: an address alone. */
  timezone: string | null;
  /** The alarm or stale period that was told of, and the one that there is now. */
  incidentId: string | null;
  currentIncidentId: string | null;
  isAcknowledged: boolean;
  /** All of the letter. */
  count: number;
}

/** What is wrong by the letter, worst first. Neither what was dropped from it nor what it says of ends. */
export const selectToldAlarms = (db: ReadDatabase, letterId: string, limit: number) =>
  db.query<ToldAlarm>(sql`
    select service.id as "serviceId", service.organization_id as "organizationId", service.name as "serviceName",
      location.name as "locationName", subject as "severity",
      coalesce(mark = 'drill', false) as "isDrill", coalesce(sent_at, delivery.created_at) as "toldAt", confirmed_at as "confirmedAt",
      account.timezone, coalesce(notification.episode_id, stale_event_id) as "incidentId",
      case when mark = 'drill' then drill.episode_id
        when archived_at is not null then null
        when subject = 'stale' then (
          select id from alarm_event
          where alarm_event.service_id = service.id and alarm_event.kind = 'went_stale' and stale_since is not null
          order by id desc limit 1)
        when state.severity <> 'normal' then state.episode_id end as "currentIncidentId",
      case when mark = 'drill' then drill.acknowledged_at is not null
        else subject <> 'stale' and ${IS_ACKNOWLEDGED} end as "isAcknowledged",
      count(*) over ()::int as "count"
    from delivery
    join notification on notification.id = notification_id
    join service on service.id = notification.service_id
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    left join account on account.id = delivery.account_id
    left join drill on mark = 'drill' and drill.episode_id = notification.episode_id and drill.service_id = service.id
    where letter_id = ${letterId} and delivery.state <> 'dropped' and mark is distinct from 'test'
      and ${IS_BEGINNING}
    order by coalesce(mark = 'drill', false), array_position(${BEGINNINGS}::text[], subject), happened_at, delivery.id
    limit ${limit}`);
