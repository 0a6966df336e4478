// The alarms of some organizations as they were at one moment, each entry written out.
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import {
  type ListChange,
  type ListVersion,
  type RowVersion,
  selectListChanges,
  selectListVersion,
  selectRowVersions,
  selectWindows,
} from './list-queries.ts';
import { selectAlarmsOf } from './queries.ts';
import { writeEntry } from './write-entry.ts';

export interface ListState {
  version: ListVersion;
  /** The versions of the notes. */
  changes: ReadonlySet<string>;
  readAt: Date;
  /** In the order of the list. */
  entries: ReadonlyMap<ServiceId, Entry>;
}

interface Entry {
  version: string;
  /** null: the service is archived. */
  alarm: { organizationId: OrganizationId; text: string } | null;
  /** Downtimes. */
  windows: [start: number, end: number][];
}

/** Downtimes that are over are read as well if they ended within this time: clocks are set back a little now and then. */
const PAST_MS = 60_000;

/** Whether nothing but time has passed since. */
export async function isUnchanged(
  db: ReadDatabase,
  organizationIds: OrganizationId[],
  { version: { server, rows } }: ListState,
): Promise<boolean> {
  const found = first(await db.query(selectListVersion(organizationIds), 'at_one_moment'));
  return found?.server === server && found.rows === rows;
}

export const isReadFor = ({ readAt }: ListState, now: Date): boolean =>
  now.getTime() >= readAt.getTime() - PAST_MS;

/** Of what is known, only what changed is read again. */
export const readList = (
  db: Database,
  organizationIds: OrganizationId[],
  known: ListState | null,
  now: Date,
): Promise<ListState> =>
  db.transaction(async (tx) => {
    const { versions, rows, changes } = await tx.queryAll({
      versions: selectListVersion(organizationIds),
      rows: selectRowVersions(organizationIds),
      changes: selectListChanges(organizationIds),
    });
    const [version] = versions;
    const comparable = known?.version.server === version.server ? known : null;
    const read = await readEntries(tx, findOutdated(comparable, rows, changes), now);
    const entries = new Map<ServiceId, Entry>();
    for (const { serviceId } of rows) {
      const entry = read.get(serviceId) ?? comparable?.entries.get(serviceId);
      if (entry) entries.set(serviceId, entry);
    }
    return {
      version,
      changes: new Set(changes.map((change) => change.version)),
      readAt: known && known.readAt > now ? known.readAt : now,
      entries,
    };
  }, 'at_one_moment');

function findOutdated(
  known: ListState | null,
  rows: readonly RowVersion[],
  changes: readonly ListChange[],
): RowVersion[] {
  const added = changes.filter(({ version }) => !known?.changes.has(version));
  if (!known || added.some(({ serviceIds }) => serviceIds === null)) return [...rows];
  const touched = new Set(added.flatMap(({ serviceIds }) => serviceIds ?? []));
  return rows.filter(
    ({ serviceId, version }) => touched.has(serviceId) || known.entries.get(serviceId)?.version !== version,
  );
}

async function readEntries(
  tx: Tx,
  rows: readonly RowVersion[],
  now: Date,
): Promise<ReadonlyMap<ServiceId, Entry>> {
  if (rows.length === 0) return new Map();
  const serviceIds = rows.map(({ serviceId }) => serviceId);
  const { records, windows } = await tx.queryAll({
    records: selectAlarmsOf(serviceIds),
    windows: selectWindows(serviceIds, new Date(now.getTime() - PAST_MS)),
  });
  const entries = new Map<ServiceId, Entry>(
    rows.map(({ serviceId, version }) => [serviceId, { version, alarm: null, windows: [] }]),
  );
  for (const record of records) {
    const entry = entries.get(record.serviceId);
    if (entry) entry.alarm = { organizationId: record.organizationId, text: writeEntry(record) };
  }
  for (const { serviceId, startAt, endAt } of windows)
    entries.get(serviceId)?.windows.push([startAt.getTime(), endAt.getTime()]);
  return entries;
}
