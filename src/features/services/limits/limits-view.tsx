import { Cell, ColumnHeads, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Time } from '../../../platform/html/time.tsx';
import { VerbForm } from '../shown-service/page-form.tsx';
import type { ShownService } from '../shown-service/queries.ts';
import type { ChannelLimits, HistoryEntry, LimitsModel } from './limits-model.ts';

interface LimitsSectionProps {
  service: ShownService;
  limits: LimitsModel;
  can: { administer: boolean };
}

export const LimitsSection = ({ service, limits, can }: LimitsSectionProps) => (
  <section class="card" aria-labelledby="limits-title">
    <h2 id="limits-title">Limits</h2>
    {limits.inForce.length === 0 && <p>No limits are set: no value raises an alarm.</p>}
    {limits.inForce.map((channel) => (
      <Channel key={channel.channel} serviceId={service.id} limits={channel} canEdit={can.administer} />
    ))}
    {limits.clearing.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {can.administer && limits.inForce.length > 0 && (
      <p>
        <a href={`/services/${service.id}/clearing`}>When alarms are over</a>
      </p>
    )}
    {limits.history.length > 0 && (
      <details id="limits-history" open={limits.isOpen}>
        <summary>History of the limits</summary>
        <ol class="rows">
          {limits.history.map((entry) => (
            <Version key={entry.id} {...entry} />
          ))}
        </ol>
        {limits.isOpen && (
          <p>
            <a href={`/services/${service.id}#limits-history`}>Newest versions</a>
          </p>
        )}
        {limits.olderLink !== null && (
          <p>
            <a href={limits.olderLink}>Older versions</a>
          </p>
        )}
      </details>
    )}
  </section>
);

const Channel = ({
  serviceId,
  limits,
  canEdit,
}: {
  serviceId: number;
  limits: ChannelLimits;
  canEdit: boolean;
}) => (
  <>
    <h3>{limits.label}</h3>
    {limits.note !== null && <p class="muted">{limits.note}</p>}
    {limits.bands.length === 0 ? (
      <p>No band is set.</p>
    ) : (
      <TableScroll label={`Limits of ${limits.label}`}>
        <table class="stacked">
          <ColumnHeads columns={['Band', 'Limit', 'Sustained', 'Delay', ...(canEdit ? ['Action'] : [])]} />
          <tbody>
            {limits.bands.map(({ band, label, limit, delay, sustained }) => (
              <tr key={band}>
                <th scope="row">{label}</th>
                <Cell column="Limit">{limit}</Cell>
                <Cell column="Sustained">{sustained}</Cell>
                <Cell column="Delay">{delay}</Cell>
                {canEdit && (
                  <td>
                    <VerbForm
                      serviceId={serviceId}
                      verb="delete-band"
                      hidden={{ metric_channel: limits.channel, band_name: band }}
                      confirm={`Remove the band ${label} of ${limits.label}? All acknowledgements of the service end.`}
                    >
                      <button type="submit" aria-label={`Remove ${label} of ${limits.label}`}>
                        Remove
                      </button>
                    </VerbForm>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    )}
  </>
);

const Version = ({ label, version, isInForce, at, author, origin, changes }: HistoryEntry) => (
  <li>
    <div>
      <strong>
        {label}, version {version}
        {isInForce && ' (in force)'}
      </strong>
      <p class="muted">
        {origin} by {author}, <Time {...at} />
      </p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </div>
  </li>
);
