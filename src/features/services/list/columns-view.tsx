import { useLanguage } from '../../../platform/html/language.tsx';
import { columnField, LIST_COLUMNS, type ListColumn } from './list-columns.ts';
import { type ServiceFilter, writeFilter } from './service-filter.ts';

interface ColumnsProps {
  columns: readonly ListColumn[];
  filter: ServiceFilter;
}

export const ColumnsForm = ({ columns, filter }: ColumnsProps) => {
  const { say } = useLanguage();
  return (
    <details class="list-columns">
      <summary>{say('Columns')}</summary>
      <form method="post" action={writeFilter(filter, '/services/columns')}>
        <fieldset>
          <legend>{say('Shown beside state, unit and place, for you on every device')}</legend>
          {Object.entries(LIST_COLUMNS).map(([column, label]) => (
            <label key={column} class="check">
              <input
                type="checkbox"
                name={columnField(column as ListColumn)}
                checked={columns.includes(column as ListColumn)}
              />
              {say(label)}
            </label>
          ))}
        </fieldset>
        <button type="submit">{say('Keep these columns')}</button>
      </form>
    </details>
  );
};
