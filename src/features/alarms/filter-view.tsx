import type { BranchChoice } from '../../domain/equipment/place-tree.ts';
import { type Choice, PlaceChoices } from '../../engine/pages/place-choices.tsx';
import { writeWantedPlace } from '../../engine/pages/wanted-place.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { type AlarmFilter, isFiltered, SEVERITIES } from './alarm-filter.ts';
import { SEVERITY_LABELS } from './row-model.ts';

export interface FilterChoices {
  organizations: Choice[];
  locations: Choice[];
  branches: BranchChoice[];
}

type FilterProps = { filter: AlarmFilter } & FilterChoices;

/** Beside the live part: nobody loses a choice that they are about to make. */
export const FilterForm = ({ filter, organizations, locations, branches }: FilterProps) => {
  const { say, sayAs } = useLanguage();
  return (
    <details class="board-filter" open={isFiltered(filter)}>
      <summary>{say('Show some of them')}</summary>
      <search>
        <form class="filter" method="get" action="/">
          <PlaceChoices
            organizations={organizations}
            locations={locations}
            branches={branches}
            chosen={{ organization: filter.organizationId, location: writeWantedPlace(filter) }}
          />
          <Select
            name="severity"
            label={say('Severity')}
            chosen={filter.severity}
            options={[
              ['', sayAs('severities', 'All')],
              ...SEVERITIES.map((severity) => [severity, say(SEVERITY_LABELS[severity])] as const),
            ]}
          />
          <label class="check">
            <input type="checkbox" name="mine" value="yes" checked={filter.isMine} />{' '}
            {say('Only those that I have, or am asked to take')}
          </label>
          <div class="actions">
            <button type="submit">{sayAs('a filtered list', 'Show')}</button>
          </div>
        </form>
      </search>
    </details>
  );
};

export const NoneMatches = () => {
  const language = useLanguage();
  return (
    <p>
      {sayWith(language, 'None of the active alarms is one of these. <a>Show all alarms</a>', {
        a: (inside) => <a href="/">{inside}</a>,
      })}
    </p>
  );
};
