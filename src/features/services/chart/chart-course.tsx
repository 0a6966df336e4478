// The chart for whoever does not see it: what the curve did in a sentence, what people did, and a table.

import { findCourse, tabulate } from '../../../domain/chart/curve-course.ts';
import { saySpread, sayValue } from '../../../domain/words/say-value.ts';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { ColumnHeads, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Period, type Reader, showTime, Time } from '../../../platform/html/time.tsx';
import type { ChartModel } from './read-chart.ts';

export const CurveCourse = ({ chart, reader }: { chart: ChartModel; reader: Reader }) => {
  const language = useLanguage();
  const course = findCourse(chart);
  if (!course) return null;
  const say = ({ at, value }: { at: number; value: number }) => (
    <>
      {sayValue(value, chart, language)} (<Time {...showTime(new Date(at), reader)} />)
    </>
  );
  const { first, last, lowest, highest } = course;
  return (
    <p class="chart-course">
      {sayWith(language, 'From {first} to {last}; lowest {lowest}, highest {highest}.', {
        first: say(first),
        last: say(last),
        lowest: say(lowest),
        highest: say(highest),
      })}
    </p>
  );
};

export const Marks = ({ chart, reader }: { chart: ChartModel; reader: Reader }) => {
  const { say } = useLanguage();
  return chart.marks.length === 0 ? null : (
    <ol class="chart-marks" aria-label={say('What people did meanwhile')}>
      {chart.marks.map(({ at, words, notePath }) => (
        <li key={`${at}-${words}`}>
          <Time {...showTime(new Date(at), reader)} /> {words}
          {notePath !== null && (
            <>
              {' '}
              <a href={notePath}>{say('Change')}</a>
            </>
          )}
        </li>
      ))}
    </ol>
  );
};

export const CurveTable = ({ chart, reader }: { chart: ChartModel; reader: Reader }) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const rows = tabulate(chart, chart);
  return rows.length === 0 ? null : (
    <details class="chart-table">
      <summary>{say('As a table')}</summary>
      <TableScroll label={say('Table of the chart')}>
        <table>
          <ColumnHeads columns={[sayAs('a time', 'When'), chart.label]} />
          <tbody>
            {rows.map(({ from, to, min, max }) => (
              <tr key={from}>
                <th scope="row">
                  <Period from={showTime(new Date(from), reader)} until={showTime(new Date(to), reader)} />
                </th>
                <td>{saySpread(min, max, chart, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </details>
  );
};
