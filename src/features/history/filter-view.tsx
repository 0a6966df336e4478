import { listBranches } from '../../domain/equipment/place-tree.ts';
import { nameLocation, PlaceChoices } from '../../engine/pages/place-choices.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { TimeField } from '../../platform/html/time-field.tsx';
import { isNarrowed, type TypedEpisodes } from './read-search.ts';

export interface FilterModel {
  typed: TypedEpisodes;
  faults: ('from' | 'to')[];
  places: { id: number; name: string; organizationId: number }[];
  /** Of the unit that was asked for by itself. */
  unitName: string | null;
}

/** The same row on the list and on the figures. */
export const EpisodeFilter = ({
  visitor: { memberships },
  path,
  filter: { typed, faults, places, unitName },
}: {
  visitor: Visitor;
  path: string;
  filter: FilterModel;
}) => {
  const { say, sayAs } = useLanguage();
  const hasSeveral = memberships.length > 1;
  const nameOf = (id: number) =>
    memberships.find(({ organizationId }) => organizationId === id)?.organizationName;
  const timeError = (field: 'from' | 'to') =>
    faults.includes(field)
      ? say('Write it like 2026-11-15 04:00, or 2026-11-15 for the beginning of that day.')
      : undefined;
  return (
    <search>
      {faults.length > 0 && <Notice kind="error">{say('A time could not be read.')}</Notice>}
      <form class="filter" method="get" action={path}>
        {unitName !== null && (
          <Select
            name="service"
            label={sayAs('a piece of equipment', 'Unit')}
            chosen={typed.service}
            options={[
              [typed.service, unitName],
              ['', sayAs('services', 'All')],
            ]}
          />
        )}
        <Field
          name="q"
          label={say('Search')}
          input={{ type: 'search', value: typed.q, placeholder: say('Name, location or comment') }}
        />
        <PlaceChoices
          organizations={memberships.map(
            ({ organizationId, organizationName }) => [organizationId, organizationName] as const,
          )}
          locations={places.map(
            ({ id, name, organizationId }) =>
              [id, nameLocation(name, hasSeveral ? nameOf(organizationId) : null)] as const,
          )}
          branches={listBranches(places.map(({ name }) => name))}
          chosen={typed}
        />
        <Select
          name="severity"
          label={say('Severity')}
          chosen={typed.severity}
          options={[
            ['', sayAs('severities', 'All')],
            ['critical', say('Critical')],
            ['warning', say('Warning')],
          ]}
        />
        <Select
          name="state"
          label={say('State')}
          chosen={typed.state}
          options={[
            ['', sayAs('states', 'All')],
            ['running', say('Still in alarm')],
            ['unacknowledged', say('Not acknowledged')],
          ]}
        />
        <Field
          name="who"
          label={say('Acknowledged by')}
          input={{ type: 'search', value: typed.who, placeholder: say('Person or group') }}
        />
        <TimeField name="from" label={say('Began from')} error={timeError('from')} value={typed.from} />
        <TimeField name="to" label={say('Began before')} error={timeError('to')} value={typed.to} />
        <div class="actions">
          <button type="submit">{sayAs('a filtered list', 'Show')}</button>
          {isNarrowed(typed) && (
            <a class="button" href={path}>
              {sayAs('a filter', 'Clear')}
            </a>
          )}
        </div>
      </form>
    </search>
  );
};
