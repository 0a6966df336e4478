// What is stored of services, and readings put in past the engine.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../../src/engine/readings/merge-parts.ts';
import { readStored } from '../../src/engine/readings/read-stored.ts';
import type { Database, ReadDatabase } from '../../src/platform/db/database.ts';

interface StoredReading {
  /** Of the channel. */
  name: string;
  at: Date;
  value: number;
}

const EVER = { from: 0, to: Date.UTC(2100, 0) };

/** In order of time, then of names. */
export async function listStored(db: ReadDatabase, serviceId: number): Promise<StoredReading[]> {
  const channels = await db.query<{ id: number; name: string }>(
    sql`select id, name from channel where service_id = ${serviceId} order by name`,
  );
  const asked = channels.map(({ id }) => ({ serviceId: serviceId as ServiceId, channelId: id }));
  const { byChannel } = await readStored(db, asked, EVER);
  return channels
    .flatMap(({ id, name }) => {
      const { ats = [], values = [] } = byChannel.get(id) ?? {};
      return Array.from(ats, (at, index) => ({ name, at: new Date(at), value: values[index] as number }));
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

export async function countStored(db: ReadDatabase, serviceIds: readonly number[]): Promise<number> {
  let count = 0;
  for (const serviceId of serviceIds) count += (await listStored(db, serviceId)).length;
  return count;
}

interface Series {
  serviceId: ServiceId;
  channelId: number;
  ats: number[];
  values: number[];
}

const ROWS_AT_ONCE = 20_000;

/** As posts would have left them; `isPacked`: and as the packer leaves those. */
export async function putReadings(
  db: Database,
  { serviceId, channelId, ats, values }: Series,
  now: Date,
  isPacked = true,
): Promise<void> {
  const [owner] = await db.query<{ id: OrganizationId }>(
    sql`select organization_id as "id" from service where id = ${serviceId}`,
  );
  for (let from = 0; from < ats.length; from += ROWS_AT_ONCE) {
    const some = ats.slice(from, from + ROWS_AT_ONCE);
    const columns = {
      serviceIds: some.map(() => serviceId),
      channelIds: some.map(() => channelId),
      ats: some,
      values: values.slice(from, from + ROWS_AT_ONCE),
    };
    await db.query(appendHistory(owner?.id ?? (0 as OrganizationId), columns, now));
  }
  if (isPacked) await packAll(db, now);
}

/** Everything that waits, and every part of a day that is over. */
export async function packAll(db: Database, now: Date): Promise<void> {
  // Who found nothing to do ends a moment after it has said so.
  while ((await packInbox(db, now, { atOnce: true })) !== 'nothing_to_do');
  while ((await mergeParts(db, now)) !== 'nothing_to_do');
}
