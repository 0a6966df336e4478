import type { BranchChoice } from '../../domain/equipment/place-tree.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { readWantedPlace, writeBranch, writeWantedPlace } from './wanted-place.ts';

export type Choice = readonly [id: number, name: string];

interface PlaceChoicesProps {
  organizations: readonly Choice[];
  locations: readonly Choice[];
  /** Whole buildings and floors. */
  branches: readonly BranchChoice[];
  chosen: { organization: number | string | null; location: number | string | null };
}

/** Where what a list shows stands: organization and location, as far as there is something to choose. */
export const PlaceChoices = ({ organizations, locations, branches, chosen }: PlaceChoicesProps) => {
  const { say, sayAs } = useLanguage();
  const { branch, locationId } = readWantedPlace(String(chosen.location ?? ''));
  return (
    <>
      {organizations.length > 1 && (
        <Select
          name="organization"
          label={say('Organization')}
          chosen={chosen.organization}
          options={[['', sayAs('organizations', 'All')], ...organizations]}
        />
      )}
      {(locations.length > 0 || branch !== null) && (
        <Select
          name="location"
          label={say('Location')}
          chosen={writeWantedPlace({ branch, locationId })}
          options={[['', sayAs('locations', 'All')], ...locations]}
          more={{
            label: say('Whole buildings and floors'),
            options: withChosen(branches, branch).map(({ branch: one, name }) => [writeBranch(one), name]),
          }}
        />
      )}
    </>
  );
};

/** One that nothing stands in any more stays chosen all the same. */
const withChosen = (branches: readonly BranchChoice[], chosen: string | null): readonly BranchChoice[] =>
  chosen === null || branches.some(({ branch }) => branch === chosen)
    ? branches
    : [...branches, { branch: chosen, name: chosen.replaceAll('/', ' / ') }];

/** Locations of different organizations may have the same name. */
export const nameLocation = (name: string, organizationName: string | null | undefined): string =>
  organizationName ? `${name} (${organizationName})` : name;
