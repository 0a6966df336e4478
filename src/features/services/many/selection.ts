// Which units were selected in the list: by their boxes, or all that it found.
import { organizationIdsOf } from '../../../domain/accounts/requester.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { MOST_UNITS_AT_ONCE } from '../../../engine/acts/many/many-act.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { ANY_PLACE } from '../../../engine/pages/wanted-place.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { ALL_FOUND, readUnits } from '../list/boxes.ts';
import { type ListedService, selectServices } from '../list/list-queries.ts';
import { listFor } from '../list/list-services.ts';
import type { ServiceFilter } from '../list/service-filter.ts';

export interface Selection {
  /** That the visitor may see, in the order of the list. */
  units: ListedService[];
  /** There were more than can be acted upon at once. */
  isCut: boolean;
  /** Some are nothing that the visitor knows of, or archived by now. */
  hasUnknown: boolean;
}

export async function readSelection(
  db: ReadDatabase,
  visitor: Visitor,
  filter: ServiceFilter,
  sent: Record<string, string | undefined>,
): Promise<Selection> {
  const most = MOST_UNITS_AT_ONCE;
  if (sent[ALL_FOUND] === 'yes' && sent.units === undefined) {
    const units = await selectServices(db, await listFor(db, visitor, filter), {
      skip: 0,
      most: most + 1,
    });
    return { units: units.slice(0, most), isCut: units.length > most, hasUnknown: false };
  }
  const ids = readUnits(sent);
  const only = ids.slice(0, most);
  const listed = {
    organizationIds: organizationIdsOf(visitor),
    filter: { ...NO_FILTER, order: filter.order },
    locationIds: null,
    now: visitor.now,
    only,
  };
  const units = only.length > 0 ? await selectServices(db, listed, { skip: 0, most }) : [];
  return { units, isCut: ids.length > most, hasUnknown: units.length < only.length };
}

const NO_FILTER: ServiceFilter = {
  ...ANY_PLACE,
  words: [],
  organizationId: null,
  state: null,
  order: 'state',
  page: 1,
};

export const writeUnits = (ids: readonly ServiceId[]): string => ids.join(',');
