// The stored readings of a service as CSV, in order of time. Whatever the size, only some days are in memory, and no
// connection is held while a slow reader reads.
import type { ServiceId } from '../../../domain/ids.ts';
import type { Readings } from '../../../domain/readings/pack.ts';
import { DAY_MS, floorTo, type Span } from '../../../domain/readings/span.ts';
import { readStored } from '../../../engine/readings/read-stored.ts';
import { writeCsvText } from '../../../platform/csv.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { ShownChannel } from '../shown-service/queries.ts';

interface Export {
  serviceId: ServiceId;
  channels: ShownChannel[];
  from: Date;
  /** Exclusive. */
  to: Date;
}

const CHUNK_ROWS = 2_000;
const DAYS_AT_ONCE = 5;

/** Chunks of text. */
export async function* exportReadings(
  db: ReadDatabase,
  { serviceId, channels, from, to }: Export,
): AsyncGenerator<string> {
  yield 'time,channel,value,unit\r\n';
  const asked = channels.map(({ id }) => ({ serviceId, channelId: id }));
  for (const span of splitIntoDays({ from: from.getTime(), to: to.getTime() })) {
    const { byChannel } = await readStored(db, asked, span);
    const heads = channels.flatMap(({ id, name, unit }) => {
      const readings = byChannel.get(id);
      const cells = { name: `,${writeCsvText(name)},`, unit: `,${writeCsvText(unit ?? '')}` };
      return readings ? [{ ...cells, ...readings, place: 0 }] : [];
    });
    yield* writeLines(heads);
  }
}

function* splitIntoDays({ from, to }: Span): Generator<Span> {
  for (let begin = from; begin < to; ) {
    const end = Math.min(floorTo(begin, DAY_MS) + DAYS_AT_ONCE * DAY_MS, to);
    yield { from: begin, to: end };
    begin = end;
  }
}

/** A channel at its next reading. */
interface Head extends Readings {
  /** Ready to be written, with the commas around. */
  name: string;
  unit: string;
  place: number;
}

function* writeLines(heads: readonly Head[]): Generator<string> {
  let lines: string[] = [];
  for (let next = findEarliest(heads); next; next = findEarliest(heads)) {
    const { ats, values, name, unit, place } = next;
    lines.push(`${new Date(ats[place] as number).toISOString()}${name}${values[place]}${unit}`);
    next.place += 1;
    if (lines.length < CHUNK_ROWS) continue;
    yield `${lines.join('\r\n')}\r\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`;
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
