// Every entry of a batch finds its service: from memory, or what is not remembered is learnt first.
import type { MostDays } from '../../domain/readings/retention.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { createShelf, type FindService } from '../alarm-state/service-shelf.ts';
import { type SentPost, type SortedPosts, sortPosts } from './sort-readings.ts';

interface FindDeps {
  db: Database;
  catalogue: Catalogue;
  retentionDays: MostDays;
}

const MOST_LOOKS = 3;

/**
 * What the catalogue does not know is learnt first; what others moved about meanwhile, after that. Refused as unknown is
 * only what was asked for here. An archived service may have been restored, and an organization may keep its readings
 * for longer by now, so these are asked for each time.
 */
export async function findServices(
  { db, catalogue, retentionDays }: FindDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<SortedPosts> {
  const asked = new Set<string>();
  const learnt = createShelf();
  const find: FindService = (organizationId, target) =>
    catalogue.find(organizationId, target) ?? learnt.find(organizationId, target);
  for (let look = 1; ; look += 1) {
    const sorted = sortPosts(find, posts, now.getTime(), retentionDays);
    const unasked = [...sorted.unknown, ...sorted.tooOld].filter(
      (target) => !asked.has(JSON.stringify(target)),
    );
    if (unasked.length === 0) return sorted;
    const found = await catalogue.learn(db, unasked);
    for (const watched of found) learnt.put(watched);
    for (const target of sorted.tooOld) asked.add(JSON.stringify(target));
    // A device may be handed on between finding its service and looking at that: then it is looked for once more.
    if (found.length === 0 || look >= MOST_LOOKS)
      for (const target of unasked) asked.add(JSON.stringify(target));
  }
}
