import { LONGEST_NAME } from '../../domain/names.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { AdoptionForm, type AdoptionModel, type SaidModel } from './adoption-view.tsx';
import type { Device } from './device-rows.ts';
import { PageLinks } from './page-links.tsx';
import { DEVICES, SERVICES } from './paths.ts';
import type { ChoosableService } from './service-rows.ts';

export interface DeviceModel extends Device {
  firstSeen: ShownTime | null;
  lastSeen: ShownTime | null;
  clockSuspect: ShownTime | null;
  /** While it waits to be adopted: what some of its channels last said. */
  said: SaidModel[];
  /** How many more channels it has. */
  unsaid: number;
}

interface DevicesProps {
  frame: SettingsFrame;
  devices: DeviceModel[];
  text: string;
  page: number;
  hasMore: boolean;
  fault: Fault | null;
}

export const DevicesPage = ({ frame, devices, text, page, hasMore, fault }: DevicesProps) => {
  const { say, sayAs } = useLanguage();
  const { organization } = frame;
  const pageAt = (number: number) =>
    settingsPath(DEVICES, organization, { ...(text !== '' && { q: text }), page: number });
  return (
    <SettingsPage title={say('Devices')} frame={frame} current={DEVICES}>
      <p>
        {say(
          'A device that sends data and belongs to no service yet stands first, waiting to be adopted. Its last 500 readings wait with it for a day, and come along.',
        )}
      </p>
      <form class="inline-fields" method="get" action={DEVICES}>
        <input type="hidden" name="organization" value={organization.id} />
        <Field name="q" label={say('Search by key or service')} input={{ type: 'search', value: text }} />
        <button type="submit">{say('Search')}</button>
      </form>
      {devices.length === 0 ? (
        <NothingHeard organization={organization} isSearched={text !== ''} />
      ) : (
        <TableScroll label={say('Devices')}>
          <table class="stacked">
            <ColumnHeads
              columns={[
                say('Device'),
                sayAs('a piece of equipment', 'Unit'),
                say('Last values'),
                say('Reports every'),
                say('Last heard unadopted'),
              ]}
            />
            <tbody>
              {devices.map((device) => (
                <DeviceRow key={device.id} organization={organization} device={device} />
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      <PageLinks label={say('Pages of devices')} page={page} hasMore={hasMore} pageAt={pageAt} />
      <section class="card">
        <h2>{say('Add a device that has not reported yet')}</h2>
        <PostForm class="inline-fields" organization={organization} action={`${DEVICES}/add`}>
          <Field
            name="key"
            label={say('Key')}
            hint={say('Such as its DevEUI or serial number, as it appears in the data it sends.')}
            error={fault?.field === 'key' ? fault.text : undefined}
            input={{
              value: fault?.typed.key ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit">{say('Add device')}</button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

const NothingHeard = ({
  organization,
  isSearched,
}: {
  organization: SettingsFrame['organization'];
  isSearched: boolean;
}) => {
  const language = useLanguage();
  return isSearched ? (
    <p>
      {sayWith(language, 'Nothing fits this search. <a>Show all devices</a>.', {
        a: (inside) => <a href={settingsPath(DEVICES, organization)}>{inside}</a>,
      })}
    </p>
  ) : (
    <p>
      {sayWith(
        language,
        'No device has been heard of yet. Devices stand here as soon as a <a>source</a> hands in what they say.',
        { a: (inside) => <a href={settingsPath('/settings/sources', organization)}>{inside}</a> },
      )}
    </p>
  );
};

const DeviceRow = ({
  organization,
  device,
}: {
  organization: SettingsFrame['organization'];
  device: DeviceModel;
}) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const { id, key, model, heardFrom, serviceName, isServiceArchived, uplinkIntervalMinutes, said, unsaid } =
    device;
  return (
    <tr>
      <th scope="row">
        <a class="row-link" href={settingsPath(`${DEVICES}/${id}`, organization)}>
          <code>{key}</code>
        </a>
        {model !== null && <span class="band-time">{model}</span>}
      </th>
      <Cell column={sayAs('a piece of equipment', 'Unit')}>
        {serviceName === null ? (
          <strong class="severity severity-stale">{say('Not adopted')}</strong>
        ) : isServiceArchived ? (
          say('{serviceName} (archived)', { serviceName })
        ) : (
          serviceName
        )}
      </Cell>
      <Cell column={say('Last values')}>
        {said.length > 0 && (
          <dl class="values">
            {said.map(({ channel, value }) => (
              <div key={channel}>
                <dt>{channel}</dt>
                <dd>{value}</dd>
              </div>
            ))}
            {unsaid > 0 && (
              <div>
                <dt class="muted">{say('and {count} more', { count: unsaid })}</dt>
              </div>
            )}
          </dl>
        )}
      </Cell>
      <Cell column={say('Reports every')}>
        {uplinkIntervalMinutes !== null &&
          say('{minutes} min', { minutes: language.number(uplinkIntervalMinutes, 6) })}
      </Cell>
      <Cell column={say('Last heard unadopted')}>
        {device.lastSeen && (
          <>
            <Time {...device.lastSeen} />
            {heardFrom !== null && (
              <span class="band-time">{say('through {source}', { source: heardFrom })}</span>
            )}
          </>
        )}
      </Cell>
    </tr>
  );
};

interface DeviceProps {
  frame: SettingsFrame;
  device: DeviceModel;
  services: ChoosableService[];
  /** null: it belongs to a service. */
  adoption: AdoptionModel | null;
  fault: Fault | null;
}

const Heard = ({ first, last, source }: { first: ShownTime; last: ShownTime; source: string | null }) => {
  const language = useLanguage();
  const times = { first: <Time {...first} />, last: <Time {...last} /> };
  return (
    <>
      {source === null
        ? sayWith(language, 'Heard without a service first {first}, last {last}.', times)
        : sayWith(language, 'Heard without a service first {first}, last {last}, through {source}.', {
            ...times,
            source,
          })}
    </>
  );
};

export const DevicePage = ({ frame, device, services, adoption, fault }: DeviceProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const { organization } = frame;
  const { id, key, model, heardFrom, serviceId, serviceName, uplinkIntervalMinutes } = device;
  const { firstSeen, lastSeen, clockSuspect } = device;
  const home = `${DEVICES}/${id}`;
  const seen = { seen_service_id: serviceId ?? '' };
  const errorIn = (word: string, field: string) =>
    fault?.word === word && fault.field === field ? fault.text : undefined;
  const others = services.filter((service) => service.id !== serviceId);
  const options = others.map((service) => [service.id, service.name] as const);
  return (
    <SettingsPage title={key} frame={frame} current={DEVICES} up={{ path: DEVICES, label: say('Devices') }}>
      <p>
        {serviceId === null ? (
          <strong class="severity severity-stale">{say('Not adopted')}</strong>
        ) : (
          sayWith(language, 'Sends the data of <a>{serviceName}</a>.', {
            serviceName: serviceName ?? '',
            a: (inside) => <a href={settingsPath(`${SERVICES}/${serviceId}`, organization)}>{inside}</a>,
          })
        )}
      </p>
      {clockSuspect && (
        <p>
          {sayWith(
            language,
            'Its clock is suspect: last {time} it said a time that cannot be, and its readings were moved: the newest to when they came in, the others as far before it as it said.',
            { time: <Time {...clockSuspect} /> },
          )}
        </p>
      )}
      {firstSeen && lastSeen && (
        <p class="muted">
          {model !== null && `${model}. `}
          <Heard first={firstSeen} last={lastSeen} source={heardFrom} />
        </p>
      )}
      {adoption && <AdoptionForm frame={frame} deviceId={id} adoption={adoption} fault={fault} />}
      <div class="cards">
        <section class="card">
          <h2>
            {serviceId === null
              ? say('Or adopt it for a service that is there')
              : say('Move it to another service')}
          </h2>
          {others.length === 0 ? (
            <p>{say('There is no other service.')}</p>
          ) : (
            <PostForm organization={organization} action={`${home}/assign`} hidden={seen}>
              <Select
                name="service_id"
                label={sayAs('a piece of equipment', 'Unit')}
                hint={say(
                  'It may have other devices: what two of them call the same gets the key of the second behind its name.',
                )}
                options={options}
                chosen={fault?.typed.service_id}
                error={errorIn('assign', 'service_id')}
              />
              <button type="submit">{serviceId === null ? say('Adopt') : say('Move')}</button>
            </PostForm>
          )}
        </section>
        {serviceId !== null && (
          <section class="card">
            <h2>{say('How often it reports')}</h2>
            <PostForm organization={organization} action={`${home}/interval`}>
              <Field
                name="uplink_interval_minutes"
                label={say('Uplink interval in minutes (may be left empty)')}
                hint={say(
                  'The service goes stale after twice this time without data; of several devices the shortest counts. Empty: after its own setting.',
                )}
                error={errorIn('interval', 'uplink_interval_minutes')}
                input={{
                  value: fault?.typed.uplink_interval_minutes ?? uplinkIntervalMinutes ?? '',
                  inputMode: 'decimal',
                  autocomplete: 'off',
                }}
              />
              <button type="submit">{say('Save interval')}</button>
            </PostForm>
          </section>
        )}
        <section class="card">
          {serviceId === null ? (
            <>
              <h2>{say('Forget it')}</h2>
              <p>{say('Should it report again, it is back in the list.')}</p>
              <AskLink to={settingsPath(`${home}/forget`, organization)}>{say('Forget this device')}</AskLink>
            </>
          ) : (
            <>
              <h2>{say('Release it')}</h2>
              <p>
                {say('{serviceName} then gets no data of it any more.', { serviceName: serviceName ?? '' })}
              </p>
              <AskLink to={settingsPath(`${home}/assign`, organization)} hidden={{ ...seen, service_id: '' }}>
                {say('Release from {serviceName}', { serviceName: serviceName ?? '' })}
              </AskLink>
            </>
          )}
        </section>
      </div>
    </SettingsPage>
  );
};
