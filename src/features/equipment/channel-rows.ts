import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ChannelFields } from '../../engine/equipment/channels.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Channel extends ChannelFields {
  id: number;
  /** The unit that its sender declared; null: none. */
  sentUnit: string | null;
}

const CHANNEL_COLUMNS = sql`channel.id, service_id as "serviceId", channel.name, label, unit, kind,
  off_word as "offWord", on_word as "onWord", sent_unit as "sentUnit"`;

export const selectChannels = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<Channel>(sql`
    select ${CHANNEL_COLUMNS} from channel where service_id = ${serviceId} order by name`);

/** Of a service that is watched. */
export const selectChannel = async (db: ReadDatabase, organizationId: OrganizationId, id: number) =>
  first(
    await db.query<Channel>(sql`
      select ${CHANNEL_COLUMNS} from channel join service on service.id = service_id
      where channel.id = ${id} and organization_id = ${organizationId} and archived_at is null`),
  );
