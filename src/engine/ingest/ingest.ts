// Posts of readings become stored readings, states and alarms in one transaction, with a fixed number of statements
// however many readings there are. Nearly always what is remembered of the services still holds, and they are judged from
// memory. Otherwise it is done over under the lock, where only a device that was handed on asks for another round.
import type { Database } from '../../platform/db/database.ts';
import { isConflict } from '../../platform/db/passing-fault.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { createShelf, type FindService } from '../alarm-state/service-shelf.ts';
import type { TakeEpisodes } from '../outbox/episode-ids.ts';
import { ingestFromMemory, OutdatedMemory } from './ingest-from-memory.ts';
import { ingestUnderLock } from './ingest-under-lock.ts';
import { HandedOn } from './lock-parcels.ts';
import { type Batch, RevokedSources } from './note-batch.ts';
import { type PostAnswer, type SentPost, type SortedPosts, sortPosts } from './sort-readings.ts';

/** The source was revoked between its look-up and the transaction. */
export type PostOutcome = PostAnswer | 'unknown_source';

interface IngestDeps {
  db: Database;
  catalogue: Catalogue;
  retentionDays: number;
  takeEpisodes?: TakeEpisodes;
  noteAhead?: Batch['noteAhead'];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_ROUNDS = 10;
const MOST_LOOKS = 3;

/** Takes all posts in one transaction and answers each. */
export async function ingestPosts(
  deps: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostOutcome[]> {
  const { db, catalogue, takeEpisodes, noteAhead } = deps;
  for (let round = 1; ; round += 1) {
    const sorted = await sortKnown(deps, posts, now);
    const sourceIds = new Set(posts.flatMap(({ sourceId }) => sourceId ?? []));
    const batch = { sorted, sourceIds, now, catalogue, takeEpisodes, noteAhead };
    const ingest = round === 1 ? ingestFromMemory : ingestUnderLock;
    try {
      const { assessments, rowVersion, isLocked } = await db.transaction(
        (tx) => ingest(tx, batch),
        'by_index',
      );
      catalogue.settle(assessments, rowVersion, isLocked);
      return sorted.answers;
    } catch (error) {
      if (error instanceof RevokedSources) return ingestKnownSources(deps, posts, error.stillKnown, now);
      if (!mayPass(error) || round >= MOST_ROUNDS) throw error;
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof OutdatedMemory ||
  error instanceof HandedOn ||
  isConflict(error) ||
  // A reading that came ahead of the clock is met by its double: found out by the key, told apart under the lock.
  (error as { code?: string }).code === '23505';

/**
 * What the catalogue does not know is learnt first; what others moved about meanwhile, after that. Refused as unknown is
 * only what was asked for here. An archived service may have been restored, so it is asked for each time.
 */
async function sortKnown(
  { db, catalogue, retentionDays }: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<SortedPosts> {
  const oldest = now.getTime() - retentionDays * DAY_MS;
  const asked = new Set<string>();
  const learnt = createShelf();
  const find: FindService = (organizationId, target) =>
    catalogue.find(organizationId, target) ?? learnt.find(organizationId, target);
  for (let look = 1; ; look += 1) {
    const sorted = sortPosts(find, posts, oldest, retentionDays);
    const unasked = sorted.unknown.filter((target) => !asked.has(JSON.stringify(target)));
    if (unasked.length === 0) return sorted;
    const found = await catalogue.learn(db, unasked);
    for (const watched of found) learnt.put(watched);
    // A device may be handed on between finding its service and looking at that: then it is looked for once more.
    if (found.length === 0 || look >= MOST_LOOKS)
      for (const target of unasked) asked.add(JSON.stringify(target));
  }
}

/** The posts of a source that is gone are refused; the others go their way. */
async function ingestKnownSources(
  deps: IngestDeps,
  posts: readonly SentPost[],
  known: ReadonlySet<number>,
  now: Date,
): Promise<PostOutcome[]> {
  const isKnown = ({ sourceId }: SentPost) => sourceId === null || known.has(sourceId);
  const outcomes = await ingestPosts(deps, posts.filter(isKnown), now);
  return posts.map((post) => (isKnown(post) ? (outcomes.shift() ?? 'unknown_source') : 'unknown_source'));
}
