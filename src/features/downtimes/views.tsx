import { Place } from '../../engine/pages/place.tsx';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface DowntimeRowModel {
  id: number;
  serviceId: number;
  serviceName: string;
  /** Name and place in one line, for who cannot see the row. */
  fullName: string;
  place: string[];
  start: ShownTime;
  end: ShownTime;
  reason: string;
  /** Another window of the same service at the same time, in words. */
  overlap: string | null;
  createdByName: string;
  canCancel: boolean;
}

export interface DowntimeListModel {
  timeZone: string;
  rows: DowntimeRowModel[];
}

export const COLUMNS = ['Service', 'From', 'Until', 'Reason', 'Scheduled by', 'Action'];

export const DowntimeRow = (downtime: DowntimeRowModel) => (
  <tr id={`downtime-${downtime.id}`}>
    <th scope="row">
      <a href={`/services/${downtime.serviceId}`}>{downtime.serviceName}</a>
      <Place parts={downtime.place} />
    </th>
    <td>
      <Time {...downtime.start} />
    </td>
    <td>
      <Time {...downtime.end} />
    </td>
    <td class="prose">
      {downtime.reason}
      {downtime.overlap !== null && <div class="muted">{downtime.overlap}</div>}
    </td>
    <td>{downtime.createdByName}</td>
    <td>
      {downtime.canCancel && (
        <a
          class="button"
          href={`/downtimes/${downtime.id}/cancel`}
          hx-delete={`/api/v1/downtimes/${downtime.id}`}
          hx-target="closest tr"
          hx-swap="outerHTML"
          hx-confirm={`Cancel the downtime of ${downtime.fullName}?`}
          aria-label={`Cancel the downtime of ${downtime.fullName}`}
        >
          Cancel
        </a>
      )}
    </td>
  </tr>
);

export const DowntimeList = ({ timeZone, rows }: DowntimeListModel) => (
  <div id="downtimes">
    {rows.length === 0 ? (
      <p>No service is in downtime.</p>
    ) : (
      <TableScroll label="Active downtimes">
        <table>
          <caption>Services in downtime. Times are in {timeZone}.</caption>
          <ColumnHeads columns={COLUMNS} />
          <tbody>
            {rows.map((row) => (
              <DowntimeRow key={row.id} {...row} />
            ))}
          </tbody>
        </table>
      </TableScroll>
    )}
  </div>
);

/** Takes the place of the row whose window was cancelled. */
export const CancelledRow = ({ id, serviceName }: { id: number; serviceName: string }) => (
  <tr id={`downtime-${id}`} class="muted">
    <td colSpan={COLUMNS.length}>Downtime of {serviceName} cancelled.</td>
  </tr>
);
