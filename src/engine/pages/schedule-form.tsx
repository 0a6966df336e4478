// The form that schedules a window, on the page of downtimes and wherever one service is at hand.

import { h } from 'preact';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalInput, parseLocalTime, plainTime } from '../../domain/local-time.ts';
import { describeSpan } from '../../domain/span.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import type { Reader } from '../../platform/html/time.tsx';
import { TimeField } from '../../platform/html/time-field.tsx';

export interface ScheduleFormModel {
  /** One service that is given, or those to choose from. */
  services: { id: number; label: string }[];
  /** More than are shown: the search narrows them down. null: all are shown. */
  search: string | null;
  values: ScheduleValues;
}

export interface ScheduleValues {
  service_id: string;
  start_time: string;
  duration: string;
  end_time: string;
  reason: string;
}

const WEEK_MINUTES = 10_080;
const DURATIONS = [30, 60, 120, 240, 480, 1440, 4320, WEEK_MINUTES];

/** As they are chosen, and as they are called. */
export const listDurations = (language: Language): [minutes: string, label: string][] =>
  DURATIONS.map((minutes) => [
    String(minutes),
    minutes === WEEK_MINUTES ? language.say('1 week') : describeSpan(minutes * 60_000, language),
  ]);

export const emptyValues = (serviceId: number | null, { timezone, now }: Reader): ScheduleValues => ({
  service_id: serviceId === null ? '' : String(serviceId),
  start_time: formatLocalInput(now, timezone),
  duration: '120',
  end_time: '',
  reason: '',
});

export const readValues = (form: Record<string, string>): ScheduleValues => ({
  service_id: form.service_id ?? '',
  start_time: plainTime(form.start_time ?? ''),
  duration: form.duration ?? '',
  end_time: plainTime(form.end_time ?? ''),
  reason: form.reason ?? '',
});

/** An end that is given counts; else it is as long after the start as chosen. */
export function findEndTime({ start_time, end_time, duration }: ScheduleValues, timeZone: string): string {
  if (end_time.trim() !== '') return end_time;
  const start = parseLocalTime(start_time, timeZone);
  const isKnown = DURATIONS.some((minutes) => String(minutes) === duration);
  if (!start.ok || !isKnown) return '';
  const end = new Date(start.value.getTime() + Number(duration) * 60_000);
  return end.toISOString().replace(/\.\d+/, '');
}

/** `of`: makes the ids of its fields differ from those of another such form on the page. */
export const ScheduleForm = ({
  services,
  search,
  values,
  of = 'schedule',
}: ScheduleFormModel & { of?: string }) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const [only] = services;
  const isGiven = services.length === 1 && search === null && String(only?.id) === values.service_id;
  return (
    <form class="schedule-form" method="post" action="/downtimes">
      {isGiven ? (
        <input type="hidden" name="service_id" value={values.service_id} />
      ) : (
        <Select
          id={`${of}-service`}
          name="service_id"
          label={sayAs('a piece of equipment', 'Unit')}
          options={[['', say('Choose a unit')], ...services.map(({ id, label }) => [id, label] as const)]}
          chosen={values.service_id}
        />
      )}
      <TimeField
        id={`${of}-start`}
        name="start_time"
        label={say('Starts')}
        value={values.start_time}
        input={{ required: true }}
      />
      <Select
        id={`${of}-duration`}
        name="duration"
        label={say('Lasts')}
        options={listDurations(language)}
        chosen={values.duration}
      />
      <TimeField
        id={`${of}-end`}
        name="end_time"
        label={say('Or ends (optional)')}
        hint={say('Counts instead of how long it lasts.')}
        value={values.end_time}
      />
      <Field
        id={`${of}-reason`}
        name="reason"
        label={say('Reason')}
        input={{ value: values.reason, required: true, autocomplete: 'off', placeholder: say('Defrost') }}
      />
      <button type="submit" class="button-primary">
        {say('Schedule downtime')}
      </button>
    </form>
  );
};

/** The form for one service. */
export const showDowntimeForm = (service: { id: number; name: string }, reader: Reader) =>
  h(ScheduleForm, {
    services: [{ id: service.id, label: service.name }],
    search: null,
    values: emptyValues(service.id, reader),
    of: `schedule-${service.id}`,
  });
