import { NoMembership } from '../../engine/pages/no-membership.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { ScheduleForm, type ScheduleFormModel } from '../../engine/pages/schedule-form.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Live, LiveStatus } from '../../platform/html/live.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { SERIES } from './series-view.tsx';
import { DowntimeRow, type DowntimeRowModel, nameColumns } from './views.tsx';

export interface Day {
  label: string;
  rows: DowntimeRowModel[];
}

export interface DowntimeBoardModel {
  timeZone: string;
  /** When it was so, on the visitor's clock. */
  asOf: string;
  /** Until one begins or ends next. */
  renewInMs: number | null;
  now: Day[];
  coming: Day[];
  past: Day[];
  page: number;
  hasOlder: boolean;
}

export const DowntimesPage = ({
  visitor,
  news,
  form,
  board,
}: {
  visitor: Visitor;
  news: { kind: 'done' | 'error'; text: string } | null;
  /** null: the visitor may schedule nothing. */
  form: ScheduleFormModel | null;
  /** null: a member of no organization. */
  board: DowntimeBoardModel | null;
}) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Downtimes')} visitor={visitor} current="/downtimes">
      <div class="page-head">
        <h1>{say('Downtimes')}</h1>
        <div class="page-acts">
          {form && (
            <a class="button" href="#schedule-heading">
              {say('Plan downtime')}
            </a>
          )}
          {board && (
            <a class="button" href={SERIES}>
              {say('Recurring downtimes')}
            </a>
          )}
        </div>
        {board && <LiveStatus asOf={board.asOf} />}
      </div>
      {news && <Notice kind={news.kind}>{news.text}</Notice>}
      {board ? (
        <div class="downtimes">
          <DowntimeBoard {...board} />
          {form ? (
            <section class="card" aria-labelledby="schedule-heading">
              <h2 id="schedule-heading">{say('Schedule downtime')}</h2>
              <p class="muted">
                {say('While it lasts the service is not in the alarms list, and nobody is notified.')}
              </p>
              {form.search !== null && <ServiceSearch search={form.search} />}
              <div id="schedule">
                {form.services.length === 0 && form.search === null ? (
                  <p>
                    {sayWith(
                      language,
                      'There is no service yet. <a>The list of services</a> says how to begin.',
                      { a: (inside) => <a href="/services">{inside}</a> },
                    )}
                  </p>
                ) : (
                  <ScheduleForm {...form} />
                )}
              </div>
            </section>
          ) : (
            <p class="muted">{say('Operators and administrators can schedule downtime.')}</p>
          )}
        </div>
      ) : (
        <NoMembership />
      )}
    </Page>
  );
};

/** A plain form of its own, for there are too many services to choose from. */
const ServiceSearch = ({ search }: { search: string }) => {
  const { say } = useLanguage();
  return (
    <search>
      <form class="actions service-search" method="get" action="/downtimes">
        <input
          type="search"
          name="q"
          value={search}
          aria-label={say('Find a service by its name')}
          placeholder={say('Find a service')}
          hx-get="/downtimes"
          hx-trigger="input changed delay:300ms"
          hx-target="#schedule"
          hx-select="#schedule"
          hx-swap="outerHTML"
          hx-headers='{"X-Whole-Page": "yes"}'
        />
        <button type="submit">{say('Find')}</button>
      </form>
    </search>
  );
};

/** What a live page asks for again. */
export const DowntimeBoard = ({
  timeZone,
  renewInMs,
  now,
  coming,
  past,
  page,
  hasOlder,
}: DowntimeBoardModel) => {
  const { say } = useLanguage();
  return (
    <Live
      id="downtimes"
      class="downtime-board"
      path={pastAddress(page)}
      timeZone={timeZone}
      renewInMs={renewInMs}
    >
      <Section name="now" title={say('Now')} days={now} empty={say('No service is in downtime.')} />
      <Section name="coming" title={say('Coming')} days={coming} empty={say('Nothing is planned.')} />
      <Section name="past" title={say('Past')} days={past} empty={say('No downtime has ended yet.')} />
      {(page > 1 || hasOlder) && (
        <nav class="actions" aria-label={say('Past downtimes')} data-part="pages">
          {page > 1 && (
            <a class="button" href={pastAddress(page - 1)}>
              {say('Newer')}
            </a>
          )}
          {hasOlder && (
            <a class="button" href={pastAddress(page + 1)}>
              {say('Older')}
            </a>
          )}
        </nav>
      )}
    </Live>
  );
};

const pastAddress = (page: number): string => (page === 1 ? '/downtimes' : `/downtimes?past=${page}`);

const Section = ({
  name,
  title,
  days,
  empty,
}: {
  name: string;
  title: string;
  days: Day[];
  empty: string;
}) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section data-part={name}>
      <h2>{title}</h2>
      {days.length === 0 ? (
        <p class="muted">{empty}</p>
      ) : (
        <TableScroll label={say('{title}: downtimes', { title })}>
          <table class="downtime-table">
            <ColumnHeads columns={nameColumns(language)} />
            {days.map(({ label, rows }) => (
              <tbody key={label}>
                <tr class="day">
                  <th scope="rowgroup" colSpan={nameColumns(language).length}>
                    {label}
                  </th>
                </tr>
                {rows.map((row) => (
                  <DowntimeRow key={row.id} {...row} />
                ))}
              </tbody>
            ))}
          </table>
        </TableScroll>
      )}
    </section>
  );
};
