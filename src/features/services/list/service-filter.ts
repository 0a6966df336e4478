// Which services the list shows, as its address says it.
import type { OrganizationId } from '../../../domain/ids.ts';
import { readPageId } from '../../../engine/pages/page-routes.ts';

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

export interface ServiceFilter {
  /** Each has to be found in the name, the location, the asset or the device. */
  words: string[];
  organizationId: OrganizationId | null;
  locationId: number | null;
  state: ListedState | null;
  /** The last service of the page before. */
  after: number | null;
}

const MOST_WORDS = 8;

/** What means nothing counts as not given: an old link still shows a list. */
export function readFilter(query: Record<string, string | undefined>): ServiceFilter {
  const { q = '', state = '' } = query;
  return {
    words: q.replaceAll('\0', '').split(/\s+/).filter(Boolean).slice(0, MOST_WORDS),
    organizationId: readPageId<OrganizationId>(query.organization),
    locationId: readPageId(query.location),
    state: LISTED_STATES.find((one) => one === state) ?? null,
    after: readPageId(query.after),
  };
}

export const isFiltered = ({ words, organizationId, locationId, state }: ServiceFilter): boolean =>
  words.length > 0 || organizationId !== null || locationId !== null || state !== null;

export function writeFilter(filter: ServiceFilter, page = '/services'): string {
  const { words, organizationId, locationId, state, after } = filter;
  const fields = Object.entries({
    q: words.join(' '),
    organization: organizationId,
    location: locationId,
    state,
    after,
  });
  const given = fields.filter(([, value]) => value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? page : `${page}?${text}`;
}
