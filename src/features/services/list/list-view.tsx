import { FirstSteps, type FirstStepsModel } from '../../../engine/pages/first-steps.tsx';
import { Page } from '../../../engine/pages/page.tsx';
import { Place } from '../../../engine/pages/place.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { Select } from '../../../platform/html/select.tsx';
import { ColumnHeads, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Time } from '../../../platform/html/time.tsx';
import { sayMissing } from '../shown-service/service-state.ts';
import { StateBadges } from '../shown-service/state-view.tsx';
import { CURVE_SIZE } from './curve.ts';
import type { ServiceListModel, ServiceRowModel } from './list-services.ts';
import { isFiltered, type ServiceFilter, STATES, writeFilter } from './service-filter.ts';

interface ListProps extends ServiceListModel {
  visitor: Visitor;
  filter: ServiceFilter;
  /** Only where there is nothing to list. */
  firstSteps: FirstStepsModel | null;
}

const COLUMNS = ['State', 'Service', 'Latest values', 'Last 24 hours', 'Last data'];

export const ServiceListPage = ({
  visitor,
  filter,
  rows,
  nextPage,
  organizations,
  firstSteps,
}: ListProps) => (
  <Page title="Services" visitor={visitor} current="/services">
    <h1>Services</h1>
    {organizations.length > 0 && <FilterForm filter={filter} organizations={organizations} />}
    {rows.length === 0 ? (
      <NothingThere visitor={visitor} filter={filter} firstSteps={firstSteps} />
    ) : (
      <TableScroll label="Services">
        <table class="services">
          <ColumnHeads columns={COLUMNS} />
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
        <a href={writeFilter({ ...filter, after: null }, '/stickers')}>Print stickers</a> with QR codes for
        them
      </p>
    )}
    {(filter.after !== null || nextPage !== null) && (
      <nav class="actions" aria-label="Pages of the list">
        {filter.after !== null && (
          <a class="button" href={writeFilter({ ...filter, after: null })}>
            First page
          </a>
        )}
        {nextPage !== null && (
          <a class="button" href={nextPage} rel="next">
            Next page
          </a>
        )}
      </nav>
    )}
  </Page>
);

const ServiceRow = ({ id, name, place, state, telling, values, curve, lastTelemetry }: ServiceRowModel) => (
  <tr>
    <td>
      <StateBadges {...state} />
      {state.missing.length > 0 && <div class="muted row-note">{sayMissing(state.missing)}</div>}
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
      {curve ? <SmallCurve curve={curve} /> : <span class="muted services-empty">No curve yet</span>}
    </td>
    <td class="services-last">
      {lastTelemetry ? <Time {...lastTelemetry} /> : <span class="muted">Never</span>}
    </td>
  </tr>
);

const MOST_VALUES = 3;

const Values = ({ values }: Pick<ServiceRowModel, 'values'>) => {
  if (values.length === 0) return <span class="muted services-empty">None</span>;
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
          <dt class="muted">and {values.length - MOST_VALUES} more</dt>
        </div>
      )}
    </dl>
  );
};

const SmallCurve = ({ curve }: { curve: NonNullable<ServiceRowModel['curve']> }) => (
  <svg
    class="small-curve"
    role="img"
    aria-label={`${curve.label} over the last 24 hours`}
    viewBox={`0 0 ${CURVE_SIZE.width} ${CURVE_SIZE.height}`}
    width={CURVE_SIZE.width}
    height={CURVE_SIZE.height}
  >
    <path class="curve-spread" d={curve.spread} />
    <path class="curve-line" d={curve.line} />
    <circle class="curve-end" cx={curve.end.x} cy={curve.end.y} r="2" />
  </svg>
);

const FilterForm = ({ filter, organizations }: Pick<ListProps, 'filter' | 'organizations'>) => {
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
          <label for="q">Search</label>
          <input
            id="q"
            name="q"
            type="search"
            value={filter.words.join(' ')}
            placeholder="Name, location, asset or device"
          />
        </div>
        {hasSeveral && (
          <Select
            name="organization"
            label="Organization"
            chosen={filter.organizationId}
            options={[
              ['', 'All'],
              ...organizations.map(
                ({ organizationId, organizationName }) => [organizationId, organizationName] as const,
              ),
            ]}
          />
        )}
        {locations.length > 0 && (
          <Select
            name="location"
            label="Location"
            chosen={filter.locationId}
            options={[['', 'All'], ...locations]}
          />
        )}
        <Select
          name="state"
          label="State"
          chosen={filter.state}
          options={[['', 'All'], ...Object.entries(STATES)]}
        />
        <div class="actions">
          <button type="submit">Show</button>
          {isFiltered(filter) && (
            <a class="button" href="/services">
              Clear
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
  if (visitor.memberships.length === 0)
    return (
      <p>
        You belong to no organization yet, so there is nothing to see. Ask an administrator of your lab to
        invite you.
      </p>
    );
  if (isFiltered(filter) || filter.after !== null)
    return (
      <p>
        No service matches. Try fewer words or <a href="/services">show all services</a>.
      </p>
    );
  return firstSteps && <FirstSteps {...firstSteps} />;
};
