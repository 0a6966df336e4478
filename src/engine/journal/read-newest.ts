// What the channels of services last said, up to this moment.
import sql, { type Sql } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { type Behind, bringUpToNow, selectEntriesOf } from './bring-up-to-now.ts';

/** By channel, in the same order. */
export type Newest = Pick<Behind, 'channelIds' | 'channelAt' | 'channelValues'>;

/** The same services, each with it. */
export async function withNewest<Service extends { id: ServiceId }>(
  db: ReadDatabase,
  services: readonly Service[],
): Promise<(Service & Newest)[]> {
  if (services.length === 0) return [];
  const ids = sql`${packInts(services.map(({ id }) => id))}::int[]`;
  const selectRows = selectNewest(ids);
  const found = await db.queryAll({ entries: selectEntriesOf(ids), rows: selectRows });
  const rows = await bringUpToNow(db, ids, found, selectRows);
  const byService = new Map(rows.map((row) => [row.serviceId, row]));
  return services.map((service) => {
    const { channelIds, channelAt, channelValues } = byService.get(service.id) ?? NONE;
    return { ...service, channelIds, channelAt, channelValues };
  });
}

const NONE: Newest = { channelIds: [], channelAt: [], channelValues: [] };

const selectNewest = (ids: Sql): Statement<Behind & { serviceId: ServiceId }> => sql`
  select service_id as "serviceId", position::float8 as "position", channel_ids as "channelIds",
    channel_at_ms::float8[] as "channelAt", channel_values as "channelValues"
  from alarm_state where service_id = any(${ids})`;
