// What nearly all posts are: a few readings of quiet services that this program remembers. They are judged first, and the
// turn, the look at what is new and the entry travel in one message; where nobody else is about, as one statement without a
// look. If there was something new, nothing was entered.
import type { OrganizationId } from '../../domain/ids.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import { type Database, first } from '../../platform/db/database.ts';
import { isChanged, type Numbered } from '../alarm-state/assessment.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { appendIfNext, appendIfNothingNew, type ReadingColumns } from '../journal/inbox.ts';
import { type Turn, takeTurn } from '../journal/take-turn.ts';
import { areStillThere } from '../sources/source-rows.ts';
import { passCalmly, takeAll } from './pass-calmly.ts';
import { type PostAnswer, type SentPost, sortPosts } from './sort-readings.ts';

interface EnterDeps {
  db: Database;
  catalogue: Catalogue;
  retentionDays: MostDays;
}

/** Among more of them some service is hardly ever quiet, and the way of a message counts for little. */
const MOST_ENTRIES = 200;

/** null: nothing was done, and the posts have to go the long way. */
export async function enterQuietly(
  { db, catalogue, retentionDays }: EnterDeps,
  organizationId: OrganizationId,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostAnswer[] | null> {
  const since = catalogue.knownUntil(organizationId);
  if (countEntries(posts) > MOST_ENTRIES) return null;
  const { parcels, unknown, answers } = sortPosts(catalogue.find, posts, now.getTime(), retentionDays);
  if (unknown.length > 0 || parcels.length === 0) return null;
  const fresh: ReadingColumns = { serviceIds: [], channelIds: [], ats: [], values: [] };
  const quiet: Numbered[] = [];
  for (const parcel of parcels) {
    const passed = passCalmly(parcel, now.getTime());
    if (!passed || isChanged(passed)) return null;
    takeAll(parcel, fresh, answers);
    // Nothing happened that would have a number.
    quiet.push(passed as Numbered);
  }
  if (fresh.ats.length === 0) return null;
  const turn = await enter(fresh);
  if (!turn) return null;
  // Else somebody in this program has had a turn meanwhile, and the next one hears of this from the journal.
  if (catalogue.knownUntil(organizationId) === since) {
    catalogue.hear(organizationId, turn, [], since);
    catalogue.settle(organizationId, turn, quiet);
  }
  return answers;

  async function enter(columns: ReadingColumns): Promise<Turn | null> {
    const holds = areStillThere(new Set(posts.flatMap(({ sourceId }) => sourceId ?? [])));
    if (catalogue.isLikelyNext(organizationId))
      return first(await db.query(appendIfNext(organizationId, columns, since, holds, now), 'prepared'));
    const {
      turn: [turn],
      entered,
    } = await db.queryAll(
      {
        turn: takeTurn(organizationId),
        entered: appendIfNothingNew(organizationId, columns, since, holds, now),
      },
      'by_index',
    );
    return entered.length > 0 ? turn : null;
  }
}

function countEntries(posts: readonly SentPost[]): number {
  let count = 0;
  for (const { entries } of posts) count += entries.length;
  return count;
}
