// Everything that some words find, as far as the reader may open it.
import { organizationIdsOf, organizationNameIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import { message } from '../../domain/language/message.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import { findsAll } from '../../domain/search-words.ts';
import { listPlace } from '../../domain/words/place.ts';
import { type FoundUnit, findUnits } from '../../engine/equipment/find-units.ts';
import { listOwnLinks, MAIN_LINKS } from '../../engine/pages/navigation.ts';
import { listSettings } from '../../engine/pages/settings-list.ts';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { findGroups, findPeople, findPlaces } from './queries.ts';

interface Found {
  path: string;
  name: string;
  /** What tells it from others of its name. */
  beside: string[];
}

const KINDS = {
  // For translators: freezers, incubators, everything that is watched
  units: message('Equipment'),
  places: message('Places'),
  people: message('People'),
  groups: message('Groups'),
  // For translators: pages of the application
  pages: message('Pages and settings'),
} as const;

export interface FoundKind {
  kind: keyof typeof KINDS;
  label: string;
  found: Found[];
  /** There are more than are shown. */
  isCut: boolean;
}

const MOST_OF_A_KIND = 20;

/** In a fixed number of statements; kinds of which nothing was found are left out. */
export async function findEverything(
  db: ReadDatabase,
  visitor: Visitor,
  words: readonly string[],
): Promise<FoundKind[]> {
  if (words.length === 0) return [];
  const limit = MOST_OF_A_KIND + 1;
  const own = { organizationIds: organizationIdsOf(visitor), words, limit };
  const organizationIds = visitor.memberships
    .filter(({ role }) => canAdminister(role))
    .map(({ organizationId }) => organizationId);
  const administered = { ...own, organizationIds };
  const [units, places, people, groups] = await Promise.all([
    findUnits(db, own.organizationIds, words, { limit }),
    findPlaces(db, own),
    findPeople(db, administered),
    findGroups(db, administered),
  ]);
  const found: Record<FoundKind['kind'], Found[]> = {
    units: units.map((unit) => showUnit(unit, visitor)),
    places: [
      ...listOrganizations(visitor, words),
      ...places.map(({ id, name, organizationId }) => ({
        path: `/services?location=${id}`,
        name,
        beside: besideOf(visitor, organizationId),
      })),
    ],
    people: people.map(({ id, name, email, organizationId }) => ({
      path: settingsPath(`/settings/members/${id}`, { id: organizationId }),
      name,
      beside: [email, ...besideOf(visitor, organizationId)],
    })),
    groups: groups.map(({ id, name, organizationId }) => ({
      path: settingsPath(`/settings/groups/${id}`, { id: organizationId }),
      name,
      beside: besideOf(visitor, organizationId),
    })),
    pages: findPages(visitor, words, organizationIds.length > 0),
  };
  return (Object.keys(KINDS) as FoundKind['kind'][]).flatMap((kind) =>
    found[kind].length === 0
      ? []
      : {
          kind,
          label: visitor.language.say(KINDS[kind]),
          found: found[kind].slice(0, MOST_OF_A_KIND),
          isCut: found[kind].length > MOST_OF_A_KIND,
        },
  );
}

const besideOf = (visitor: Visitor, organizationId: FoundUnit['organizationId']): string[] =>
  listPlace({ organizationName: organizationNameIn(visitor, organizationId), locationName: null });

function showUnit({ id, name, organizationId, locationName, assetName }: FoundUnit, visitor: Visitor): Found {
  const organizationName = organizationNameIn(visitor, organizationId);
  const asset = assetName === null || assetName === name ? [] : [assetName];
  return {
    path: `/services/${id}`,
    name,
    beside: [...listPlace({ organizationName, locationName }), ...asset],
  };
}

const listOrganizations = ({ memberships }: Visitor, words: readonly string[]): Found[] =>
  memberships
    .filter(({ organizationName }) => memberships.length > 1 && findsAll(words, [organizationName]))
    .map(({ organizationId, organizationName }) => ({
      path: `/services?organization=${organizationId}`,
      name: organizationName,
      beside: [],
    }));

/** In the words of the reader, and in English, in which a colleague may have named one. */
function findPages(
  { language, isKeeper }: Visitor,
  words: readonly string[],
  isAdministrator: boolean,
): Found[] {
  const sayBoth = (text: string) => [sayOne(text, language), text];
  const links = [...MAIN_LINKS, ...listOwnLinks({ isAdministrator, isKeeper })].map((link) => ({
    ...link,
    about: '',
    group: '',
  }));
  const settings = !isAdministrator
    ? []
    : listSettings({ isKeeper }).flatMap((group) =>
        group.pages.map((page) => ({ ...page, group: group.label })),
      );
  const known = new Set<string>();
  return [...settings, ...links].flatMap(({ path, label, about, group }) => {
    const texts = [label, about, group].filter((text) => text !== '').flatMap(sayBoth);
    if (known.has(path) || !findsAll(words, texts)) return [];
    known.add(path);
    const beside = [about, group].find((text) => text !== '');
    return { path, name: sayOne(label, language), beside: beside ? [sayOne(beside, language)] : [] };
  });
}
