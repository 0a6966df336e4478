import { FirstSteps, type FirstStepsModel } from '../../../engine/pages/first-steps.tsx';
import { Page } from '../../../engine/pages/page.tsx';
import { Place } from '../../../engine/pages/place.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { Select } from '../../../platform/html/select.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Time } from '../../../platform/html/time.tsx';
import { SERVICE_STATES, sayMissing } from '../shown-service/service-state.ts';
import { StateBadges } from '../shown-service/state-view.tsx';
import { CURVE_SIZE } from './curve.ts';
import type { ServiceListModel, ServiceRowModel } from './list-services.ts';
import { isFiltered, LISTED_STATES, type ServiceFilter, writeFilter } from './service-filter.ts';

interface ListProps extends ServiceListModel {
  visitor: Visitor;
  filter: ServiceFilter;
  /** Only where there is nothing to list. */
  firstSteps: FirstStepsModel | null;
}

export const ServiceListPage = ({
  visitor,
  filter,
  rows,
  nextPage,
  organizations,
  firstSteps,
}: ListProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Services')} visitor={visitor} current="/services">
      <h1>{say('Services')}</h1>
      {organizations.length > 0 && <FilterForm filter={filter} organizations={organizations} />}
      {rows.length === 0 ? (
        <NothingThere visitor={visitor} filter={filter} firstSteps={firstSteps} />
      ) : (
        <TableScroll label={say('Services')}>
          <table class="services">
            <ColumnHeads
              columns={[
                say('State'),
                say('Service'),
                say('Latest values'),
                say('Last 24 hours'),
                say('Last data'),
              ]}
            />
            <tbody>
              {rows.map((row) => (
                <ServiceRow key={row.id} {...row} />
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      {rows.length > 0 && (
        <p>
          {sayWith(language, '<a>Print stickers</a> with QR codes for them', {
            a: (inside) => <a href={writeFilter({ ...filter, after: null }, '/stickers')}>{inside}</a>,
          })}
        </p>
      )}
      {(filter.after !== null || nextPage !== null) && (
        <nav class="actions" aria-label={say('Pages of the list')}>
          {filter.after !== null && (
            <a class="button" href={writeFilter({ ...filter, after: null })}>
              {say('First page')}
            </a>
          )}
          {nextPage !== null && (
            <a class="button" href={nextPage} rel="next">
              {say('Next page')}
            </a>
          )}
        </nav>
      )}
    </Page>
  );
};

const ServiceRow = ({ id, name, place, state, telling, values, curve, lastTelemetry }: ServiceRowModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <tr>
      <td>
        <StateBadges {...state} />
        {state.missing.length > 0 && <div class="muted row-note">{sayMissing(state.missing, language)}</div>}
      </td>
      <th scope="row">
        <a class="row-link" href={`/services/${id}`}>
          {name}
        </a>
        <Place parts={place} />
        {telling && (
          <div class={telling.tells === 'some' ? 'muted row-note' : 'row-note untold'}>{telling.text}</div>
        )}
      </th>
      <td class="services-values">
        <Values values={values} />
      </td>
      <td class="services-curve">
        {curve ? (
          <SmallCurve curve={curve} />
        ) : (
          <span class="muted services-empty">{say('No curve yet')}</span>
        )}
      </td>
      <Cell column={say('Last data')} class="services-last">
        {lastTelemetry ? <Time {...lastTelemetry} /> : <span class="muted">{say('Never')}</span>}
      </Cell>
    </tr>
  );
};

const MOST_VALUES = 3;

const Values = ({ values }: Pick<ServiceRowModel, 'values'>) => {
  const { say, sayAs } = useLanguage();
  if (values.length === 0) return <span class="muted services-empty">{sayAs('values', 'None')}</span>;
  return (
    <dl class="values">
      {values.slice(0, MOST_VALUES).map(({ channel, label, value }) => (
        <div key={channel}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {values.length > MOST_VALUES && (
        <div>
          <dt class="muted">{say('and {count} more', { count: values.length - MOST_VALUES })}</dt>
        </div>
      )}
    </dl>
  );
};

const SmallCurve = ({ curve }: { curve: NonNullable<ServiceRowModel['curve']> }) => {
  const { say } = useLanguage();
  return (
    <svg
      class="small-curve"
      role="img"
      aria-label={say('{channel} over the last 24 hours', { channel: curve.label })}
      viewBox={`0 0 ${CURVE_SIZE.width} ${CURVE_SIZE.height}`}
      width={CURVE_SIZE.width}
      height={CURVE_SIZE.height}
    >
      <path class="curve-spread" d={curve.spread} />
      <path class="curve-line" d={curve.line} />
      <circle class="curve-end" cx={curve.end.x} cy={curve.end.y} r="2" />
    </svg>
  );
};

const FilterForm = ({ filter, organizations }: Pick<ListProps, 'filter' | 'organizations'>) => {
  const { say, sayAs } = useLanguage();
  const hasSeveral = organizations.length > 1;
  const locations = organizations
    .filter(({ organizationId }) => [null, organizationId].includes(filter.organizationId))
    .flatMap(({ organizationName, locations: places }) =>
      places.map(({ id, name }) => [id, hasSeveral ? `${name} (${organizationName})` : name] as const),
    );
  return (
    <search>
      <form class="filter" method="get" action="/services">
        <div class="field">
          <label for="q">{say('Search')}</label>
          <input
            id="q"
            name="q"
            type="search"
            value={filter.words.join(' ')}
            placeholder={say('Name, location, asset or device')}
          />
        </div>
        {hasSeveral && (
          <Select
            name="organization"
            label={say('Organization')}
            chosen={filter.organizationId}
            options={[
              ['', sayAs('organizations', 'All')],
              ...organizations.map(
                ({ organizationId, organizationName }) => [organizationId, organizationName] as const,
              ),
            ]}
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
          name="state"
          label={say('State')}
          chosen={filter.state}
          options={[
            ['', sayAs('states', 'All')],
            ...LISTED_STATES.map((state) => [state, say(SERVICE_STATES[state])] as const),
          ]}
        />
        <div class="actions">
          <button type="submit">{sayAs('a filtered list', 'Show')}</button>
          {isFiltered(filter) && (
            <a class="button" href="/services">
              {sayAs('a filter', 'Clear')}
            </a>
          )}
        </div>
      </form>
    </search>
  );
};

const NothingThere = ({
  visitor,
  filter,
  firstSteps,
}: Pick<ListProps, 'visitor' | 'filter' | 'firstSteps'>) => {
  const language = useLanguage();
  const { say } = language;
  if (visitor.memberships.length === 0)
    return (
      <p>
        {say(
          'You belong to no organization yet, so there is nothing to see. Ask an administrator of your lab to invite you.',
        )}
      </p>
    );
  if (isFiltered(filter) || filter.after !== null)
    return (
      <p>
        {sayWith(language, 'No service matches. Try fewer words or <a>show all services</a>.', {
          a: (inside) => <a href="/services">{inside}</a>,
        })}
      </p>
    );
  return firstSteps && <FirstSteps {...firstSteps} />;
};
