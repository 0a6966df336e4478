// Which services the list shows and in which order, as its address says it.
import type { OrganizationId } from '../../../domain/ids.ts';
import { message } from '../../../domain/language/message.ts';
import { splitWords } from '../../../engine/equipment/find-units.ts';
import { readPageId } from '../../../engine/pages/page-routes.ts';
import {
  isAnyPlace,
  readWantedPlace,
  type WantedPlace,
  writeWantedPlace,
} from '../../../engine/pages/wanted-place.ts';

export const LISTED_STATES = [
  'critical',
  'warning',
  'stale',
  'normal',
  'unwatched',
  'muted',
  'downtime',
] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** By the word in the address; the first unless something is asked for. */
export const LIST_ORDERS = {
  state: message('Worst first'),
  name: message('By name'),
  '-name': message('By name, the last first'),
  place: message('By place'),
  '-place': message('By place, the last first'),
} as const;
export type ListOrder = keyof typeof LIST_ORDERS;

export interface ServiceFilter extends WantedPlace {
  /** Each has to be found in the name, the location, the asset, the device or the organization. */
  words: string[];
  organizationId: OrganizationId | null;
  state: ListedState | null;
  order: ListOrder;
  /** From 1. */
  page: number;
}

const MOST_PAGES = 9_999;

/** What means nothing counts as not given: an old link still shows a list. */
export function readFilter(query: Record<string, string | undefined>): ServiceFilter {
  const { q = '', state = '', sort = '', page = '' } = query;
  return {
    words: splitWords(q),
    organizationId: readPageId<OrganizationId>(query.organization),
    ...readWantedPlace(query.location),
    state: LISTED_STATES.find((one) => one === state) ?? null,
    order: Object.hasOwn(LIST_ORDERS, sort) ? (sort as ListOrder) : 'state',
    page: /^[1-9]\d{0,3}$/.test(page) ? Math.min(Number(page), MOST_PAGES) : 1,
  };
}

export const isFiltered = ({ words, organizationId, state, ...place }: ServiceFilter): boolean =>
  words.length > 0 || organizationId !== null || !isAnyPlace(place) || state !== null;

/** As a form says it, without what goes without saying. */
export const typedFilter = (filter: ServiceFilter): [name: string, value: string][] =>
  Object.entries({
    q: filter.words.join(' '),
    organization: filter.organizationId,
    location: writeWantedPlace(filter),
    state: filter.state,
    sort: filter.order === 'state' ? null : filter.order,
    page: filter.page === 1 ? null : filter.page,
  }).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)]]));

export function writeFilter(filter: ServiceFilter, path = '/services'): string {
  const text = new URLSearchParams(typedFilter(filter)).toString();
  return text === '' ? path : `${path}?${text}`;
}
