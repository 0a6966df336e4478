import { AskLink } from '../../../engine/pages/ask.tsx';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Time } from '../../../platform/html/time.tsx';
import type { ShownService } from '../shown-service/queries.ts';
import type { ChannelLimits, HistoryEntry, LimitsModel } from './limits-model.ts';

interface LimitsSectionProps {
  service: ShownService;
  limits: LimitsModel;
  can: { administer: boolean };
}

export const LimitsSection = ({ service, limits, can }: LimitsSectionProps) => {
  const { say } = useLanguage();
  return (
    <section class="card" aria-labelledby="limits-title">
      <h2 id="limits-title">{say('Limits')}</h2>
      {limits.inForce.length === 0 && <p>{say('No limits are set: no value raises an alarm.')}</p>}
      {limits.inForce.map((channel) => (
        <Channel key={channel.channel} serviceId={service.id} limits={channel} canEdit={can.administer} />
      ))}
      {limits.clearing.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {can.administer && limits.inForce.length > 0 && (
        <p>
          <a href={`/services/${service.id}/clearing`}>{say('When an alarm ends')}</a>
        </p>
      )}
      {limits.history.length > 0 && (
        <details id="limits-history" open={limits.isOpen}>
          <summary>{say('History of the limits')}</summary>
          <ol class="rows">
            {limits.history.map((entry) => (
              <Version key={entry.id} {...entry} />
            ))}
          </ol>
          {limits.isOpen && (
            <p>
              <a href={`/services/${service.id}?tab=limits#limits-history`}>{say('Newest versions')}</a>
            </p>
          )}
          {limits.olderLink !== null && (
            <p>
              <a href={limits.olderLink}>{say('Older versions')}</a>
            </p>
          )}
        </details>
      )}
    </section>
  );
};

const Channel = ({
  serviceId,
  limits,
  canEdit,
}: {
  serviceId: number;
  limits: ChannelLimits;
  canEdit: boolean;
}) => {
  const { say } = useLanguage();
  return (
    <>
      <h3>{limits.label}</h3>
      {limits.note !== null && <p class="muted">{limits.note}</p>}
      {limits.bands.length === 0 ? (
        <p>{say('No band is set.')}</p>
      ) : (
        <TableScroll label={say('Limits of {subject}', { subject: limits.label })}>
          <table class="stacked">
            <ColumnHeads
              columns={[
                say('Band'),
                say('Limit'),
                say('Sustained'),
                say('Delay'),
                ...(canEdit ? [say('Action')] : []),
              ]}
            />
            <tbody>
              {limits.bands.map(({ band, label, limit, delay, sustained }) => (
                <tr key={band}>
                  <th scope="row">{label}</th>
                  <Cell column={say('Limit')}>{limit}</Cell>
                  <Cell column={say('Sustained')}>{sustained}</Cell>
                  <Cell column={say('Delay')}>{delay}</Cell>
                  {canEdit && (
                    <td>
                      <AskLink
                        to={`/services/${serviceId}/delete-band`}
                        hidden={{ metric_channel: limits.channel, band_name: band }}
                        label={say('Remove {band} of {subject}', { band: label, subject: limits.label })}
                        isQuiet
                      >
                        {say('Remove')}
                      </AskLink>
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
};

const Version = ({ label, version, isInForce, at, author, origin, changes }: HistoryEntry) => {
  const language = useLanguage();
  const { say } = language;
  const facts = { subject: label, version };
  return (
    <li>
      <div>
        <strong>
          {isInForce
            ? say('{subject}, version {version} (in force)', facts)
            : say('{subject}, version {version}', facts)}
        </strong>
        <p class="muted">
          {sayWith(
            language,
            '{origin, select, edit {Edited} recommendation {Recommendation applied} band_delete {Band removed} lab_file {Lab file applied} other {Preset}} by {author}, {time}',
            { origin, author, time: <Time {...at} /> },
          )}
        </p>
        <ul>
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      </div>
    </li>
  );
};
