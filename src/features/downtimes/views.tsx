import type { Language } from '../../domain/language/speak.ts';
import { Place } from '../../engine/pages/place.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
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
  /** null: the account no longer exists. */
  createdByName: string | null;
  canCancel: boolean;
}

export interface DowntimeListModel {
  timeZone: string;
  rows: DowntimeRowModel[];
}

export const nameColumns = ({ say, sayAs }: Language): string[] => [
  sayAs('a piece of equipment', 'Unit'),
  say('From'),
  say('Until'),
  say('Reason'),
  say('Scheduled by'),
  say('Action'),
];

export const DowntimeRow = (downtime: DowntimeRowModel) => {
  const { say } = useLanguage();
  return (
    <tr id={`downtime-${downtime.id}`}>
      <th scope="row">
        <a href={`/services/${downtime.serviceId}`}>{downtime.serviceName}</a>
        <Place parts={downtime.place} />
      </th>
      <Cell column={say('From')}>
        <Time {...downtime.start} />
      </Cell>
      <Cell column={say('Until')}>
        <Time {...downtime.end} />
      </Cell>
      <td class="prose">
        {downtime.reason}
        {downtime.overlap !== null && <div class="muted">{downtime.overlap}</div>}
      </td>
      <Cell column={say('Scheduled by')}>{downtime.createdByName ?? say('Unknown')}</Cell>
      <td>
        {downtime.canCancel && (
          <a
            class="button"
            href={`/downtimes/${downtime.id}/cancel`}
            hx-delete={`/api/v1/downtimes/${downtime.id}`}
            hx-target="closest tr"
            hx-swap="outerHTML"
            hx-confirm={say('Cancel the downtime of {name}?', { name: downtime.fullName })}
            aria-label={say('Cancel the downtime of {name}', { name: downtime.fullName })}
          >
            {say('Cancel')}
          </a>
        )}
      </td>
    </tr>
  );
};

export const DowntimeList = ({ timeZone, rows }: DowntimeListModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div id="downtimes">
      {rows.length === 0 ? (
        <p>{say('No service is in downtime.')}</p>
      ) : (
        <TableScroll label={say('Active downtimes')}>
          <table>
            <caption>{say('Services in downtime. Times are in {timezone}.', { timezone: timeZone })}</caption>
            <ColumnHeads columns={nameColumns(language)} />
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
};

/** Takes the place of the row whose window was cancelled. */
export const CancelledRow = ({ id, serviceName }: { id: number; serviceName: string }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <tr id={`downtime-${id}`} class="muted">
      <td colSpan={nameColumns(language).length}>
        {say('Downtime of {name} cancelled.', { name: serviceName })}
      </td>
    </tr>
  );
};
