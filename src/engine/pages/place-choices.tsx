import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';

export type Choice = readonly [id: number, name: string];

interface PlaceChoicesProps {
  organizations: readonly Choice[];
  locations: readonly Choice[];
  chosen: { organization: number | string | null; location: number | string | null };
}

/** Where what a list shows stands: organization and location, as far as there is something to choose. */
export const PlaceChoices = ({ organizations, locations, chosen }: PlaceChoicesProps) => {
  const { say, sayAs } = useLanguage();
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
      {locations.length > 0 && (
        <Select
          name="location"
          label={say('Location')}
          chosen={chosen.location}
          options={[['', sayAs('locations', 'All')], ...locations]}
        />
      )}
    </>
  );
};

/** Locations of different organizations may have the same name. */
export const nameLocation = (name: string, organizationName: string | null | undefined): string =>
  organizationName ? `${name} (${organizationName})` : name;
