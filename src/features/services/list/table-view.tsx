// The table of the list: its heads, which put it in order, and a row a unit.

import { Place } from '../../../engine/pages/place.tsx';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Cell, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Time } from '../../../platform/html/time.tsx';
import { sayMissing } from '../shown-service/service-state.ts';
import { StateBadges } from '../shown-service/state-view.tsx';
import { CURVE_SIZE } from './curve.ts';
import { LIST_COLUMNS, type ListColumn } from './list-columns.ts';
import type { ServiceListModel, ServiceRowModel } from './list-services.ts';
import { UnitBox } from './select-view.tsx';
import { type ListOrder, type ServiceFilter, writeFilter } from './service-filter.ts';

interface TableProps extends Pick<ServiceListModel, 'rows' | 'columns'> {
  filter: ServiceFilter;
}

export const ServiceTable = ({ rows, columns, filter }: TableProps) => {
  const { say, sayAs } = useLanguage();
  return (
    <TableScroll label={say('Equipment')}>
      <table class="services">
        <thead>
          <tr>
            <th scope="col" class="unit-box-head">
              <input
                class="unit-box with-scripts"
                type="checkbox"
                data-select-all=""
                aria-label={say('Select all on this page')}
              />
            </th>
            <SortHead filter={filter} up="state" label={say('State')} />
            <SortHead filter={filter} up="name" down="-name" label={sayAs('a piece of equipment', 'Unit')} />
            <SortHead filter={filter} up="place" down="-place" label={say('Place')} />
            {columns.map((column) => (
              <th key={column} scope="col">
                {say(LIST_COLUMNS[column])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ServiceRow key={row.id} {...row} columns={columns} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};

interface SortHeadProps {
  filter: ServiceFilter;
  label: string;
  up: ListOrder;
  /** Of what it is put in order by the other way round. */
  down?: ListOrder;
}

/** The state goes from the worst down. */
const SortHead = ({ filter, label, up, down }: SortHeadProps) => {
  const { order } = filter;
  const direction = order === down || (order === up && up === 'state') ? 'descending' : 'ascending';
  const isChosen = order === up || order === down;
  return (
    <th scope="col" aria-sort={isChosen ? direction : undefined}>
      <a class="sort" href={writeFilter({ ...filter, order: (order === up && down) || up, page: 1 })}>
        {label}
      </a>
    </th>
  );
};

interface RowProps extends ServiceRowModel {
  columns: readonly ListColumn[];
}

const ServiceRow = ({ columns, ...row }: RowProps) => {
  const { id, name, place, state, telling } = row;
  const language = useLanguage();
  return (
    <tr>
      <td class="unit-box-cell">
        <UnitBox id={id} name={name} />
      </td>
      <td>
        <StateBadges {...state} />
        {state.missing.length > 0 && <div class="muted row-note">{sayMissing(state.missing, language)}</div>}
      </td>
      <th scope="row">
        <a class="row-link" href={`/services/${id}`}>
          {name}
        </a>
        {telling && (
          <div class={telling.tells === 'some' ? 'muted row-note' : 'row-note untold'}>{telling.text}</div>
        )}
      </th>
      <td class="services-place">
        <Place parts={place} />
      </td>
      {columns.map((column) => (
        <ColumnCell key={column} column={column} {...row} />
      ))}
    </tr>
  );
};

const ColumnCell = ({
  column,
  groupName,
  values,
  curve,
  lastTelemetry,
}: ServiceRowModel & { column: ListColumn }) => {
  const { say } = useLanguage();
  switch (column) {
    case 'group':
      return (
        <Cell column={say(LIST_COLUMNS.group)} class="services-line">
          {groupName ?? <span class="muted">{say('Nobody')}</span>}
        </Cell>
      );
    case 'values':
      return (
        <td class="services-values">
          <Values values={values} />
        </td>
      );
    case 'curve':
      return (
        <td class="services-curve">
          {curve ? (
            <SmallCurve curve={curve} />
          ) : (
            <span class="muted services-empty">{say('No curve yet')}</span>
          )}
        </td>
      );
    case 'last':
      return (
        <Cell column={say(LIST_COLUMNS.last)} class="services-line">
          {lastTelemetry ? <Time {...lastTelemetry} /> : <span class="muted">{say('Never')}</span>}
        </Cell>
      );
  }
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
