// The form that plans downtimes which come again, and the rule it stands for.
import { message } from '../../domain/language/message.ts';
import { addDays, localDay, weekdayOf } from '../../domain/on-call/local-instant.ts';
import { isRule } from '../../domain/quiet-times/series.ts';
import { nameWeekday } from '../../domain/weekday-name.ts';
import { listDurations } from '../../engine/pages/schedule-form.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import type { Reader } from '../../platform/html/time.tsx';
import { ClockField } from '../../platform/html/time-field.tsx';

export interface SeriesValues {
  service_id: string;
  first_day: string;
  start: string;
  duration: string;
  interval: string;
  unit: string;
  days: readonly string[];
  until_day: string;
  reason: string;
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
/** Behind `Every` and a number. */
const UNITS = [
  ['day', message('days')],
  ['week', message('weeks')],
  ['month', message('months, on the same day of the month')],
  ['weekday', message('months, on the same weekday of the month')],
] as const;

export const emptySeries = ({ timezone, now }: Reader): SeriesValues => {
  const today = localDay(now, timezone);
  return {
    service_id: '',
    first_day: today,
    start: '03:00',
    duration: '120',
    interval: '1',
    unit: 'week',
    days: [],
    until_day: addDays(today, 182),
    reason: '',
  };
};

export const readSeriesValues = (
  form: Record<string, string | undefined>,
  empty: SeriesValues,
): SeriesValues => ({
  service_id: form.service_id ?? '',
  first_day: form.first_day ?? empty.first_day,
  start: form.start ?? empty.start,
  duration: form.duration ?? empty.duration,
  interval: form.interval ?? empty.interval,
  unit: form.unit ?? empty.unit,
  days: CODES.filter((code) => form[code] === 'yes'),
  until_day: form.until_day ?? empty.until_day,
  reason: form.reason ?? '',
});

/** null: it stands for none. */
export function readRule({ interval, unit, days, first_day: first }: SeriesValues): string | null {
  const every = interval === '1' ? '' : `;INTERVAL=${interval}`;
  const weekday = CODES[weekdayOf(first) - 1] ?? 'MO';
  const rule = {
    day: `FREQ=DAILY${every}`,
    week: `FREQ=WEEKLY${every};BYDAY=${(days.length > 0 ? days : [weekday]).join(',')}`,
    month: `FREQ=MONTHLY${every};BYMONTHDAY=${Number(first.slice(8))}`,
    weekday: `FREQ=MONTHLY${every};BYDAY=${Math.ceil(Number(first.slice(8)) / 7)}${weekday}`,
  }[unit];
  return rule !== undefined && isRule(rule) ? rule : null;
}

/** What is wrong with the form, and in which of its fields. */
export interface SeriesFault {
  field: string;
  text: string;
}

interface SeriesFormProps {
  services: { id: number; label: string }[];
  values: SeriesValues;
  path: string;
  fault: SeriesFault | null;
}

export const SeriesForm = ({ services, values, path, fault }: SeriesFormProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const errorAt = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <form method="post" action={path}>
      <Select
        name="service_id"
        label={sayAs('a piece of equipment', 'Unit')}
        error={errorAt('service_id')}
        options={[['', say('Choose a unit')], ...services.map(({ id, label }) => [id, label] as const)]}
        chosen={values.service_id}
      />
      <div class="form-line">
        <Field
          name="first_day"
          label={say('First on')}
          error={errorAt('first_day')}
          input={{ type: 'date', value: values.first_day, required: true }}
        />
        <ClockField
          name="start"
          label={say('Begins at')}
          error={errorAt('start')}
          value={values.start}
          input={{ required: true }}
        />
        <Select
          name="duration"
          label={say('Lasts')}
          options={listDurations(language)}
          chosen={values.duration}
          error={errorAt('duration')}
        />
      </div>
      <div class="form-line">
        <Field
          name="interval"
          label={say('Every')}
          error={errorAt('interval')}
          input={{ type: 'number', min: 1, max: 99, value: values.interval, required: true }}
        />
        <Select
          name="unit"
          label={say('Days, weeks or months')}
          options={UNITS.map(([unit, label]) => [unit, say(label)] as const)}
          chosen={values.unit}
        />
        <Field
          name="until_day"
          label={say('For the last time on')}
          hint={say('Within a year.')}
          error={errorAt('until_day')}
          input={{ type: 'date', value: values.until_day, required: true }}
        />
      </div>
      <fieldset class="days">
        <legend>{say('If it comes by weeks: on which days')}</legend>
        {CODES.map((code, index) => (
          <label key={code} class="check">
            <input type="checkbox" name={code} value="yes" checked={values.days.includes(code)} />{' '}
            {nameWeekday(index + 1, language)}
          </label>
        ))}
        <p class="muted">{say('None chosen: on the weekday of the first.')}</p>
      </fieldset>
      <Field
        name="reason"
        label={say('Reason')}
        error={errorAt('reason')}
        input={{ value: values.reason, autocomplete: 'off', placeholder: say('Defrost') }}
      />
      <div class="actions">
        <button type="submit" formmethod="get" formaction={`${path}#plan`} name="preview" value="yes">
          {say('Preview')}
        </button>
        <button type="submit" class="button-primary">
          {say('Plan it')}
        </button>
      </div>
    </form>
  );
};
