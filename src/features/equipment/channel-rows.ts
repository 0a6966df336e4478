import sql from 'sql-template-tag';
import type { ChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Channel {
  id: number;
  serviceId: ServiceId;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
}

const CHANNEL_COLUMNS = sql`channel.id, service_id as "serviceId", channel.name, label, unit, kind,
  off_word as "offWord", on_word as "onWord"`;

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

export const updateChannel = (
  tx: Tx,
  id: number,
  { label, unit, kind, offWord, onWord }: Pick<Channel, 'label' | 'unit' | 'kind' | 'offWord' | 'onWord'>,
) =>
  tx.query(sql`
    update channel set label = ${label}, unit = ${unit}, kind = ${kind}, off_word = ${offWord}, on_word = ${onWord}
    where id = ${id}`);
