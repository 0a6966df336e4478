// Past alarms as CSV, newest first. Whatever the size, one page at a time is in memory, and no connection is held while a slow
// reader reads.
import { lastedMs, waitedMs } from '../../domain/history/episode-spans.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { type CsvCell, minutes, writeLine } from '../../platform/csv-lines.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { type EpisodeCursor, type EpisodeRow, type Named, selectEpisodes } from './queries.ts';
import type { EpisodeSearch } from './read-search.ts';
import { readTelling, type Telling } from './read-telling.ts';

/** In memory. */
const PAGE_ROWS = 250;

const time = (at: Date | null): string | null => at && formatInstant(at);

const COLUMNS: [head: string, read: (row: EpisodeRow, telling: Telling, now: Date) => CsvCell][] = [
  ['episode_id', ({ id }) => id],
  ['organization', ({ organizationName }) => organizationName],
  ['location', ({ locationName }) => locationName],
  ['asset', ({ assetName }) => assetName],
  ['service', ({ serviceName }) => serviceName],
  ['service_id', ({ serviceId }) => serviceId],
  ['severity', ({ severity }) => severity],
  ['channel', ({ channelName }) => channelName],
  ['band', ({ band }) => band],
  ['limit', ({ limit }) => limit],
  ['unit', ({ channel }) => channel?.unit ?? null],
  ['over_since', ({ overSince }) => time(overSince)],
  ['began', ({ beganAt }) => time(beganAt)],
  ['ended', ({ endedAt }) => time(endedAt)],
  ['minutes', (row, _, now) => minutes(lastedMs(row, now))],
  ['worst', ({ worst }) => worst],
  ['worst_at', ({ worstAt }) => time(worstAt)],
  ['acknowledged', ({ acknowledgedAt }) => time(acknowledgedAt)],
  ['acknowledged_by', ({ acknowledgedBy }) => acknowledgedBy],
  ['minutes_to_acknowledge', (row) => minutes(waitedMs(row))],
  ['comments', ({ comments }) => comments],
  ['arrived', (_, telling) => count(telling, 'arrived')],
  ['handed_over', (_, telling) => count(telling, 'handedOver')],
  ['waiting', (_, telling) => count(telling, 'waiting')],
  ['not_handed_over', (_, telling) => count(telling, 'stayed')],
];

/** Empty: it is no longer kept, or not decided yet. */
const count = (telling: Telling, what: 'arrived' | 'handedOver' | 'waiting' | 'stayed'): number | null =>
  typeof telling === 'string' ? null : telling[what];

/** Chunks of text. */
export async function* exportHistory(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  asked: { search: EpisodeSearch; named: Named },
  now: Date,
): AsyncGenerator<string> {
  yield writeLine(COLUMNS.map(([head]) => head));
  for (let below: EpisodeCursor | null = null; ; ) {
    const rows: EpisodeRow[] = await selectEpisodes(db, own, asked, below, PAGE_ROWS);
    const tellingOf = await readTelling(db, rows);
    const lines = await inSlices(
      eachInTurn(rows, (row) => writeLine(COLUMNS.map(([, read]) => read(row, tellingOf(row.id), now)))),
    );
    if (lines.length > 0) yield lines.join('');
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    below = { at: last.cursorAt, id: last.id };
  }
}
