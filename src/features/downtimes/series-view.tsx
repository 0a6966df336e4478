import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { StoredSeries } from '../../engine/quiet-times/series.ts';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
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

export const SeriesPage = ({ visitor, services, values, series, preview, done, fault }: SeriesModel) => (
  <Page title="Downtimes that come again" visitor={visitor} current="/downtimes">
    <UpLink path="/downtimes" label="Downtimes" />
    <h1>Downtimes that come again</h1>
    {done !== null && <Notice kind="done">{done}</Notice>}
    {fault !== null && <Notice kind="error">{fault.text}</Notice>}
    {series.length === 0 ? (
      <p>None yet. What comes every week or month, such as a defrost, is planned once below.</p>
    ) : (
      <ul class="rows card">
        {series.map((one) => (
          <li key={one.id}>
            <div>
              <strong>{one.serviceName}</strong> <q>{one.reason}</q>
              <p>{describeRule(one)}</p>
              <p class="muted">
                {one.next.length === 0 ? (
                  'Nothing comes any more.'
                ) : (
                  <>
                    Next:{' '}
                    {one.next.map((at, index) => (
                      <>
                        {index > 0 && ', '}
                        <Time key={at.iso} {...at} />
                      </>
                    ))}
                    .
                  </>
                )}{' '}
                Planned by {one.createdByName}.
              </p>
            </div>
            {one.canEnd && (
              <form method="post" action={`${SERIES}/${one.id}/end`}>
                <button
                  type="submit"
                  class="button-danger"
                  aria-label={`End the series of ${one.serviceName}`}
                >
                  End
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    )}
    {services ? (
      <section class="card" aria-labelledby="plan">
        <h2 id="plan">Plan downtimes that come again</h2>
        <p class="muted">
          Each of them is a downtime like any other, there from 14 days before. To skip one, cancel it.
        </p>
        {preview && <Preview preview={preview} />}
        <SeriesForm services={services} values={values} path={SERIES} fault={fault} />
      </section>
    ) : (
      <p class="muted">Operators and administrators can plan downtimes.</p>
    )}
  </Page>
);

const Preview = ({ preview }: { preview: NonNullable<SeriesModel['preview']> }) => (
  <div aria-live="polite">
    <h3>The next of them would be</h3>
    {preview.length === 0 && <p>None: the rule meets no day before the last.</p>}
    <ol>
      {preview.map(({ from, until, isMoved }) => (
        <li key={from.iso}>
          <Time {...from} /> to <Time {...until} />{' '}
          {isMoved && <strong>The clock changes that night: this is when it begins.</strong>}
        </li>
      ))}
    </ol>
  </div>
);

const UNITS: Record<string, [one: string, many: string]> = {
  DAILY: ['day', 'days'],
  WEEKLY: ['week', 'weeks'],
  MONTHLY: ['month', 'months'],
};
const DAYS: Record<string, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};

function describeRule({ rule, localStart, minutes, timeZone, firstDay, untilDay }: StoredSeries): string {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]));
  const [one, many] = UNITS[parts.get('FREQ') ?? ''] ?? ['day', 'days'];
  const interval = parts.get('INTERVAL');
  const days = parts
    .get('BYDAY')
    ?.split(',')
    .map((day) => `${/^\d/.test(day) ? `${ordinal(day)} ` : ''}${DAYS[day.slice(-2)] ?? day}`)
    .join(', ');
  const monthDay = parts.get('BYMONTHDAY');
  return [
    interval ? `Every ${interval} ${many}` : `Every ${one}`,
    days && ` on ${days}`,
    monthDay && ` on day ${monthDay}`,
    ` at ${localStart} (${timeZone}) for ${describeMinutes(minutes)}, ${firstDay} to ${untilDay}.`,
  ]
    .filter(Boolean)
    .join('');
}

const ordinal = (day: string): string =>
  ['first', 'second', 'third', 'fourth', 'fifth'][Number(day[0]) - 1] ?? '';

const describeMinutes = (minutes: number): string =>
  minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
