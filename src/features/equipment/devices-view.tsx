import { LONGEST_NAME } from '../../domain/names.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { Device } from './device-rows.ts';
import { PageLinks } from './page-links.tsx';
import { DEVICES, SERVICES } from './paths.ts';
import type { ChoosableService } from './service-rows.ts';

export interface DeviceModel extends Device {
  firstSeen: ShownTime | null;
  lastSeen: ShownTime | null;
  clockSuspect: ShownTime | null;
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
  const { organization } = frame;
  const pageAt = (number: number) =>
    settingsPath(DEVICES, organization, { ...(text !== '' && { q: text }), page: number });
  return (
    <SettingsPage title="Devices" frame={frame} current={DEVICES}>
      <p>
        A device that sends data and belongs to no service yet stands first, waiting to be adopted. Until then
        its readings are not kept.
      </p>
      <form class="inline-fields" method="get" action={DEVICES}>
        <input type="hidden" name="organization" value={organization.id} />
        <Field name="q" label="Search by key or service" input={{ type: 'search', value: text }} />
        <button type="submit">Search</button>
      </form>
      {devices.length === 0 ? (
        <p>{text === '' ? 'No device has been heard of yet.' : 'Nothing fits this search.'}</p>
      ) : (
        <TableScroll label="Devices">
          <table class="stacked">
            <ColumnHeads columns={['Device', 'Service', 'Reports every', 'Last heard unadopted']} />
            <tbody>
              {devices.map(({ id, key, serviceName, isServiceArchived, uplinkIntervalMinutes, lastSeen }) => (
                <tr key={id}>
                  <th scope="row">
                    <a class="row-link" href={settingsPath(`${DEVICES}/${id}`, organization)}>
                      <code>{key}</code>
                    </a>
                  </th>
                  <Cell column="Service">
                    {serviceName === null ? (
                      <strong class="severity severity-stale">Not adopted</strong>
                    ) : isServiceArchived ? (
                      `${serviceName} (archived)`
                    ) : (
                      serviceName
                    )}
                  </Cell>
                  <Cell column="Reports every">
                    {uplinkIntervalMinutes !== null && `${uplinkIntervalMinutes} min`}
                  </Cell>
                  <Cell column="Last heard unadopted">{lastSeen && <Time {...lastSeen} />}</Cell>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      <PageLinks label="Pages of devices" page={page} hasMore={hasMore} pageAt={pageAt} />
      <section class="card">
        <h2>Add a device that has not reported yet</h2>
        <PostForm class="inline-fields" organization={organization} action={`${DEVICES}/add`}>
          <Field
            name="key"
            label="Key"
            hint="Such as its DevEUI or serial number, as it appears in the data it sends."
            error={fault?.field === 'key' ? fault.text : undefined}
            input={{
              value: fault?.typed.key ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit">Add device</button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

interface DeviceProps {
  frame: SettingsFrame;
  device: DeviceModel;
  /** Those without a device. */
  services: ChoosableService[];
  fault: Fault | null;
}

export const DevicePage = ({ frame, device, services, fault }: DeviceProps) => {
  const { organization } = frame;
  const { id, key, serviceId, serviceName, uplinkIntervalMinutes, firstSeen, lastSeen, clockSuspect } =
    device;
  const home = `${DEVICES}/${id}`;
  const seen = { seen_service_id: serviceId ?? '' };
  const errorIn = (word: string, field: string) =>
    fault?.word === word && fault.field === field ? fault.text : undefined;
  const options = services.map((service) => [service.id, service.name] as const);
  return (
    <SettingsPage title={key} frame={frame} current={DEVICES} up={{ path: DEVICES, label: 'Devices' }}>
      <p>
        {serviceId === null ? (
          <strong class="severity severity-stale">Not adopted</strong>
        ) : (
          <>
            Sends the data of{' '}
            <a href={settingsPath(`${SERVICES}/${serviceId}`, organization)}>{serviceName}</a>.
          </>
        )}
      </p>
      {clockSuspect && (
        <p>
          Its clock is suspect: last <Time {...clockSuspect} /> it said a time that cannot be, and its
          readings got the time at which they came in.
        </p>
      )}
      {firstSeen && lastSeen && (
        <p class="muted">
          Heard without a service first <Time {...firstSeen} />, last <Time {...lastSeen} />.
        </p>
      )}
      <div class="cards">
        <section class="card">
          <h2>{serviceId === null ? 'Adopt it for a service' : 'Move it to another service'}</h2>
          {services.length === 0 ? (
            <p>Every service has a device already.</p>
          ) : (
            <PostForm organization={organization} action={`${home}/assign`} hidden={seen}>
              <Select
                name="service_id"
                label="Service without a device"
                options={options}
                chosen={fault?.typed.service_id}
                error={errorIn('assign', 'service_id')}
              />
              <button type="submit" class={serviceId === null ? 'button-primary' : undefined}>
                {serviceId === null ? 'Adopt' : 'Move'}
              </button>
            </PostForm>
          )}
        </section>
        {serviceId === null && (
          <section class="card">
            <h2>Or make a new service for it</h2>
            <PostForm organization={organization} action={`${home}/new-service`}>
              <Field
                name="name"
                label="Name of the new service"
                error={errorIn('new-service', 'name')}
                input={{
                  value: fault?.typed.name ?? '',
                  required: true,
                  maxLength: LONGEST_NAME,
                  autocomplete: 'off',
                }}
              />
              <button type="submit">Create and adopt</button>
            </PostForm>
          </section>
        )}
        <section class="card">
          <h2>How often it reports</h2>
          <PostForm organization={organization} action={`${home}/interval`}>
            <Field
              name="uplink_interval_minutes"
              label="Uplink interval in minutes (may be left empty)"
              hint="The service goes stale after twice this time without data. Empty: after its own setting."
              error={errorIn('interval', 'uplink_interval_minutes')}
              input={{
                value: fault?.typed.uplink_interval_minutes ?? uplinkIntervalMinutes ?? '',
                inputMode: 'decimal',
                autocomplete: 'off',
              }}
            />
            <button type="submit">Save interval</button>
          </PostForm>
        </section>
        <section class="card">
          {serviceId === null ? (
            <>
              <h2>Forget it</h2>
              <p>Should it report again, it is back in the list.</p>
              <PostForm organization={organization} action={`${home}/forget`}>
                <button type="submit" class="button-danger">
                  Forget this device
                </button>
              </PostForm>
            </>
          ) : (
            <>
              <h2>Release it</h2>
              <p>{serviceName} then gets no data until it has another device.</p>
              <PostForm
                organization={organization}
                action={`${home}/assign`}
                hidden={{ ...seen, service_id: '' }}
              >
                <button type="submit" class="button-danger">
                  Release from {serviceName}
                </button>
              </PostForm>
            </>
          )}
        </section>
      </div>
    </SettingsPage>
  );
};
