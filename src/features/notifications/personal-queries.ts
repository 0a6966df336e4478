import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Subject } from '../../domain/notifications/subject.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';

/** What a letter to one person about one thing was about. */
export interface ToldOne {
  id: string;
  createdAt: Date;
  /** When its link acknowledged. */
  usedAt: Date | null;
  accountId: AccountId;
  accountName: string;
  /** As it is now. */
  generation: number;
  timezone: string;
  organizationId: OrganizationId;
  /** Whether its organization still sends such links. */
  isAllowed: boolean;
  serviceId: ServiceId;
  serviceName: string;
  locationName: string | null;
  episodeId: string;
  subject: Subject;
  drillId: number | null;
}

/** More than one: the letter was about several things, and nobody acknowledges by it. */
export const selectTold = (db: ReadDatabase, letterId: string) =>
  db.query<ToldOne>(sql`
    select letter.id, letter.created_at as "createdAt", link_used_at as "usedAt", account.id as "accountId",
      account.name as "accountName", token_generation as "generation", account.timezone,
      organization.id as "organizationId", personal_links as "isAllowed", service.id as "serviceId",
      service.name as "serviceName", location.name as "locationName", notification.episode_id as "episodeId", subject,
      drill.id as "drillId"
    from letter join delivery on letter_id = letter.id and delivery.state <> 'dropped'
    join account on account.id = delivery.account_id and is_active
    join notification on notification.id = notification_id and notification.episode_id is not null
      and mark is distinct from 'test'
    join service on service.id = notification.service_id
    join organization on organization.id = service.organization_id
    ${WITH_PLACE}
    left join drill on mark = 'drill' and drill.episode_id = notification.episode_id and drill.service_id = service.id
    where letter.id = ${letterId} and letter.transport <> 'webhook' limit 2`);

/** Before its deliveries, as whoever sends or drops them does. */
export const lockLetter = (tx: Tx, letterId: string) =>
  tx.query(sql`select from letter where id = ${letterId} for no key update`);
