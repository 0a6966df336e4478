// The worst value of alarms that are over, looked up in what is stored: off the path of readings, and for alarms of whatever
// past. What is looked up twice comes to the same.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { type BandName, isHigh } from '../../domain/judging/band.ts';
import type { Database } from '../../platform/db/database.ts';
import { readChartSeries } from '../readings/read-series.ts';

/** So few that nobody waits for it. */
const MOST_AT_ONCE = 50;
/** Of a long alarm the time of its worst is as exact as its points. */
const POINTS = 500;

interface Unseen {
  id: string;
  serviceId: ServiceId;
  /** null: of a channel that is gone, or it was about none. */
  channelId: number | null;
  band: BandName | null;
  from: Date;
  to: Date;
}

/** Answers how many were looked up. */
export async function lookUpWorst(db: Database, now: Date): Promise<number> {
  const unseen = await selectUnseen(db);
  let fault: unknown = null;
  for (const episode of unseen) {
    try {
      const worst = await findWorstStored(db, episode);
      await db.query(sql`
        update episode set worst_value = ${worst?.value ?? null}, worst_at = ${worst?.at ?? null}, looked_up_at = ${now}
        where id = ${episode.id} and looked_up_at is null`);
    } catch (error) {
      // The others are looked up all the same; this one at the next round again.
      fault ??= error;
    }
  }
  if (fault !== null) throw fault;
  return unseen.length;
}

/** The newest first: they are looked at. */
const selectUnseen = (db: Database) =>
  db.query<Unseen>(sql`
    select episode.id, episode.service_id as "serviceId", channel.id as "channelId", band,
      coalesce(least(over_since, began_at), began_at) as "from", ended_at as "to"
    from episode left join channel on channel.service_id = episode.service_id and channel.name = episode.channel
    where ended_at is not null and looked_up_at is null order by episode.id desc limit ${MOST_AT_ONCE}`);

async function findWorstStored(db: Database, { serviceId, channelId, band, from, to }: Unseen) {
  if (channelId === null || band === null) return null;
  const series = await readChartSeries(db, { serviceId, channelId, from, to, most: POINTS });
  let worst: { value: number; at: Date } | null = null;
  for (const { at, min, max } of series.points) {
    const value = isHigh(band) ? max : min;
    if (worst === null || (isHigh(band) ? value > worst.value : value < worst.value)) worst = { value, at };
  }
  return worst;
}
