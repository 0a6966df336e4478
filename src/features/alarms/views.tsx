import { FactLine, NewestValue } from '../../engine/pages/alarm-facts.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { Untold } from '../../engine/pages/untold.tsx';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Span, Text, Time } from '../../platform/html/time.tsx';
import type { AlarmRowModel } from './row-model.ts';

const COLUMNS = ['Severity', 'Service', 'Alarm', 'Since', 'What is being done'];

/** `data-part` marks what a live page brings up to date piece by piece. */
export const AlarmList = ({ alarms }: { alarms: AlarmRowModel[] }) => (
  <div id="alarms">{alarms.length === 0 ? <p>No active alarms.</p> : <AlarmTable alarms={alarms} />}</div>
);

export const AlarmTable = ({ alarms }: { alarms: AlarmRowModel[] }) => (
  <TableScroll label="Active alarms">
    <table class="alarm-table">
      <ColumnHeads columns={COLUMNS} />
      <tbody>
        {alarms.map((alarm) => (
          <AlarmRow key={alarm.serviceId} {...alarm} />
        ))}
      </tbody>
    </table>
  </TableScroll>
);

export const AlarmRow = (alarm: AlarmRowModel) => (
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
          <a href={`/alarms/${alarm.serviceId}`} aria-label={`Mute or plan downtime for ${alarm.fullName}`}>
            Mute or plan downtime
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
      <Text parts={alarm.message} />
      {alarm.facts && <FactLine {...alarm.facts} />}
      {alarm.staleSince && (
        <div>
          <span class="severity severity-stale">Stale</span> since <Time {...alarm.staleSince} />
        </div>
      )}
    </td>
    <td class="alarm-since" data-part="since">
      <div>
        for <Span ms={alarm.lastedMs} />
      </div>
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
              aria-label={`Cannot go, or hand over ${alarm.fullName}`}
            >
              Cannot go, or hand over
            </a>
          </div>
        )}
      </div>
    </td>
  </tr>
);

const Acknowledgement = ({ label, at, comment }: NonNullable<AlarmRowModel['acknowledgement']>) => (
  <>
    <p>
      {label}, <Time {...at} />
    </p>
    {comment !== null && (
      <p>
        <q>{comment}</q>
      </p>
    )}
  </>
);

const Mute = ({ by, at, reason }: NonNullable<AlarmRowModel['mute']>) => (
  <p>
    <strong>Muted</strong> by {by}, <Time {...at} />
    {reason !== null && (
      <>
        : <q>{reason}</q>
      </>
    )}
  </p>
);

type Named = Pick<AlarmRowModel, 'serviceId' | 'fullName'>;

const AcknowledgeForm = ({ serviceId, fullName }: Named) => (
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
      placeholder="Comment (optional)"
      aria-label={`Comment on the alarm of ${fullName} (optional)`}
      autocomplete="off"
    />
    <button type="submit" class="button-primary" aria-label={`Acknowledge ${fullName}`}>
      Acknowledge
    </button>
  </form>
);

const UnacknowledgeForm = ({ serviceId, fullName }: Named) => (
  <form
    method="post"
    action={`/alarms/${serviceId}/unacknowledge`}
    hx-post={`/api/v1/alarms/${serviceId}/unacknowledge`}
    hx-target="closest tr"
    hx-swap="outerHTML"
  >
    <button type="submit" aria-label={`Remove acknowledgement of ${fullName}`}>
      Remove acknowledgement
    </button>
  </form>
);
