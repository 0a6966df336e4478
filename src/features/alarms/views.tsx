import type { ComponentChildren } from 'preact';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { FactLine, NewestValue } from '../../engine/pages/alarm-facts.tsx';
import { GuidanceLine } from '../../engine/pages/guidance-parts.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { Untold } from '../../engine/pages/untold.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Span, Text, Time } from '../../platform/html/time.tsx';
import type { AlarmRowModel } from './row-model.ts';

const nameColumns = ({ say, sayAs }: Language): string[] => [
  say('Severity'),
  sayAs('a piece of equipment', 'Unit'),
  say('Alarm'),
  say('Since'),
  say('What is being done'),
];

/** `data-part` marks what a live page brings up to date piece by piece. */
export const AlarmList = ({ alarms }: { alarms: AlarmRowModel[] }) => {
  const { say } = useLanguage();
  return (
    <div id="alarms">
      {alarms.length === 0 ? <p>{say('No active alarms.')}</p> : <AlarmTable alarms={alarms} />}
    </div>
  );
};

interface TableProps {
  alarms: AlarmRowModel[];
  /** Tells it from others on its page. */
  label?: string;
  /** On a phone each takes as little room as it can. */
  isDense?: boolean;
}

export const AlarmTable = ({ alarms, label, isDense = false }: TableProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <TableScroll label={label ?? say('Active alarms')}>
      <table class={isDense ? 'alarm-table alarm-table-dense' : 'alarm-table'}>
        <ColumnHeads columns={nameColumns(language)} />
        <tbody>
          {alarms.map((alarm) => (
            <AlarmRow key={alarm.serviceId} {...alarm} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};

export const AlarmRow = (alarm: AlarmRowModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <tr
      id={`alarm-${alarm.serviceId}`}
      class={`alarm alarm-${alarm.severity}`}
      data-part={`alarm-${alarm.serviceId}`}
      data-critical={alarm.isUnheard ? alarm.since.iso : undefined}
      data-name={alarm.isUnheard ? alarm.fullName : undefined}
    >
      <td data-part="severity">
        <span class={`severity severity-${alarm.severity}`}>{alarm.severityLabel}</span>
      </td>
      <th scope="row" data-part="service">
        <a href={`/services/${alarm.serviceId}`}>{alarm.serviceName}</a>
        <Place parts={alarm.place} />
        {alarm.canOperate && (
          <div class="row-more">
            <a
              href={`/alarms/${alarm.serviceId}`}
              aria-label={say('Mute or plan downtime for {name}', { name: alarm.fullName })}
            >
              {say('Mute or plan downtime')}
            </a>
          </div>
        )}
      </th>
      <td class="prose" data-part="message">
        {alarm.facts && (
          <div>
            <NewestValue {...alarm.facts} />
          </div>
        )}
        <span class="alarm-said">
          <Text parts={alarm.message} />
        </span>
        {alarm.facts && <FactLine {...alarm.facts} />}
        <GuidanceLine serviceId={alarm.serviceId} text={alarm.whatToDo} />
        {alarm.turn !== null && <p class="rescue-line">{alarm.turn}</p>}
        {alarm.staleSince && (
          <div>
            {sayWith(language, '<severity>Stale</severity> since {time}', {
              severity: (inside) => <span class="severity severity-stale">{inside}</span>,
              time: <Time {...alarm.staleSince} />,
            })}
          </div>
        )}
      </td>
      <td class="alarm-since" data-part="since">
        <div>{sayWith(language, 'for {span}', { span: <Span ms={alarm.lastedMs} /> })}</div>
        <div class="muted">
          <Time {...alarm.since} />
        </div>
      </td>
      <td class="alarm-doing" data-part="answer">
        <div data-part="doing">
          {alarm.untold && <Untold {...alarm.untold} />}
          {alarm.acknowledgement && <Acknowledgement {...alarm.acknowledgement} />}
          {alarm.mute && <Mute {...alarm.mute} />}
        </div>
        <div data-part="actions">
          {alarm.canAcknowledge && <AcknowledgeForm {...alarm} />}
          {alarm.canUnacknowledge && (
            <div class="actions">
              <UnacknowledgeForm {...alarm} />
              <a
                class="button"
                href={`/alarms/${alarm.serviceId}/taken`}
                aria-label={say('Cannot go, or hand over {name}', { name: alarm.fullName })}
              >
                {say('Cannot go, or hand over')}
              </a>
            </div>
          )}
        </div>
      </td>
    </tr>
  );
};

const Acknowledgement = (acknowledgement: NonNullable<AlarmRowModel['acknowledgement']>) => (
  <>
    <p>
      <Acknowledged {...acknowledgement} />
    </p>
    {acknowledgement.comment !== null && (
      <p>
        <q>{acknowledgement.comment}</q>
      </p>
    )}
  </>
);

type AcknowledgedProps = Pick<NonNullable<AlarmRowModel['acknowledgement']>, 'severity' | 'by' | 'at'>;

export const Acknowledged = ({ severity, by, at }: AcknowledgedProps) => {
  const facts = { by, time: <Time {...at} /> };
  const language = useLanguage();
  // For translators: somebody has taken the alarm on, when it was critical; {by} is their name
  const critical = message('Acknowledged at critical by {by}, {time}');
  // For translators: somebody has taken the alarm on, when it was a warning; {by} is their name
  const warning = message('Acknowledged at warning by {by}, {time}');
  return <>{sayWith(language, severity === 'CRITICAL' ? critical : warning, facts)}</>;
};

const Mute = ({ by, at, reason }: NonNullable<AlarmRowModel['mute']>) => {
  const language = useLanguage();
  const facts = { strong: bold, by, time: <Time {...at} /> };
  return (
    <p>
      {reason === null
        ? sayWith(language, '<strong>Muted</strong> by {by}, {time}', facts)
        : sayWith(language, '<strong>Muted</strong> by {by}, {time}: {reason}', {
            ...facts,
            reason: <q>{reason}</q>,
          })}
    </p>
  );
};

const bold = (inside: ComponentChildren) => <strong>{inside}</strong>;

type Named = Pick<AlarmRowModel, 'serviceId' | 'fullName'>;

const AcknowledgeForm = ({ serviceId, fullName }: Named) => {
  const { say } = useLanguage();
  // For translators: to take an alarm on, so that nobody else has to; {name} is that of a freezer
  const label = say('Acknowledge {name}', { name: fullName });
  return (
    <form
      class="actions"
      method="post"
      action={`/alarms/${serviceId}/acknowledge`}
      hx-post={`/api/v1/alarms/${serviceId}/acknowledge`}
      hx-target="closest tr"
      hx-swap="outerHTML"
    >
      <input
        name="comment"
        placeholder={say('Comment (optional)')}
        aria-label={say('Comment on the alarm of {name} (optional)', { name: fullName })}
        autocomplete="off"
      />
      <button type="submit" class="button-primary" aria-label={label}>
        {say('Acknowledge')}
      </button>
    </form>
  );
};

const UnacknowledgeForm = ({ serviceId, fullName }: Named) => {
  const { say } = useLanguage();
  return (
    <form
      method="post"
      action={`/alarms/${serviceId}/unacknowledge`}
      hx-post={`/api/v1/alarms/${serviceId}/unacknowledge`}
      hx-target="closest tr"
      hx-swap="outerHTML"
    >
      <button type="submit" aria-label={say('Remove acknowledgement of {name}', { name: fullName })}>
        {say('Remove acknowledgement')}
      </button>
    </form>
  );
};
