// The audit log as CSV, newest first. Whatever the size, one page at a time is in memory, and no connection is held
// while a slow reader reads.

import type { OrganizationId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { writeCsvText } from '../../platform/csv.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { type AuditRow, type AuditSearch, type Cursor, selectAudit } from './queries.ts';

/** In memory. */
const PAGE_ROWS = 250;

const COLUMNS: [head: string, read: (row: AuditRow) => string | number | null][] = [
  ['time', ({ happenedAt }) => formatInstant(happenedAt)],
  ['who', ({ accountName }) => accountName],
  ['account_id', ({ accountId }) => accountId],
  ['action', ({ action }) => action],
  ['service', ({ serviceName }) => serviceName],
  ['service_id', ({ serviceId }) => serviceId],
  ['detail', ({ detail }) => JSON.stringify(detail)],
  ['address', ({ address }) => address],
  ['request_id', ({ requestId }) => requestId],
];

const writeLine = (cells: (string | number | null)[]): string =>
  `${cells.map((cell) => writeCsvText(String(cell ?? ''))).join(',')}\r\n`;

/** Chunks of text. */
export async function* exportAudit(
  db: ReadDatabase,
  organizationId: OrganizationId,
  search: AuditSearch,
): AsyncGenerator<string> {
  yield writeLine(COLUMNS.map(([head]) => head));
  for (let below: Cursor | null = null; ; ) {
    const rows: AuditRow[] = await selectAudit(db, organizationId, search, below, PAGE_ROWS);
    const lines = await inSlices(eachInTurn(rows, (row) => writeLine(COLUMNS.map(([, read]) => read(row)))));
    if (lines.length > 0) yield lines.join('');
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    below = { at: last.cursorAt, id: last.id };
  }
}
