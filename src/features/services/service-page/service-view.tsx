import { nameWithPlace } from '../../../domain/words/place.ts';
import { Page } from '../../../engine/pages/page.tsx';
import { editPath } from '../../../engine/pages/untold.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { Live, LiveStatus } from '../../../platform/html/live.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { ColumnHeads, TableScroll } from '../../../platform/html/table-scroll.tsx';
import { Time } from '../../../platform/html/time.tsx';
import { ChartSection } from '../chart/chart-view.tsx';
import { ExportForm } from '../export/export-view.tsx';
import { EditSection } from '../limits/edit-view.tsx';
import { LimitsSection } from '../limits/limits-view.tsx';
import { StateBadges } from '../shown-service/state-view.tsx';
import { AlarmCard } from './alarm-view.tsx';
import { DowntimeSection, type ScheduleFault } from './downtime-view.tsx';
import { GuidanceCard } from './guidance-card.tsx';
import { HistorySection } from './history-view.tsx';
import type { ServicePageModel, Standing } from './page-model.ts';
import { SettingsSection } from './settings-view.tsx';
import { Panel, TabRow } from './tabs.tsx';

export interface ServicePageProps {
  visitor: Visitor;
  page: ServicePageModel;
  notice: { kind: 'done' | 'error'; text: string } | null;
  scheduleFault: ScheduleFault | null;
}

export const ServicePage = ({ visitor, page, notice, scheduleFault }: ServicePageProps) => {
  const { say, sayAs } = useLanguage();
  const { service, organizationName, tab } = page;
  return (
    <Page
      title={nameWithPlace(service.name, { organizationName, locationName: null })}
      visitor={visitor}
      current="/services"
      scripts={['chart.js']}
      styles={['chart.css']}
    >
      <div class="page-head">
        <a href="/services">{say('All equipment')}</a>
        <LiveStatus asOf={page.asOf} />
      </div>
      <div id="state" class="standing">
        {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
        <LiveStanding {...page} />
        <TabRow id={service.id} current={tab} />
        <Panel tab="now" part="alarm" current={tab}>
          <LiveAlarm {...page} />
        </Panel>
      </div>
      <Panel tab="now" current={tab}>
        {/* Where nobody sees it, nothing has a width to draw in. */}
        {tab === 'now' && <Readings {...page} />}
        <div class="cards service-cards">
          <section class="card" aria-labelledby="values-title">
            <h2 id="values-title">{say('Latest values')}</h2>
            <LiveValues {...page} />
          </section>
          {page.muting && (
            <section class="card" aria-labelledby="mute-title">
              <h2 id="mute-title">{sayAs('notifications of a service', 'Mute')}</h2>
              {page.muting}
            </section>
          )}
          <DowntimeSection {...page} fault={scheduleFault} />
        </div>
      </Panel>
      <Panel tab="history" current={tab}>
        <p class="actions">
          <a class="button" href={page.historyPath}>
            {say('Alarms of the last 30 days')}
          </a>
          <a class="button" href={`/history/insight?service=${service.id}`}>
            {say('Insight')}
          </a>
        </p>
        <HistorySection {...page} />
        <ExportForm {...page} />
      </Panel>
      <Panel tab="limits" current={tab}>
        <div class="cards service-cards">
          <LimitsSection {...page} />
          <section class="card" aria-labelledby="recommendation-title">
            <h2 id="recommendation-title">{say('Recommended limits')}</h2>
            {page.recommendation}
          </section>
        </div>
        {page.edit && <EditSection serviceId={service.id} edit={page.edit} />}
      </Panel>
      <Panel tab="notifications" current={tab}>
        <section class="card" aria-labelledby="told-title">
          <h2 id="told-title">{say('Notifications')}</h2>
          {page.telling && <p>{page.telling.text}</p>}
          {page.told}
          <p class="actions">
            <a class="button" href={`/services/${service.id}/notifications`}>
              {say('All notifications')}
            </a>
            {page.can.administer && (
              <>
                <a class="button" href={`/services/${service.id}/drill`}>
                  {say('Alarm drill')}
                </a>
                <a class="button" href={editPath(service.id)}>
                  {say('Choose who is notified')}
                </a>
              </>
            )}
          </p>
        </section>
      </Panel>
      <Panel tab="settings" current={tab}>
        <SettingsSection {...page} />
      </Panel>
    </Page>
  );
};

const Readings = ({ chart, service, reader, can }: ServicePageModel) => {
  const { say } = useLanguage();
  const [device] = service.deviceKeys;
  return chart ? (
    <ChartSection serviceId={service.id} reader={reader} hasNotes={can.operate} {...chart} />
  ) : (
    <section class="card">
      <h2>{say('Readings')}</h2>
      <p>
        {device === undefined
          ? say('Nothing has been measured yet. As soon as its device reports, its values stand here.')
          : say('Nothing has been measured yet. As soon as {device} reports, its values stand here.', {
              device,
            })}
      </p>
    </section>
  );
};

const liveParts = ({ service, reader, nextEdgeMs }: Standing) => ({
  path: `/services/${service.id}/now`,
  timeZone: reader.timezone,
  renewInMs: nextEdgeMs,
  // A reading that changes no alarm is not told of.
  everySeconds: 15,
});

const LiveStanding = (standing: Standing) => (
  <Live id="standing" {...liveParts(standing)}>
    <div class="service-head" data-part="head">
      <h1>{standing.service.name}</h1>
      <StateBadges {...standing.state} />
    </div>
  </Live>
);

const LiveAlarm = (standing: Standing) => (
  <Live id="alarm" {...liveParts(standing)}>
    <Place {...standing} />
    <AlarmCard {...standing} />
    <GuidanceCard {...standing} />
  </Live>
);

const LiveValues = (standing: Standing) => (
  <Live id="values" {...liveParts(standing)}>
    <div data-part="values">
      <LatestValues {...standing} />
    </div>
  </Live>
);

/** What an open page asks for again. */
export const ServiceNow = (standing: Standing) => (
  <>
    <LiveStanding {...standing} />
    <LiveAlarm {...standing} />
    <LiveValues {...standing} />
  </>
);

const Place = ({ organizationName, service: { locationName, assetName, deviceKeys }, devices }: Standing) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <dl class="facts" data-part="place">
      <Fact name={say('Organization')} value={organizationName} />
      <Fact name={say('Location')} value={locationName} />
      <Fact name={say('Asset')} value={assetName} />
      {devices.length < 2 ? (
        <Fact name={say('Device')} value={deviceKeys[0] ?? null} />
      ) : (
        devices.map(({ key, heardAt, isSilent }) => (
          <div key={key}>
            <dt>{isSilent ? say('Device, silent') : say('Device')}</dt>
            <dd>
              {key}
              {heardAt ? (
                <span class="band-time">
                  {sayWith(language, 'last heard {time}', { time: <Time {...heardAt} /> })}
                </span>
              ) : (
                <span class="band-time">{say('not heard yet')}</span>
              )}
            </dd>
          </div>
        ))
      )}
    </dl>
  );
};

const Fact = ({ name, value }: { name: string; value: string | null }) =>
  value === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );

const LatestValues = ({ values }: Standing) => {
  const { say, sayAs } = useLanguage();
  return values.length === 0 ? (
    <p>{say('No channel has reported yet.')}</p>
  ) : (
    <TableScroll label={say('Table of the latest values')}>
      <table class="stacked">
        <ColumnHeads columns={[say('Channel'), say('Value'), sayAs('a time', 'Measured')]} />
        <tbody>
          {values.map(({ channel, label, value, at }) => (
            <tr key={channel}>
              <th scope="row">{label}</th>
              <td>
                <strong>{value}</strong>
              </td>
              <td>
                <Time {...at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};
