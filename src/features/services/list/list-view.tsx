import { canAdminister, canOperate } from '../../../domain/accounts/role.ts';
import type { ManyActName } from '../../../engine/acts/many/many-act-rows.ts';
import { FirstSteps, type FirstStepsModel } from '../../../engine/pages/first-steps.tsx';
import { Page } from '../../../engine/pages/page.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { manyPath } from './boxes.ts';
import { ColumnsForm } from './columns-view.tsx';
import { FilterForm } from './filter-view.tsx';
import { PAGE_SIZE, type ServiceListModel } from './list-services.ts';
import { ActBar, ManyNotice, type ManyNoticeModel } from './select-view.tsx';
import { isFiltered, type ServiceFilter, typedFilter, writeFilter } from './service-filter.ts';
import { ServiceTable } from './table-view.tsx';

interface ListProps extends ServiceListModel {
  visitor: Visitor;
  filter: ServiceFilter;
  /** What came of an act on many. */
  notice: ManyNoticeModel | null;
  /** Only where there is nothing to list. */
  firstSteps: FirstStepsModel | null;
}

export const ServiceListPage = (props: ListProps) => {
  const { visitor, filter, rows, columns, organizations, firstSteps } = props;
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Equipment')} visitor={visitor} current="/services">
      <h1>{say('Equipment')}</h1>
      {props.notice && <ManyNotice {...props.notice} filter={filter} />}
      {organizations.length > 0 && <FilterForm filter={filter} organizations={organizations} />}
      <div id="found">
        {rows.length === 0 ? (
          <NothingThere visitor={visitor} filter={filter} firstSteps={firstSteps} />
        ) : (
          <>
            <Shown filter={filter} {...props.shown} />
            <form class="many" method="get" action={manyPath('mute')}>
              {typedFilter(filter).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <ServiceTable rows={rows} columns={columns} filter={filter} />
              <ActBar found={props.shown.of} acts={listActs(visitor)} />
            </form>
          </>
        )}
        <PageLinks filter={filter} {...props.shown} />
        {rows.length > 0 && (
          <>
            <ColumnsForm columns={columns} filter={filter} />
            <p>
              {sayWith(language, '<a>Print stickers</a> with QR codes for them', {
                a: (inside) => <a href={writeFilter({ ...filter, page: 1 }, '/stickers')}>{inside}</a>,
              })}
            </p>
          </>
        )}
      </div>
    </Page>
  );
};

/** That there is anybody for whom the visitor may do them; of each unit the act itself decides. */
function listActs({ memberships }: Visitor): ManyActName[] {
  return [
    ...(memberships.some(({ role }) => canOperate(role)) ? (['mute', 'unmute', 'downtime'] as const) : []),
    ...(memberships.some(({ role }) => canAdminister(role)) ? (['group', 'limits', 'archive'] as const) : []),
  ];
}

const Shown = ({ filter, from, to, of }: Pick<ListProps, 'filter'> & ListProps['shown']) => {
  const { say } = useLanguage();
  return (
    <p class="shown muted">
      <span role="status">
        {/* For translators: which of how many rows of a list stand on this page, such as 1–50 of 400 */}
        {say('{from}–{to} of {of}', { from, to, of })}
      </span>
      {isFiltered(filter) && <a href="/services">{say('Show all units')}</a>}
    </p>
  );
};

const PageLinks = ({ filter, to, of }: Pick<ListProps, 'filter'> & ListProps['shown']) => {
  const { say } = useLanguage();
  const { page } = filter;
  const lastPage = Math.max(1, Math.ceil(of / PAGE_SIZE));
  if (page === 1 && to >= of) return null;
  return (
    <nav class="actions" aria-label={say('Pages of the list')}>
      {page > 1 && (
        <a class="button" href={writeFilter({ ...filter, page: Math.min(page - 1, lastPage) })} rel="prev">
          {say('Previous page')}
        </a>
      )}
      {page < lastPage && (
        <a class="button" href={writeFilter({ ...filter, page: page + 1 })} rel="next">
          {say('Next page')}
        </a>
      )}
    </nav>
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
  if (isFiltered(filter) || filter.page > 1)
    return (
      <p>
        {sayWith(language, 'No unit matches. Try fewer words or <a>show all units</a>.', {
          a: (inside) => <a href="/services">{inside}</a>,
        })}
      </p>
    );
  return firstSteps && <FirstSteps {...firstSteps} />;
};
