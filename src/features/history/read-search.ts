// Which past alarms are asked for, as the address says it.
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { parseTypedTime } from '../../domain/local-time.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { readWantedPlace, type WantedPlace } from '../../engine/pages/wanted-place.ts';

const SEVERITIES = ['critical', 'warning'] as const;
const STATES = ['running', 'unacknowledged'] as const;

export interface EpisodeSearch extends WantedPlace {
  organizationId: OrganizationId | null;
  serviceId: ServiceId | null;
  severity: (typeof SEVERITIES)[number] | null;
  state: (typeof STATES)[number] | null;
  /** Part of the name of who took it, or of a group they are in. */
  who: string;
  /** Each begins a word of what was written, or is part of the name of the unit or of where it stands. */
  words: string[];
  /** When it began. */
  from: Date | null;
  to: Date | null;
}

/** As typed, to stand in the form again. */
export interface TypedEpisodes {
  organization: string;
  location: string;
  service: string;
  severity: string;
  state: string;
  who: string;
  q: string;
  from: string;
  to: string;
}

const FIELDS = [
  'organization',
  'location',
  'service',
  'severity',
  'state',
  'who',
  'q',
  'from',
  'to',
] as const satisfies (keyof TypedEpisodes)[];

const MOST_WORDS = 8;

export const typedEpisodesOf = (query: Record<string, string | undefined>): TypedEpisodes =>
  Object.fromEntries(
    FIELDS.map((field) => [field, (query[field] ?? '').replaceAll('\0', '').trim()]),
  ) as unknown as TypedEpisodes;

/** Times are read in the zone of whoever searches. What else means nothing counts as not given: an old link still shows a list. */
export function readEpisodeSearch(
  typed: TypedEpisodes,
  timeZone: string,
): { search: EpisodeSearch; faults: ('from' | 'to')[] } {
  const read = (text: string) => (text === '' ? null : parseTypedTime(text, timeZone));
  const [from, to] = [read(typed.from), read(typed.to)];
  const faults = [from?.ok === false && ('from' as const), to?.ok === false && ('to' as const)];
  return {
    search: {
      organizationId: readPageId<OrganizationId>(typed.organization),
      ...readWantedPlace(typed.location),
      serviceId: readPageId<ServiceId>(typed.service),
      severity: SEVERITIES.find((one) => one === typed.severity) ?? null,
      state: STATES.find((one) => one === typed.state) ?? null,
      who: typed.who,
      words: typed.q
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean)
        .slice(0, MOST_WORDS),
      from: from?.ok ? from.value : null,
      to: to?.ok ? to.value : null,
    },
    faults: faults.filter((fault) => fault !== false),
  };
}

export const isNarrowed = (typed: TypedEpisodes): boolean => Object.values(typed).some((text) => text !== '');

/** The address of a page with the same search. */
export function episodesPath(
  path: string,
  typed: Partial<TypedEpisodes>,
  more: Record<string, string> = {},
): string {
  const given = Object.entries({ ...typed, ...more }).filter(([, text]) => text !== '');
  const text = new URLSearchParams(given).toString();
  return text === '' ? path : `${path}?${text}`;
}
