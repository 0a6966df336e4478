import { LEAST_OF } from '../../domain/history/share-in-range.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import type { CalendarModel, DayModel } from './calendar-model.ts';

/** A day is a number, a shape and a colour. */
export const Calendar = ({ month, earlierPath, laterPath, weekdays, rows }: CalendarModel) => {
  const { say } = useLanguage();
  return (
    <>
      <nav class="calendar-months" aria-label={say('Months')}>
        {earlierPath !== null && (
          <a class="button" href={earlierPath} rel="prev">
            {say('Earlier month')}
          </a>
        )}
        <strong>{month}</strong>
        {laterPath !== null && (
          <a class="button" href={laterPath} rel="next">
            {say('Later month')}
          </a>
        )}
      </nav>
      <table class="calendar" aria-label={say('Time in range in {month}', { month })}>
        <thead>
          <tr>
            {weekdays.map(({ short, long }) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((days, row) => (
            <tr key={row}>
              {days.map((day, column) => (
                <td key={column}>{day && <Day {...day} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="calendar-key muted">
        <li class="grade grade-whole">{say('All of the time')}</li>
        <li class="grade grade-nearly">{say('At least {percent} %', { percent: LEAST_OF.nearly })}</li>
        <li class="grade grade-partly">{say('At least {percent} %', { percent: LEAST_OF.partly })}</li>
        <li class="grade grade-little">{say('Less')}</li>
      </ul>
    </>
  );
};

const Day = ({ date, title, share }: DayModel) => (
  <>
    <span class="calendar-date" title={title}>
      {date}
    </span>
    {share && <span class={`grade grade-${share.grade}`}>{share.said}</span>}
  </>
);
