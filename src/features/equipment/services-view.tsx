import { LONGEST_NAME } from '../../domain/names.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { PageLinks } from './page-links.tsx';
import { ASSETS, CHANNELS, DEVICES, SERVICES } from './paths.ts';
import type { ListedService, ServiceSearch } from './service-rows.ts';
import { Suggestions } from './suggestions.tsx';

interface ServicesProps {
  frame: SettingsFrame;
  services: ListedService[];
  assets: string[];
  search: ServiceSearch;
  page: number;
  hasMore: boolean;
  fault: Fault | null;
}

export const ServicesPage = (props: ServicesProps) => {
  const { frame, services, assets, search, page, hasMore, fault } = props;
  const { organization } = frame;
  const pageAt = (number: number) =>
    settingsPath(SERVICES, organization, {
      ...(search.text !== '' && { q: search.text }),
      ...(search.isArchived && { show: 'archived' }),
      page: number,
    });
  return (
    <SettingsPage title="Services" frame={frame} current={SERVICES}>
      <form class="inline-fields" method="get" action={SERVICES}>
        <input type="hidden" name="organization" value={organization.id} />
        <Field
          name="q"
          label="Search by name, asset, location or device"
          input={{ type: 'search', value: search.text }}
        />
        <div class="field">
          <label for="show">Show</label>
          <select id="show" name="show">
            <option value="watched">Watched</option>
            <option value="archived" selected={search.isArchived}>
              Archived
            </option>
          </select>
        </div>
        <button type="submit">Search</button>
      </form>
      {services.length === 0 ? (
        <Nothing search={search} organization={organization} />
      ) : (
        <TableScroll label="Services">
          <table class="stacked">
            <ColumnHeads columns={['Service', 'Asset', 'Location', 'Devices']} />
            <tbody>
              {services.map(({ id, name, asset, location, devices }) => (
                <tr key={id}>
                  <th scope="row">
                    <a class="row-link" href={settingsPath(`${SERVICES}/${id}`, organization)}>
                      {name}
                    </a>
                  </th>
                  <Cell column="Asset">{asset}</Cell>
                  <Cell column="Location">{location}</Cell>
                  <Cell column="Devices">
                    {devices.map((device) => (
                      <code key={device.id} class="one-of-many">
                        {device.key}
                      </code>
                    ))}
                  </Cell>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      <PageLinks label="Pages of services" page={page} hasMore={hasMore} pageAt={pageAt} />
      <section class="card">
        <h2>New service</h2>
        <Suggestions id="assets" values={assets} />
        <PostForm organization={organization} action={`${SERVICES}/create`}>
          <Field
            name="name"
            label="Name"
            error={fault?.field === 'name' ? fault.text : undefined}
            input={{
              value: fault?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <AssetField value={fault?.typed.asset ?? ''} />
          <button type="submit" class="button-primary">
            Create service
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

const Nothing = ({ search, organization }: { search: ServiceSearch; organization: { id: number } }) => {
  if (search.text !== '') return <p>Nothing fits this search.</p>;
  if (search.isArchived) return <p>Nothing is archived.</p>;
  return (
    <p>
      Nothing is watched yet. <a href={settingsPath(DEVICES, organization)}>Adopt a device</a>, which makes a
      service with its limits, or create the first service below.
    </p>
  );
};

const AssetField = ({ value }: { value: string }) => (
  <Field
    name="asset"
    label="Asset (may be left empty)"
    hint="The equipment behind it. A name that is new makes a new asset."
    input={{ value, maxLength: LONGEST_NAME, list: 'assets', autocomplete: 'off' }}
  />
);

interface ServiceProps {
  frame: SettingsFrame;
  service: ListedService;
  archived: ShownTime | null;
  assets: string[];
  fault: Fault | null;
}

export const ServicePage = ({ frame, service, archived, assets, fault }: ServiceProps) => {
  const { organization } = frame;
  const { id, name, asset, location, devices } = service;
  const home = `${SERVICES}/${id}`;
  return (
    <SettingsPage title={name} frame={frame} current={SERVICES} up={{ path: SERVICES, label: 'Services' }}>
      {archived ? (
        <p>
          Archived since <Time {...archived} />: it takes in no data, raises no alarm and has no page.
        </p>
      ) : (
        <p>
          Name, limits and notifications are set on <a href={`/services/${id}`}>the page of the service</a>.
        </p>
      )}
      <div class="cards">
        <section class="card">
          <h2>Asset and location</h2>
          <Suggestions id="assets" values={assets} />
          <PostForm organization={organization} action={`${home}/place`}>
            <AssetField value={fault?.typed.asset ?? asset ?? ''} />
            <p>
              Location: {location ?? 'none'}. It belongs to the asset and is set with{' '}
              <a href={settingsPath(ASSETS, organization)}>the assets</a>.
            </p>
            <button type="submit">Save asset</button>
          </PostForm>
        </section>
        <section class="card">
          <h2>Devices and channels</h2>
          {devices.length > 0 && (
            <ul>
              {devices.map((device) => (
                <li key={device.id}>
                  <a href={settingsPath(`${DEVICES}/${device.id}`, organization)}>
                    <code>{device.key}</code>
                  </a>
                </li>
              ))}
            </ul>
          )}
          <p>
            {devices.length === 0 ? 'No device. Give it one on ' : 'It may have more than one: see '}
            <a href={settingsPath(DEVICES, organization)}>the page of the devices</a>.
          </p>
          {!archived && (
            <p>
              <a href={settingsPath(CHANNELS, organization, { service: id })}>Labels, units and kinds</a> of
              its channels
            </p>
          )}
        </section>
        <section class="card">
          {archived ? (
            <>
              <h2>Restore</h2>
              <p>It is watched again with its old limits, and judged by what comes in from now on.</p>
              <PostForm organization={organization} action={`${home}/restore`}>
                <button type="submit">Restore {name}</button>
              </PostForm>
            </>
          ) : (
            <>
              <h2>Archive</h2>
              <p>
                Ends its alarm, takes in no more data and hides it everywhere. Its history is kept, and it can
                be restored.
              </p>
              <PostForm organization={organization} action={`${home}/archive`}>
                <button type="submit" class="button-danger">
                  Archive {name}
                </button>
              </PostForm>
            </>
          )}
        </section>
      </div>
    </SettingsPage>
  );
};
