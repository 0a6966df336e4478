import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { AlarmRowModel } from './row-model.ts';

const COLUMNS = ['Severity', 'Service', 'Alarm', 'Since', 'Acknowledgement'];

export const AlarmList = ({ alarms }: { alarms: AlarmRowModel[] }) => (
  <div id="alarms">
    {alarms.length === 0 ? (
      <p>No active alarms.</p>
    ) : (
      <TableScroll label="Active alarms">
        <table>
          <ColumnHeads columns={COLUMNS} />
          <tbody>
            {alarms.map((alarm) => (
              <AlarmRow key={alarm.serviceId} {...alarm} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    )}
  </div>
);

export const AlarmRow = (alarm: AlarmRowModel) => (
  <tr id={`alarm-${alarm.serviceId}`} class={`alarm alarm-${alarm.severity}`}>
    <td>
      <span class={`severity severity-${alarm.severity}`}>{alarm.severityLabel}</span>
    </td>
    <th scope="row">
      <a href={`/services/${alarm.serviceId}`}>{alarm.serviceName}</a>
      {alarm.locationName !== null && <div class="muted">{alarm.locationName}</div>}
    </th>
    <td class="prose">
      {alarm.message}
      {alarm.staleSince && (
        <div>
          <span class="severity severity-stale">Stale</span> since <Time {...alarm.staleSince} />
        </div>
      )}
    </td>
    <td>
      <Time {...alarm.since} />
    </td>
    <td>
      {alarm.acknowledgement && <Acknowledgement {...alarm.acknowledgement} />}
      {alarm.canAcknowledge && <AcknowledgeForm {...alarm} />}
      {alarm.canUnacknowledge && <UnacknowledgeButton {...alarm} />}
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

type Named = Pick<AlarmRowModel, 'serviceId' | 'serviceName'>;

const AcknowledgeForm = ({ serviceId, serviceName }: Named) => (
  <form
    class="actions"
    hx-post={`/api/v1/alarms/${serviceId}/acknowledge`}
    hx-target="closest tr"
    hx-swap="outerHTML"
  >
    <input
      name="comment"
      placeholder="Comment (optional)"
      aria-label={`Comment on the alarm of ${serviceName} (optional)`}
      autocomplete="off"
    />
    <button type="submit" class="button-primary" aria-label={`Acknowledge ${serviceName}`}>
      Acknowledge
    </button>
  </form>
);

const UnacknowledgeButton = ({ serviceId, serviceName }: Named) => (
  <button
    type="button"
    hx-post={`/api/v1/alarms/${serviceId}/unacknowledge`}
    hx-target="closest tr"
    hx-swap="outerHTML"
    aria-label={`Remove acknowledgement of ${serviceName}`}
  >
    Remove acknowledgement
  </button>
);
