import { listBranches } from '../../../domain/equipment/place-tree.ts';
import { sayOne } from '../../../domain/language/sayable.ts';
import { nameLocation, PlaceChoices } from '../../../engine/pages/place-choices.tsx';
import { writeWantedPlace } from '../../../engine/pages/wanted-place.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Select } from '../../../platform/html/select.tsx';
import { SERVICE_STATES } from '../shown-service/service-state.ts';
import type { ServiceListModel } from './list-services.ts';
import { LIST_ORDERS, LISTED_STATES, type ServiceFilter } from './service-filter.ts';

interface FilterProps extends Pick<ServiceListModel, 'organizations'> {
  filter: ServiceFilter;
}

/** A script asks again while somebody types or chooses, and replaces what was found. */
export const FilterForm = ({ filter, organizations }: FilterProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const hasSeveral = organizations.length > 1;
  const chosen = organizations.filter(({ organizationId }) =>
    [null, organizationId].includes(filter.organizationId),
  );
  const locations = chosen.flatMap(({ organizationName, locations: places }) =>
    places.map(({ id, name }) => [id, nameLocation(name, hasSeveral ? organizationName : null)] as const),
  );
  return (
    <search>
      <form
        class="filter"
        method="get"
        action="/services"
        hx-get="/services"
        hx-trigger="input delay:150ms, submit"
        hx-target="#found"
        hx-select="#found"
        hx-swap="outerHTML"
        hx-replace-url="true"
        hx-sync="this:replace"
      >
        <div class="field">
          <label for="q">{say('Search')}</label>
          <input
            id="q"
            name="q"
            type="search"
            autocomplete="off"
            maxLength={200}
            value={filter.words.join(' ')}
            placeholder={say('Name, place, asset, device')}
          />
        </div>
        <PlaceChoices
          organizations={organizations.map(
            ({ organizationId, organizationName }) => [organizationId, organizationName] as const,
          )}
          locations={locations}
          branches={listBranches(chosen.flatMap(({ locations: places }) => places.map(({ name }) => name)))}
          chosen={{ organization: filter.organizationId, location: writeWantedPlace(filter) }}
        />
        <Select
          name="state"
          label={say('State')}
          chosen={filter.state}
          options={[
            ['', sayAs('states', 'All')],
            ...LISTED_STATES.map((state) => [state, say(SERVICE_STATES[state])] as const),
          ]}
        />
        <Select
          name="sort"
          label={say('Order')}
          chosen={filter.order}
          options={Object.entries(LIST_ORDERS).map(
            ([order, label]) => [order, sayOne(label, language)] as const,
          )}
        />
        <div class="actions">
          <button type="submit">{sayAs('a filtered list', 'Show')}</button>
        </div>
      </form>
    </search>
  );
};
