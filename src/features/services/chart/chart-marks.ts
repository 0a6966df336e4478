// What people did to a service while a chart goes on: marks at their instants, with words for each.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';

export interface ChartMark {
  at: number;
  words: string;
}

interface MarkRow {
  kind: 'acknowledged' | 'limits' | 'muted';
  at: number;
  by: string;
  comment: string | null;
}

/** More would stand on each other. */
const MOST_MARKS = 20;

/** The newest, in order of time. */
export async function readMarks(
  db: ReadDatabase,
  serviceId: ServiceId,
  window: { from: Date; to: Date },
  language: Language,
): Promise<ChartMark[]> {
  const rows = await selectMarks(db, serviceId, window);
  return rows.map((row) => ({ at: row.at, words: sayMark(row, language) })).reverse();
}

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
    ) as mark order by created_at desc limit ${MOST_MARKS}`);

function sayMark({ kind, by, comment }: MarkRow, { say }: Language): string {
  if (kind === 'limits') return say('{person} changed limits', { person: by });
  const said =
    kind === 'acknowledged'
      ? say('{person} acknowledged', { person: by })
      : say('{person} muted notifications', { person: by });
  return comment === null ? said : `${said}: ${comment}`;
}
