import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { WebhookKind } from '../../engine/transports/webhook/kinds.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface VisibleService {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
}

/** null for an archived one too. */
export const selectService = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<VisibleService>(sql`
      select id, organization_id as "organizationId", name from service
      where id = ${serviceId} and archived_at is null`),
  );

/** All messages of each drill. */
export const selectNotificationsOfDrills = (
  db: ReadDatabase,
  serviceId: ServiceId,
  episodeIds: readonly string[],
) =>
  db.query<{ id: string; episodeId: string }>(sql`
    select id, episode_id as "episodeId" from notification
    where service_id = ${serviceId} and episode_id = any(${episodeIds}::bigint[]) and mark = 'drill' order by id`);

export const selectWebhooks = (db: ReadDatabase, ids: readonly string[]) =>
  db.query<{ id: string; webhookKind: WebhookKind; webhookUrl: string }>(sql`
    select id::text, kind as "webhookKind", url as "webhookUrl" from notification_group_webhook
    where id::text = any(${ids}::text[])`);
