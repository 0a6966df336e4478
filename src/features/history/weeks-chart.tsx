// Alarms a week as bars, drawn by the server, and the same as a table.
import { Fragment } from 'preact';
import { roundUp } from '../../domain/history/round-up.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import type { WeekModel } from './insight-model.ts';

/** So many are named below the bars. */
const MOST_LABELS = 6;

export const WeeksChart = ({ weeks }: { weeks: readonly WeekModel[] }) => {
  const { say } = useLanguage();
  const most = Math.max(...weeks.map(({ alarms }) => alarms));
  const top = roundUp(most);
  const width = 100 / weeks.length;
  const every = Math.ceil(weeks.length / MOST_LABELS);
  return (
    <figure class="weeks">
      <figcaption>
        <span class="weeks-critical">{say('Critical')}</span>
        <span class="weeks-warning">{say('Warning')}</span>
      </figcaption>
      <svg
        class="weeks-bars"
        role="img"
        aria-label={say(
          'Alarms a week: {weeks, plural, one {# week} other {# weeks}}, at most {most} in one',
          {
            weeks: weeks.length,
            most,
          },
        )}
      >
        {[top, ...(top % 2 === 0 ? [top / 2] : [])].map((count) => (
          <Fragment key={count}>
            <line
              x1="0"
              x2="100%"
              y1={`${100 - (count / top) * 100}%`}
              y2={`${100 - (count / top) * 100}%`}
            />
            <text x="0" y={`${100 - (count / top) * 100}%`} dy="1.1em">
              {count}
            </text>
          </Fragment>
        ))}
        {weeks.map((week, index) => (
          <Bar key={week.title} {...week} start={index * width} width={width} top={top} />
        ))}
      </svg>
      <svg class="weeks-days" aria-hidden="true">
        {weeks.map(
          ({ title, label }, index) =>
            index % every === 0 && (
              <text key={title} x={`${index * width}%`} y="1em">
                {label}
              </text>
            ),
        )}
      </svg>
    </figure>
  );
};

const Bar = ({
  title,
  alarms,
  critical,
  start,
  width,
  top,
}: WeekModel & { start: number; width: number; top: number }) => {
  const { say } = useLanguage();
  const heightOf = (count: number) => (count / top) * 100;
  const warnings = alarms - critical;
  return (
    <svg x={`${start + width * 0.1}%`} width={`${width * 0.8}%`} height="100%">
      <title>
        {say('Week of {day}: {alarms, plural, one {# alarm} other {# alarms}}, {critical} critical', {
          day: title,
          alarms,
          critical,
        })}
      </title>
      <rect class="weeks-whole" width="100%" height="100%" />
      {critical > 0 && (
        <rect
          class="weeks-critical"
          y={`${100 - heightOf(critical)}%`}
          width="100%"
          height={`${heightOf(critical)}%`}
        />
      )}
      {warnings > 0 && (
        <rect
          class="weeks-warning"
          y={`${100 - heightOf(alarms)}%`}
          width="100%"
          height={`${heightOf(warnings)}%`}
        />
      )}
    </svg>
  );
};

/** The newest first. */
export const WeeksTable = ({ weeks }: { weeks: readonly WeekModel[] }) => {
  const { say } = useLanguage();
  return (
    <details>
      <summary>{say('As a table')}</summary>
      <TableScroll label={say('Table of alarms a week')}>
        <table class="stacked">
          <ColumnHeads
            columns={[
              say('Week of'),
              say('Alarms'),
              say('Of these critical'),
              say('Acknowledged after'),
              say('Recovered after'),
            ]}
          />
          <tbody>
            {weeks.toReversed().map(({ title, path, alarms, critical, toAcknowledge, toRecover }) => (
              <tr key={title}>
                <th scope="row">{alarms > 0 ? <a href={path}>{title}</a> : title}</th>
                <Cell column={say('Alarms')}>{alarms}</Cell>
                <Cell column={say('Of these critical')}>{critical}</Cell>
                <Cell column={say('Acknowledged after')}>{toAcknowledge ?? '–'}</Cell>
                <Cell column={say('Recovered after')}>{toRecover ?? '–'}</Cell>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </details>
  );
};
