// The stored readings of services, one service after the other, each in order of time. However long the span, only some
// days of one service are in memory, and no connection is held while a slow reader reads.
import { setImmediate as breathe } from 'node:timers/promises';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Readings } from '../../../domain/readings/pack.ts';
import { dayOf, type Span } from '../../../domain/readings/span.ts';
import { cutIntoWindows } from '../../../domain/readings/windows.ts';
import { selectDayCounts } from '../../../engine/readings/packs.ts';
import { readStored } from '../../../engine/readings/read-stored.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';

export interface ExportedChannel {
  id: number;
  name: string;
  unit: string | null;
  /** The device that says it, where there are several. */
  deviceKey?: string | null;
}

export interface ExportedService {
  id: ServiceId;
  name: string;
  deviceKeys: string[];
  channels: readonly ExportedChannel[];
}

/** Some rows of one service, as columns. */
export interface Rows {
  service: ExportedService;
  ats: number[];
  channels: ExportedChannel[];
  values: number[];
}

export interface Unreadable {
  service: ExportedService;
  channel: ExportedChannel;
  /** `to` inclusive. */
  from: Date;
  to: Date;
}

export interface ReadWatch {
  /** What could not be read is left out. */
  onDamage?: (damage: Unreadable) => void;
  /** Which share of the services was read. */
  onRead?: (share: number) => void;
}

const READINGS_AT_ONCE = 100_000;
const ROWS_AT_ONCE = 2_000;

export async function* readRows(
  db: ReadDatabase,
  services: readonly ExportedService[],
  span: Span,
  { onDamage, onRead }: ReadWatch = {},
): AsyncGenerator<Rows> {
  for (const [index, service] of services.entries()) {
    const windows = await planWindows(db, service, span);
    const tell = onDamage && onlyOnce(onDamage);
    for (const [place, window] of windows.entries()) {
      const heads = await readWindow(db, service, window, tell);
      for (const rows of mergeHeads(service, heads)) {
        yield rows;
        await breathe();
      }
      onRead?.((index + (place + 1) / windows.length) / services.length);
    }
  }
}

/** One that reaches over the end of a window is met in the next one too. */
function onlyOnce(onDamage: (damage: Unreadable) => void): (damage: Unreadable) => void {
  const told = new Set<string>();
  return (damage) => {
    const name = `${damage.channel.id} ${damage.from.getTime()} ${damage.to.getTime()}`;
    if (!told.has(name)) onDamage(damage);
    told.add(name);
  };
}

async function planWindows(db: ReadDatabase, service: ExportedService, span: Span): Promise<Span[]> {
  if (span.from >= span.to || service.channels.length === 0) return [];
  const counts = await db.query(
    selectDayCounts({
      serviceIds: [service.id],
      channelIds: service.channels.map(({ id }) => id),
      days: { first: dayOf(span.from), last: dayOf(span.to - 1) },
    }),
  );
  return cutIntoWindows(span, counts, READINGS_AT_ONCE);
}

/** A channel at its next reading. */
interface Head extends Readings {
  channel: ExportedChannel;
  place: number;
}

async function readWindow(
  db: ReadDatabase,
  service: ExportedService,
  window: Span,
  onDamage: ReadWatch['onDamage'],
): Promise<Head[]> {
  const asked = service.channels.map(({ id }) => ({ serviceId: service.id, channelId: id }));
  const { byChannel, damaged } = await readStored(db, asked, window);
  for (const { channelId, from, to } of damaged) {
    const channel = service.channels.find(({ id }) => id === channelId);
    if (channel && from < window.to && to >= window.from)
      onDamage?.({ service, channel, from: new Date(from), to: new Date(to) });
  }
  return service.channels.flatMap((channel) => {
    const readings = byChannel.get(channel.id);
    return readings ? [{ ...readings, channel, place: 0 }] : [];
  });
}

function* mergeHeads(service: ExportedService, heads: readonly Head[]): Generator<Rows> {
  let rows: Rows = { service, ats: [], channels: [], values: [] };
  for (let next = findEarliest(heads); next; next = findEarliest(heads)) {
    rows.ats.push(next.ats[next.place] as number);
    rows.channels.push(next.channel);
    rows.values.push(next.values[next.place] as number);
    next.place += 1;
    if (rows.ats.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = { service, ats: [], channels: [], values: [] };
  }
  if (rows.ats.length > 0) yield rows;
}

/** At the same time, in the order of the channels. */
function findEarliest(heads: readonly Head[]): Head | null {
  let earliest: Head | null = null;
  for (const head of heads) {
    const at = head.ats[head.place];
    if (at === undefined) continue;
    if (!earliest || at < (earliest.ats[earliest.place] as number)) earliest = head;
  }
  return earliest;
}
