// What the alarms list answered last, ready to be sent again. Every request asks the database whether it is still true; of
// what is not, only that is read and written anew.
import { organizationIdsOf, type Requester } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { createGatherer } from '../../platform/gather.ts';
import { type WrittenJson, writeTagged } from '../../platform/http/entity-tag.ts';
import { keepRecent } from '../../platform/keep-recent.ts';
import { isReadFor, isUnchanged, type ListState, readList } from './list-state.ts';
import { endEntry } from './write-entry.ts';

type Reader = Pick<Requester, 'memberships'>;

export type ReadAlarmList = (reader: Reader, now: Date) => Promise<WrittenJson>;

/** Of one choice of organizations. */
interface RememberedList {
  state: ListState;
  /** Between two edges of downtimes, by the organizations in which the reader may operate. */
  written: { from: number; until: number; lists: Map<string, WrittenJson> };
}

const MOST_BYTES = 64 * 1024 * 1024;

/** One look at a time, unless it takes long: whoever comes meanwhile shares the next one, which begins after he asked. */
const SHARED = { lanes: 6, worthALane: Number.POSITIVE_INFINITY, mostPerBatch: Number.POSITIVE_INFINITY };

export function rememberLists(db: Database, mostBytes = MOST_BYTES): ReadAlarmList {
  const recent = keepRecent<RememberedList>(mostBytes);
  const gatherer = createGatherer<{ reader: Reader; now: Date }, WrittenJson>(
    async (asks) => {
      const organizationIds = asks[0] ? listOrganizations(asks[0].reader) : [];
      const name = organizationIds.join();
      const now = new Date(Math.max(...asks.map((ask) => ask.now.getTime())));
      const list = await renew(db, organizationIds, recent.get(name) ?? null, now);
      const answers = asks.map(({ reader }) => findWritten(list, reader));
      recent.put(name, list, sizeOf(list));
      return answers;
    },
    { ...SHARED, lineOf: ({ reader }) => listOrganizations(reader).join() },
  );
  return (reader, now) => gatherer.take({ reader, now }, 1);
}

const listOrganizations = (reader: Reader): OrganizationId[] =>
  organizationIdsOf(reader).sort((one, other) => one - other);

async function renew(
  db: Database,
  organizationIds: OrganizationId[],
  remembered: RememberedList | null,
  now: Date,
): Promise<RememberedList> {
  const known = remembered && isReadFor(remembered.state, now) ? remembered : null;
  if (known && (await isUnchanged(db, organizationIds, known.state))) {
    const { from, until } = known.written;
    if (from <= now.getTime() && now.getTime() < until) return known;
    return { state: known.state, written: beginWriting(known.state, now) };
  }
  const state = await readList(db, organizationIds, known?.state ?? null, now);
  return { state, written: beginWriting(state, now) };
}

function beginWriting({ entries }: ListState, now: Date): RememberedList['written'] {
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  for (const { windows } of entries.values())
    for (const edge of windows.flat())
      if (edge <= now.getTime()) from = Math.max(from, edge);
      else until = Math.min(until, edge);
  return { from, until, lists: new Map() };
}

function findWritten({ state, written }: RememberedList, { memberships }: Reader): WrittenJson {
  const operable = memberships
    .filter(({ role }) => canOperate(role))
    .map(({ organizationId }) => organizationId)
    .sort((one, other) => one - other);
  const name = operable.join();
  const known = written.lists.get(name);
  if (known) return known;
  const texts: string[] = [];
  for (const { alarm, windows } of state.entries.values()) {
    const isInDowntime = windows.some(([start, end]) => start <= written.from && end > written.from);
    if (alarm && !isInDowntime) texts.push(endEntry(alarm.text, operable.includes(alarm.organizationId)));
  }
  const list = writeTagged(`[${texts.join()}]`);
  written.lists.set(name, list);
  return list;
}

/** Of an entry without its text, of a downtime, and of a note: about so many bytes. */
const [ENTRY, WINDOW, NOTE] = [300, 100, 50];

/** Letters other than Latin ones take two bytes each. */
function sizeOf({ state, written }: RememberedList): number {
  let bytes = NOTE * state.changes.size + state.version.rows.length;
  for (const { alarm, windows } of state.entries.values())
    bytes += ENTRY + 2 * (alarm?.text.length ?? 0) + WINDOW * windows.length;
  for (const list of written.lists.values()) bytes += list.bytes.length;
  return bytes;
}
