// Every entry of a batch finds its service: from memory, or what is not remembered is learnt first.
import type { MostDays } from '../../domain/readings/retention.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { createShelf, type FindService } from '../alarm-state/service-shelf.ts';
import { type SentPost, type SortedPosts, sortPosts } from './sort-readings.ts';

interface FindDeps {
  catalogue: Catalogue;
  retentionDays: MostDays;
}

/** In the organization's turn. An archived service may have been restored, so it is asked for each time. */
export async function findServices(
  tx: Tx,
  { catalogue, retentionDays }: FindDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<SortedPosts> {
  const sorted = sortPosts(catalogue.find, posts, now.getTime(), retentionDays);
  if (sorted.unknown.length === 0) return sorted;
  const found = await catalogue.learn(tx, sorted.unknown);
  if (found.length === 0) return sorted;
  // More may have been learnt than can be remembered, and what was remembered may have made room for it.
  const learnt = createShelf();
  for (const watched of [...sorted.parcels.map(({ watched }) => watched), ...found]) learnt.put(watched);
  const find: FindService = (organizationId, target) =>
    learnt.find(organizationId, target) ?? catalogue.find(organizationId, target);
  return sortPosts(find, posts, now.getTime(), retentionDays);
}
