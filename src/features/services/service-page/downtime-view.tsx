import { Temporal } from 'temporal-polyfill';
import { type ActRefusal, sayRefused } from '../../../domain/words/act-words.ts';
import { AskLink } from '../../../engine/pages/ask.tsx';
import { Field } from '../../../platform/html/field.tsx';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Period, type Reader, showTime } from '../../../platform/html/time.tsx';
import { TimeField } from '../../../platform/html/time-field.tsx';
import { VerbForm } from '../shown-service/page-form.tsx';
import type { DowntimeRecord } from '../shown-service/queries.ts';
import type { ServicePageModel } from './page-model.ts';

/** The form that was refused: why, and what was typed. */
export interface ScheduleFault {
  refusal: ActRefusal;
  typed: Record<string, string>;
}

export const DowntimeSection = (page: ServicePageModel & { fault: ScheduleFault | null }) => {
  const { say, sayAs } = useLanguage();
  const { downtimes, reader, can, fault } = page;
  const { now } = reader;
  const active = downtimes.open.filter(({ startAt }) => startAt <= now);
  const coming = downtimes.open.filter(({ startAt }) => startAt > now);
  return (
    <section id="downtimes" class="card" aria-labelledby="downtimes-title">
      <h2 id="downtimes-title">{say('Downtimes')}</h2>
      {downtimes.open.length === 0 && <p>{say('None now, and none planned.')}</p>}
      <Windows title={sayAs('downtimes', 'Now')} windows={active} {...page} />
      <Windows title={sayAs('downtimes', 'Coming')} windows={coming} {...page} />
      {downtimes.past.length > 0 && (
        <details>
          <summary>{say('Past downtimes')}</summary>
          <Windows title={sayAs('downtimes', 'Past')} windows={downtimes.past} {...page} />
        </details>
      )}
      {can.operate && (
        <details open={fault !== null}>
          <summary>{say('Plan a downtime')}</summary>
          <ScheduleForm {...page} />
        </details>
      )}
    </section>
  );
};

type WindowsProps = ServicePageModel & { title: string; windows: DowntimeRecord[] };

const Windows = ({ title, windows, can, reader }: WindowsProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  return windows.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul class="rows">
        {windows.map(({ id, startAt, endAt, reason, by }) => (
          <li key={id}>
            <div>
              <Period from={showTime(startAt, reader)} until={showTime(endAt, reader)} />
              <p>
                {reason} <span class="muted">({by})</span>
              </p>
            </div>
            {can.operate && endAt > reader.now && (
              <AskLink
                to={`/downtimes/${id}/cancel`}
                label={say('Cancel the downtime: {reason}', { reason })}
                isQuiet
              >
                {sayAs('a downtime', 'Cancel')}
              </AskLink>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};

const FIELD_OF: Partial<Record<ActRefusal, string>> = {
  no_reason: 'reason',
  unparsable_time: 'start_time',
  end_not_after_start: 'end_time',
  already_over: 'end_time',
};

const ScheduleForm = ({ service, reader, fault }: ServicePageModel & { fault: ScheduleFault | null }) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const errorOf = (field: string) =>
    fault && (FIELD_OF[fault.refusal] ?? 'reason') === field
      ? sayRefused(fault.refusal, language).text
      : undefined;
  const time = (field: string, hoursAhead: number) => ({
    value: fault?.typed[field] ?? writeLocal(reader, hoursAhead),
    input: { required: true },
  });
  return (
    <VerbForm serviceId={service.id} verb="schedule-downtime">
      <p class="muted">{say('While it lasts, alarms are hidden and nobody is notified.')}</p>
      <TimeField
        name="start_time"
        label={sayAs('a time', 'From')}
        error={errorOf('start_time')}
        {...time('start_time', 0)}
      />
      <TimeField
        name="end_time"
        label={sayAs('a time', 'Until')}
        error={errorOf('end_time')}
        {...time('end_time', 2)}
      />
      <Field
        id="downtime-reason"
        name="reason"
        label={say('Reason')}
        error={errorOf('reason')}
        input={{ value: fault?.typed.reason ?? '', required: true, maxLength: 2000, autocomplete: 'off' }}
      />
      <button type="submit">{say('Plan downtime')}</button>
    </VerbForm>
  );
};

/** As the browser's field for times wants it. */
const writeLocal = ({ now, timezone }: Reader, hoursAhead: number): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .add({ hours: hoursAhead })
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
