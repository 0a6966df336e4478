// Readings that were stored a row each are packed, week by week: whatever ends it, the next start goes on with the next
// week. Until it is done nobody works on the database.
import sql, { raw } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Session } from '../../platform/db/session.ts';
import { makeMonths } from './reading-months.ts';
import { insertPacks, packReadings } from './write-packs.ts';

const SERVICES_AT_ONCE = 50;

export async function moveOldReadings(session: Session, say: (line: string) => void): Promise<void> {
  const weeks = await session.query<{ name: string }>(sql`
    select inhrelid::regclass::text as "name" from pg_inherits where inhparent = 'reading'::regclass order by 1`);
  for (const [index, { name }] of weeks.entries()) {
    const readings = await session.transaction(() => moveWeek(session, name));
    say(`Packed ${readings} readings of the week ${index + 1} of ${weeks.length}.`);
  }
}

async function moveWeek(session: Session, partition: string): Promise<number> {
  const services = await session.query<{ serviceId: ServiceId }>(sql`
    select distinct service_id as "serviceId" from ${raw(partition)} order by 1`);
  let readings = 0;
  for (let from = 0; from < services.length; from += SERVICES_AT_ONCE) {
    const some = services.slice(from, from + SERVICES_AT_ONCE).map(({ serviceId }) => serviceId);
    readings += await moveServices(session, partition, some);
  }
  const rollups = ['reading', 'reading_minute', 'reading_hour'].map((table) =>
    partition.replace('reading', table),
  );
  await session.run(`drop table ${rollups.join(', ')}`);
  return readings;
}

interface ChannelDay {
  serviceId: ServiceId;
  channelId: number;
  times: Buffer;
  values: Buffer;
}

/** As PostgreSQL sends numbers in binary: text would take many times as long. */
async function moveServices(session: Session, partition: string, serviceIds: ServiceId[]): Promise<number> {
  const rows = await session.query<ChannelDay>(sql`
    select service_id as "serviceId", channel_id as "channelId",
      string_agg(float8send(round(date_part('epoch', taken_at) * 1000)), '' order by taken_at) as "times",
      string_agg(float8send(value), '' order by taken_at) as "values"
    from ${raw(partition)} where service_id = any(${serviceIds}::int[])
    group by service_id, channel_id`);
  const packs = rows.flatMap(({ serviceId, channelId, times, values }) =>
    packReadings({ serviceId, channelId }, { ats: readFloats(times), values: readFloats(values) }, true),
  );
  await makeMonths(
    session,
    packs.map(({ day }) => day),
  );
  for (const statement of insertPacks(packs)) await session.query(statement);
  return packs.reduce((sum, { count }) => sum + count, 0);
}

function readFloats(bytes: Buffer): Float64Array {
  const floats = new Float64Array(bytes.byteLength / 8);
  for (let index = 0; index < floats.length; index += 1) floats[index] = bytes.readDoubleBE(index * 8);
  return floats;
}
