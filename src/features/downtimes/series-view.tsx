import { Fragment } from 'preact';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { nameWeekday } from '../../domain/weekday-name.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { StoredSeries } from '../../engine/quiet-times/series.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Period, type ShownTime, Time } from '../../platform/html/time.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { type SeriesFault, SeriesForm, type SeriesValues } from './series-form.tsx';

export const SERIES = '/downtimes/series';

export interface SeriesModel {
  visitor: Visitor;
  /** null: the visitor may plan nothing. */
  services: { id: number; label: string }[] | null;
  values: SeriesValues;
  series: (StoredSeries & { next: ShownTime[]; canEnd: boolean })[];
  preview: { from: ShownTime; until: ShownTime; isMoved: boolean }[] | null;
  done: string | null;
  fault: SeriesFault | null;
}

export const SeriesPage = ({ visitor, services, values, series, preview, done, fault }: SeriesModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Recurring downtimes')} visitor={visitor} current="/downtimes">
      <UpLink path="/downtimes" label={say('Downtimes')} />
      <h1>{say('Recurring downtimes')}</h1>
      {done !== null && <Notice kind="done">{done}</Notice>}
      {fault !== null && <Notice kind="error">{fault.text}</Notice>}
      {series.length === 0 ? (
        <p>{say('None yet. What comes every week or month, such as a defrost, is planned once below.')}</p>
      ) : (
        <ul class="rows card">
          {series.map((one) => (
            <li key={one.id}>
              <div>
                <strong>{one.serviceName}</strong> <q>{one.reason}</q>
                <p>{describeRule(one, language)}</p>
                <p class="muted">
                  {one.next.length === 0
                    ? say('Nothing comes any more.')
                    : sayWith(language, 'Next: {times}.', { times: <Times times={one.next} /> })}{' '}
                  {say('Planned by {name}.', { name: one.createdByName })}
                </p>
              </div>
              {one.canEnd && (
                <AskLink
                  to={`${SERIES}/${one.id}/end`}
                  label={say('End the series of {name}', { name: one.serviceName })}
                >
                  {say('End')}
                </AskLink>
              )}
            </li>
          ))}
        </ul>
      )}
      {services ? (
        <section class="card" aria-labelledby="plan">
          <h2 id="plan">{say('Plan recurring downtimes')}</h2>
          <p class="muted">
            {say(
              'Each of them is a downtime like any other, there from 14 days before. To skip one, cancel it.',
            )}
          </p>
          {preview && <Preview preview={preview} />}
          <SeriesForm services={services} values={values} path={SERIES} fault={fault} />
        </section>
      ) : (
        <p class="muted">{say('Operators and administrators can plan downtimes.')}</p>
      )}
    </Page>
  );
};

const Times = ({ times }: { times: readonly ShownTime[] }) => (
  <>
    {times.map((at, index) => (
      <Fragment key={at.iso}>
        {index > 0 && ', '}
        <Time {...at} />
      </Fragment>
    ))}
  </>
);

const Preview = ({ preview }: { preview: NonNullable<SeriesModel['preview']> }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div aria-live="polite">
      <h3>{say('The next of them would be')}</h3>
      {preview.length === 0 && <p>{say('None: the rule meets no day before the last.')}</p>}
      <ol>
        {preview.map(({ from, until, isMoved }) => (
          <li key={from.iso}>
            <Period from={from} until={until} />{' '}
            {isMoved && <strong>{say('The clock changes that night: this is when it begins.')}</strong>}
          </li>
        ))}
      </ol>
    </div>
  );
};

const RHYTHMS = {
  DAILY: message('{every, plural, =1 {Every day} other {Every # days}}'),
  WEEKLY: message('{every, plural, =1 {Every week} other {Every # weeks}}'),
  MONTHLY: message('{every, plural, =1 {Every month} other {Every # months}}'),
} as const;

const ORDINALS = [
  message('first {weekday}'),
  message('second {weekday}'),
  message('third {weekday}'),
  message('fourth {weekday}'),
  message('fifth {weekday}'),
] as const;

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** `MO`, or `2MO` of a month. */
function sayWeekday(text: string, language: Language): string {
  const weekday = nameWeekday(CODES.indexOf(text.slice(-2)) + 1, language);
  const ordinal = ORDINALS[Number(/^[1-5]/.exec(text)?.[0]) - 1];
  return ordinal === undefined ? weekday : language.say(ordinal, { weekday });
}

function describeRule(series: StoredSeries, language: Language): string {
  const { say } = language;
  const parts = new Map(series.rule.split(';').map((part) => part.split('=') as [string, string]));
  let rhythm = say(RHYTHMS[(parts.get('FREQ') ?? 'DAILY') as keyof typeof RHYTHMS], {
    every: Number(parts.get('INTERVAL') ?? 1),
  });
  const days = parts.get('BYDAY')?.split(',');
  if (days)
    rhythm = say('{rhythm} on {days}', {
      rhythm,
      days: days.map((day) => sayWeekday(day, language)).join(', '),
    });
  const monthDay = parts.get('BYMONTHDAY');
  if (monthDay) rhythm = say('{rhythm} on day {day}', { rhythm, day: monthDay });
  return say('{rhythm} at {time} ({timezone}) for {span}, {first} to {last}.', {
    rhythm,
    time: series.localStart,
    timezone: series.timeZone,
    span: describeMinutes(series.minutes, language),
    first: series.firstDay,
    last: series.untilDay,
  });
}

const describeMinutes = (minutes: number, { say }: Language): string =>
  minutes % 60 === 0 ? say('{hours} h', { hours: minutes / 60 }) : say('{rest} min', { rest: minutes });
