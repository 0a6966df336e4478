import { message } from '../../domain/language/message.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { type AlarmFilter, isFiltered, SEVERITIES } from './alarm-filter.ts';

const SEVERITY_WORDS = {
  critical: message('Critical'),
  warning: message('Warning'),
  stale: message('Stale'),
} as const;

type Choice = readonly [id: number, name: string];

export interface FilterChoices {
  organizations: Choice[];
  locations: Choice[];
}

type FilterProps = { filter: AlarmFilter } & FilterChoices;

/** Beside the live part: nobody loses a choice that they are about to make. */
export const FilterForm = ({ filter, organizations, locations }: FilterProps) => {
  const { say, sayAs } = useLanguage();
  return (
    <details class="board-filter" open={isFiltered(filter)}>
      <summary>{say('Show some of them')}</summary>
      <search>
        <form class="filter" method="get" action="/">
          {organizations.length > 1 && (
            <Select
              name="organization"
              label={say('Organization')}
              chosen={filter.organizationId}
              options={[['', sayAs('organizations', 'All')], ...organizations]}
            />
          )}
          {locations.length > 0 && (
            <Select
              name="location"
              label={say('Location')}
              chosen={filter.locationId}
              options={[['', sayAs('locations', 'All')], ...locations]}
            />
          )}
          <Select
            name="severity"
            label={say('Severity')}
            chosen={filter.severity}
            options={[
              ['', sayAs('severities', 'All')],
              ...SEVERITIES.map((severity) => [severity, say(SEVERITY_WORDS[severity])] as const),
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
