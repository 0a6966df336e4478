// The drills of a year, and what was missing, place by place.
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Lacking } from '../../domain/rescue/drill.ts';
import { TEMPERATURE_CLASSES } from '../../domain/rescue/rescue.ts';
import type { ActNotice } from '../../domain/words/act-words.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Choice } from '../../engine/pages/place-choices.tsx';
import { DRILL } from '../../engine/pages/rescue-part.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { DrillOfYear } from '../../engine/rescue/kept-drill-rows.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';

export const DRILLS = `${DRILL}s`;

export interface ReportModel {
  organizationId: number;
  organizations: Choice[];
  year: number;
  /** null: it has not begun. */
  nextYear: number | null;
  drills: DrillOfYear[];
  /** Where something would have to be moved, and no drill was held. */
  without: string[];
}

interface ReportProps {
  visitor: Visitor;
  report: ReportModel;
  news: ActNotice | null;
}

const MOST_NAMED = 50;

const pathOf = ({ organizationId }: ReportModel, year: number, ending = ''): string =>
  `${DRILLS}${ending}?organization=${organizationId}&year=${year}`;

export const ReportPage = ({ visitor, report, news }: ReportProps) => {
  const { say } = useLanguage();
  const { year, nextYear, drills, without } = report;
  const title = say('Rescue drills of {year}', { year: String(year) });
  return (
    <Page title={title} visitor={visitor} current="/overview">
      <UpLink path={DRILL} label={say('Who would go where')} />
      <h1>{title}</h1>
      {news && <Notice kind={news.kind}>{news.text}</Notice>}
      <Chosen {...report} />
      {drills.length === 0 ? <p>{say('No drill was held.')}</p> : <Drills drills={drills} />}
      {without.length > 0 && (
        <section class="card">
          <h2>{say('Places without a drill')}</h2>
          <ul>
            {without.slice(0, MOST_NAMED).map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          {without.length > MOST_NAMED && (
            <p>{say('and {count, plural, other {# more}}', { count: without.length - MOST_NAMED })}</p>
          )}
        </section>
      )}
      <p class="actions not-printed">
        <a href={pathOf(report, year, '.csv')}>{say('Download as CSV')}</a>
        <a href={pathOf(report, year - 1)} rel="prev">
          {String(year - 1)}
        </a>
        {nextYear !== null && (
          <a href={pathOf(report, nextYear)} rel="next">
            {String(nextYear)}
          </a>
        )}
      </p>
    </Page>
  );
};

const Chosen = ({ organizations, organizationId, year }: ReportModel) => {
  const { say } = useLanguage();
  if (organizations.length < 2) return null;
  return (
    <form class="filter not-printed" method="get" action={DRILLS}>
      <input type="hidden" name="year" value={year} />
      <Select
        name="organization"
        label={say('Organization')}
        chosen={organizationId}
        options={organizations}
      />
      <button type="submit">{say('Show')}</button>
    </form>
  );
};

const COLUMNS = [
  message('Place'),
  message('Held on'),
  message('Racks'),
  message('Missing'),
  message('Remarks'),
] as const;

const Drills = ({ drills }: { drills: DrillOfYear[] }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <TableScroll label={say('Rescue drills')}>
      <table>
        <ColumnHeads columns={COLUMNS.map((column) => say(column))} />
        <tbody>
          {drills.map(({ id, place, heldOn, by, units, racks, unsaid, lacking, remarks }) => (
            <tr key={id}>
              <th scope="row">{place}</th>
              <td>
                {heldOn}
                <div class="muted">{by}</div>
              </td>
              <td class="number">
                {racks}
                <div class="muted">
                  {say('{count, plural, one {# unit} other {# units}}', { count: units })}
                </div>
              </td>
              <td>
                {sayLacking(lacking, language)}
                {unsaid > 0 && (
                  <div class="muted">
                    {say('{count, plural, one {# unit without a class} other {# units without a class}}', {
                      count: unsaid,
                    })}
                  </div>
                )}
              </td>
              <td class="prose as-typed">{remarks}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};

const sayLacking = (lacking: readonly Lacking[], { say }: Language): string =>
  lacking.length === 0
    ? say('nothing')
    : lacking
        .map(({ temperatureClass, racks, units }) =>
          say(
            '{class}: {racks, plural, one {# rack} other {# racks}} of {units, plural, one {# unit} other {# units}}',
            { class: say(TEMPERATURE_CLASSES[temperatureClass]), racks, units },
          ),
        )
        .join('; ');
