// What the journal brought to quiet services is written into their rows: before the packer takes its entries away, and where
// rows are looked through by their times.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { packBigints, packFloats, packInts } from '../../platform/db/pack-numbers.ts';
import { isLockTimeout } from '../../platform/db/passing-fault.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { type Behind, type Entry, openToNewer, readBatch } from '../journal/bring-up-to-now.ts';

/** Those of organizations with entries that were taken in after this instant. */
export async function bringRowsUpToDate(db: Database, since: Date): Promise<void> {
  const entries = await db.query<JournalEntry>(sql`
    select organization_id as "organizationId", position::float8 as "position", read_whole(data) as "data"
    from reading_inbox
    where organization_id in (select organization_id from reading_inbox where received_at > ${since})
      and count > 0 and damaged_at is null
    order by organization_id, position`);
  await writeNewest(db, entries);
}

export interface JournalEntry extends Entry {
  organizationId: OrganizationId;
}

interface QuietRow extends Behind {
  serviceId: ServiceId;
  organizationId: OrganizationId;
}

/** Channels in one transaction. */
const MOST_AT_ONCE = 1_000;

/**
 * From the first entries of their organizations that are not packed, and none left out. false: somebody holds a row for long,
 * and it was not waited for.
 */
export async function writeNewest(db: Database, entries: readonly JournalEntry[]): Promise<boolean> {
  const until = new Map(entries.map(({ organizationId, position }) => [organizationId, position]));
  try {
    const newest = await inSlices(findNewestOfAll(entries), 'history');
    for (const lot of cutIntoLots(newest))
      await db.transaction((tx) => writeSome(tx, lot, until), 'by_index');
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

const PATIENCE = sql`select set_config('lock_timeout', '500ms', true)`;

interface NewestReading {
  serviceId: ServiceId;
  channelId: number;
  position: number;
  at: Instant;
  value: number;
}

/** Of each channel: a row that holds it already holds all that came before it. Stops after each entry. */
function* findNewestOfAll(entries: readonly JournalEntry[]): Generator<void, NewestReading[]> {
  const byChannel = new Map<number, NewestReading>();
  for (const { position, data } of entries) {
    const batch = data && readBatch(data);
    if (!batch) continue;
    const { serviceIds, channelIds, ats, values } = batch;
    for (let index = 0; index < ats.length; index += 1) {
      const channelId = channelIds[index] as number;
      const at = ats[index] as number;
      const known = byChannel.get(channelId);
      if (known && at <= known.at) continue;
      const value = values[index] as number;
      if (!known) {
        const serviceId = serviceIds[index] as ServiceId;
        byChannel.set(channelId, { serviceId, channelId, position, at, value });
        continue;
      }
      // In place: this is done for every reading.
      known.position = position;
      known.at = at;
      known.value = value;
    }
    yield;
  }
  return [...byChannel.values()].sort((one, other) => one.serviceId - other.serviceId);
}

/** All channels of a service in one. */
function cutIntoLots(sorted: readonly NewestReading[]): NewestReading[][] {
  const lots: NewestReading[][] = [];
  let lot: NewestReading[] = [];
  for (const reading of sorted) {
    if (lot.length >= MOST_AT_ONCE && lot.at(-1)?.serviceId !== reading.serviceId) {
      lots.push(lot);
      lot = [];
    }
    lot.push(reading);
  }
  return lot.length > 0 ? [...lots, lot] : lots;
}

async function writeSome(
  tx: Tx,
  lot: readonly NewestReading[],
  until: ReadonlyMap<OrganizationId, number>,
): Promise<void> {
  const serviceIds = [...new Set(lot.map(({ serviceId }) => serviceId))];
  tx.later(PATIENCE);
  const rows = await tx.query<QuietRow>(sql`
    select service_id as "serviceId", organization_id as "organizationId", position::float8 as "position",
      channel_ids as "channelIds", channel_at_ms::float8[] as "channelAt", channel_values as "channelValues"
    from alarm_state where service_id = any(${packInts(serviceIds)}::int[])
    order by service_id for no key update`);
  const timesBefore = new Map(rows.map((row) => [row.serviceId, [...row.channelAt]]));
  const bring = openToNewer(rows);
  for (const { position, channelId, at, value } of lot) bring(position, channelId, at, value);
  const behind = rows.filter(({ position, organizationId }) => position < (until.get(organizationId) ?? 0));
  if (behind.length === 0) return;
  const ends: number[] = [];
  for (const { channelIds } of behind) ends.push((ends.at(-1) ?? 0) + channelIds.length);
  tx.later(sql`
    update alarm_state
    set channel_at_ms = coalesce((${packBigints(behind.flatMap(({ channelAt }) => channelAt))}::bigint[])[begins:ends], '{}'),
      channel_values = coalesce((${packFloats(behind.flatMap(({ channelValues }) => channelValues))}::float8[])[begins:ends], '{}'),
      position = until,
      next_due_at = case when severity = 'normal' and stale_since is null and channel_alarms is null
        then next_due_at + make_interval(secs => later_ms / 1000.0) else next_due_at end
    from unnest(${packInts(behind.map(({ serviceId }) => serviceId))}::int[],
      ${packBigints(behind.map(({ organizationId }) => until.get(organizationId) ?? 0))}::bigint[],
      ${packInts(behind.map(({ channelIds }, index) => (ends[index] ?? 0) - channelIds.length + 1))}::int[],
      ${packInts(ends)}::int[],
      ${packFloats(behind.map((row) => findLeastAdvance(timesBefore.get(row.serviceId) ?? [], row)))}::float8[])
      as given (id, until, begins, ends, later_ms)
    where service_id = id`);
}

/** A quiet service goes stale as much later as its newest reading is, and each of its channels falls silent as much later. */
const findLeastAdvance = (before: readonly Instant[], { channelAt }: Behind): number =>
  channelAt.length === 0 ? 0 : Math.min(...channelAt.map((at, index) => at - (before[index] ?? at)));
