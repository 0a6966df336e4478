// Readings that were stored a row each are packed, week by week: whatever ends it, the next start goes on with the next
// week. Until it is done nobody works on the database.
import sql, { raw } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Session } from '../../platform/db/session.ts';
import { makeMonths } from './reading-months.ts';
import { insertPacks, packReadings } from './write-packs.ts';

/** So many are in memory together, but at least those of one channel. */
const READINGS_AT_ONCE = 500_000;

export async function moveOldReadings(session: Session, say: (line: string) => void): Promise<void> {
  let done = 0;
  // An older program that still runs may make another one meanwhile.
  for (let weeks = await selectWeeks(session); weeks[0]; weeks = await selectWeeks(session)) {
    const [{ name }] = weeks;
    const readings = await session.transaction(() => moveWeek(session, name));
    done += 1;
    say(`Packed ${readings} readings of the week ${done} of ${done + weeks.length - 1}.`);
  }
}

const selectWeeks = (session: Session) =>
  session.query<{ name: string }>(sql`
    select inhrelid::regclass::text as "name" from pg_inherits where inhparent = 'reading'::regclass order by 1`);

async function moveWeek(session: Session, partition: string): Promise<number> {
  // Whoever still stores the old way waits, and is refused when the table is gone.
  await session.run('lock table reading in share mode');
  const channels = await session.query<CountedChannel>(sql`
    select service_id as "serviceId", channel_id as "channelId", count(*)::float8 as "count"
    from ${raw(partition)} group by 1, 2 order by 1, 2`);
  for (const some of cutIntoLots(channels)) await moveChannels(session, partition, some);
  const tables = ['reading', 'reading_minute', 'reading_hour'].map((table) =>
    partition.replace('reading', table),
  );
  await session.run(`drop table if exists ${tables.join(', ')}`);
  return channels.reduce((sum, { count }) => sum + count, 0);
}

interface CountedChannel {
  serviceId: ServiceId;
  channelId: number;
  count: number;
}

function cutIntoLots(channels: readonly CountedChannel[]): CountedChannel[][] {
  const lots: CountedChannel[][] = [];
  let room = 0;
  for (const channel of channels) {
    if (channel.count > room) {
      lots.push([]);
      room = READINGS_AT_ONCE;
    }
    lots.at(-1)?.push(channel);
    room -= channel.count;
  }
  return lots;
}

interface ChannelWeek {
  serviceId: ServiceId;
  channelId: number;
  times: Buffer;
  values: Buffer;
}

/** As PostgreSQL sends numbers in binary: text would take many times as long. */
async function moveChannels(
  session: Session,
  partition: string,
  channels: readonly CountedChannel[],
): Promise<void> {
  const rows = await session.query<ChannelWeek>(sql`
    select service_id as "serviceId", channel_id as "channelId",
      string_agg(float8send(round(date_part('epoch', taken_at) * 1000)), '' order by taken_at) as "times",
      string_agg(float8send(value), '' order by taken_at) as "values"
    from ${raw(partition)} where service_id = any(${[...new Set(channels.map(({ serviceId }) => serviceId))]}::int[])
      and channel_id = any(${channels.map(({ channelId }) => channelId)}::int[])
    group by service_id, channel_id`);
  const packs = rows.flatMap(({ serviceId, channelId, times, values }) =>
    packReadings({ serviceId, channelId }, { ats: readFloats(times), values: readFloats(values) }, true),
  );
  await makeMonths(
    session,
    packs.map(({ day }) => day),
  );
  for (const statement of insertPacks(packs)) await session.query(statement);
}

function readFloats(bytes: Buffer): Float64Array {
  const floats = new Float64Array(bytes.byteLength / 8);
  for (let index = 0; index < floats.length; index += 1) floats[index] = bytes.readDoubleBE(index * 8);
  return floats;
}
