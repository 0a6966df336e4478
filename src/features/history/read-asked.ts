// What is asked of past alarms, within what the visitor may see.
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import type { Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { FilterModel } from './filter-view.tsx';
import { selectPlaces, selectUnitName } from './queries.ts';
import { readEpisodeSearch, typedEpisodesOf } from './read-search.ts';

export function readAsked(visitor: Visitor, query: Visit['query']) {
  const typed = typedEpisodesOf(query);
  const { search, faults } = readEpisodeSearch(typed, visitor.timezone);
  const own = organizationIdsOf(visitor).filter((id) => [null, id].includes(search.organizationId));
  return { typed, search, faults, own };
}

export type AskedEpisodes = ReturnType<typeof readAsked>;

export async function readFilterModel(
  db: ReadDatabase,
  visitor: Visitor,
  { typed, search, faults }: AskedEpisodes,
): Promise<FilterModel> {
  const all = organizationIdsOf(visitor);
  const [places, unitName] = await Promise.all([
    selectPlaces(db, all),
    search.serviceId === null ? null : selectUnitName(db, all, search.serviceId),
  ]);
  return { typed, faults, places, unitName };
}
