// What people did to a service while a chart goes on: marks at their instants, with words for each.
import sql from 'sql-template-tag';
import type { Requester } from '../../../domain/accounts/requester.ts';
import type { Role } from '../../../domain/accounts/role.ts';
import { mayChangeNote } from '../../../domain/equipment/unit-note.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { selectUnitNotes, type UnitNote } from '../../../engine/equipment/unit-notes.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';

export interface ChartMark {
  at: number;
  words: string;
  /** Where the note is changed; null: it is none, or not theirs. */
  notePath: string | null;
}

/** Who looks at the chart. */
export type ChartReader = Pick<Requester, 'accountId'> & { role: Role; language: Language };

interface MarkRow {
  kind: 'acknowledged' | 'limits' | 'muted' | 'downtime';
  at: number;
  by: string;
  comment: string | null;
}

/** More would stand on each other. */
const MOST_MARKS = 20;

/** Beside them: they were put there to be found. */
const MOST_NOTES = 50;

/** The newest, in order of time. */
export async function readMarks(
  db: ReadDatabase,
  serviceId: ServiceId,
  window: { from: Date; to: Date },
  reader: ChartReader,
): Promise<ChartMark[]> {
  const [rows, notes] = await Promise.all([
    selectMarks(db, serviceId, window),
    selectUnitNotes(db, serviceId, window, MOST_NOTES),
  ]);
  return [
    ...rows.map((row) => ({ at: row.at, words: sayMark(row, reader.language), notePath: null })),
    ...notes.map((note) => showNote(note, reader)),
  ].sort((one, other) => one.at - other.at);
}

const showNote = (note: UnitNote, { role, language, ...reader }: ChartReader): ChartMark => ({
  at: note.at.getTime(),
  // For translators: {person} wrote {note} beside a curve
  words: language.say('{person} noted: {note}', { person: note.authorName, note: note.text }),
  notePath: mayChangeNote(role, reader, note) ? `/services/${note.serviceId}/notes/${note.id}` : null,
});

const selectMarks = (db: ReadDatabase, serviceId: ServiceId, { from, to }: { from: Date; to: Date }) =>
  db.query<MarkRow>(sql`
    select kind, extract(epoch from created_at)::float8 * 1000 as at, "by", comment from (
      (select 'acknowledged' as kind, created_at, account_name as "by", comment from acknowledgement
        where service_id = ${serviceId} and created_at >= ${from} and created_at < ${to}
        order by created_at desc, id desc limit ${MOST_MARKS})
      union all
      (select 'muted', created_at, account_name, reason from mute
        where service_id = ${serviceId} and created_at >= ${from} and created_at < ${to}
        order by created_at desc, id desc limit ${MOST_MARKS})
      union all
      (select 'limits', created_at, author_name, null from limits_version
        where service_id = ${serviceId} and created_at >= ${from} and created_at < ${to}
        order by created_at desc, id desc limit ${MOST_MARKS})
      union all
      (select 'downtime', start_at, created_by_name, reason from downtime
        where service_id = ${serviceId} and start_at >= ${from} and start_at < ${to}
        order by start_at desc, id desc limit ${MOST_MARKS})
    ) as mark order by created_at desc limit ${MOST_MARKS}`);

function sayMark({ kind, by, comment }: MarkRow, { say }: Language): string {
  if (kind === 'downtime')
    return say('A downtime that {person} planned begins: {reason}', { person: by, reason: comment ?? '' });
  if (kind === 'limits') return say('{person} changed limits', { person: by });
  const said =
    kind === 'acknowledged'
      ? say('{person} acknowledged', { person: by })
      : say('{person} muted notifications', { person: by });
  return comment === null ? said : `${said}: ${comment}`;
}
