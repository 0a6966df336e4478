import type { ComponentChildren } from 'preact';
import { LONGEST_NAME } from '../../domain/names.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Suggestions } from '../../platform/html/suggestions.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { PageLinks } from './page-links.tsx';
import { ASSETS, CHANNELS, DEVICES, SERVICES } from './paths.ts';
import type { ListedService, ServiceSearch } from './service-rows.ts';

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
  const { say, sayAs } = useLanguage();
  const { frame, services, assets, search, page, hasMore, fault } = props;
  const { organization } = frame;
  const pageAt = (number: number) =>
    settingsPath(SERVICES, organization, {
      ...(search.text !== '' && { q: search.text }),
      ...(search.isArchived && { show: 'archived' }),
      page: number,
    });
  return (
    <SettingsPage title={say('Units')} frame={frame} current={SERVICES}>
      <form class="inline-fields" method="get" action={SERVICES}>
        <input type="hidden" name="organization" value={organization.id} />
        <Field
          name="q"
          label={say('Search by name, asset, location or device')}
          input={{ type: 'search', value: search.text }}
        />
        <div class="field">
          <label for="show">{say('Show')}</label>
          <select id="show" name="show">
            <option value="watched">{say('Watched')}</option>
            <option value="archived" selected={search.isArchived}>
              {say('Archived')}
            </option>
          </select>
        </div>
        <button type="submit">{say('Search')}</button>
      </form>
      {services.length === 0 ? (
        <Nothing search={search} organization={organization} />
      ) : (
        <TableScroll label={say('Units')}>
          <table class="stacked">
            <ColumnHeads
              columns={[sayAs('a piece of equipment', 'Unit'), say('Asset'), say('Location'), say('Devices')]}
            />
            <tbody>
              {services.map(({ id, name, asset, location, devices }) => (
                <tr key={id}>
                  <th scope="row">
                    <a class="row-link" href={settingsPath(`${SERVICES}/${id}`, organization)}>
                      {name}
                    </a>
                  </th>
                  <Cell column={say('Asset')}>{asset}</Cell>
                  <Cell column={say('Location')}>{location}</Cell>
                  <Cell column={say('Devices')}>
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
      <PageLinks label={say('Pages of services')} page={page} hasMore={hasMore} pageAt={pageAt} />
      <section class="card">
        <h2>{say('New service')}</h2>
        <Suggestions id="assets" values={assets} />
        <PostForm organization={organization} action={`${SERVICES}/create`}>
          <Field
            name="name"
            label={say('Name')}
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
            {say('Create service')}
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

const Nothing = ({ search, organization }: { search: ServiceSearch; organization: { id: number } }) => {
  const language = useLanguage();
  const { say } = language;
  if (search.text !== '') return <p>{say('Nothing fits this search.')}</p>;
  if (search.isArchived) return <p>{say('Nothing is archived.')}</p>;
  return (
    <p>
      {sayWith(
        language,
        'Nothing is watched yet. <a>Adopt a device</a>, which makes a service with its limits, or create the first service below.',
        { a: (inside) => <a href={settingsPath(DEVICES, organization)}>{inside}</a> },
      )}
    </p>
  );
};

const AssetField = ({ value }: { value: string }) => {
  const { say } = useLanguage();
  return (
    <Field
      name="asset"
      label={say('Asset (may be left empty)')}
      hint={say('The equipment behind it. A name that is new makes a new asset.')}
      input={{ value, maxLength: LONGEST_NAME, list: 'assets', autocomplete: 'off' }}
    />
  );
};

interface ServiceProps {
  frame: SettingsFrame;
  service: ListedService;
  archived: ShownTime | null;
  assets: string[];
  fault: Fault | null;
}

export const ServicePage = ({ frame, service, archived, assets, fault }: ServiceProps) => {
  const language = useLanguage();
  const { say } = language;
  const { organization } = frame;
  const { id, name, asset, location, devices } = service;
  const home = `${SERVICES}/${id}`;
  const leadingTo = (path: string) => (inside: ComponentChildren) => (
    <a href={settingsPath(path, organization)}>{inside}</a>
  );
  const [toAssets, toDevices] = [leadingTo(ASSETS), leadingTo(DEVICES)];
  return (
    <SettingsPage title={name} frame={frame} current={SERVICES} up={{ path: SERVICES, label: say('Units') }}>
      {archived ? (
        <p>
          {sayWith(language, 'Archived since {time}: it takes in no data, raises no alarm and has no page.', {
            time: <Time {...archived} />,
          })}
        </p>
      ) : (
        <p>
          {sayWith(language, 'Name, limits and notifications are set on <a>the page of the service</a>.', {
            a: (inside) => <a href={`/services/${id}`}>{inside}</a>,
          })}
        </p>
      )}
      <div class="cards">
        <section class="card">
          <h2>{say('Asset and location')}</h2>
          <Suggestions id="assets" values={assets} />
          <PostForm organization={organization} action={`${home}/place`}>
            <AssetField value={fault?.typed.asset ?? asset ?? ''} />
            <p>
              {location === null
                ? sayWith(
                    language,
                    'Location: none. It belongs to the asset and is set with <a>the assets</a>.',
                    { a: toAssets },
                  )
                : sayWith(
                    language,
                    'Location: {location}. It belongs to the asset and is set with <a>the assets</a>.',
                    { location, a: toAssets },
                  )}
            </p>
            <button type="submit">{say('Save asset')}</button>
          </PostForm>
        </section>
        <section class="card">
          <h2>{say('Devices and channels')}</h2>
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
            {devices.length === 0
              ? sayWith(language, 'No device. Give it one on <a>the page of the devices</a>.', {
                  a: toDevices,
                })
              : sayWith(language, 'It may have more than one: see <a>the page of the devices</a>.', {
                  a: toDevices,
                })}
          </p>
          {!archived && (
            <p>
              {sayWith(language, '<a>Labels, units and kinds</a> of its channels', {
                a: (inside) => <a href={settingsPath(CHANNELS, organization, { service: id })}>{inside}</a>,
              })}
            </p>
          )}
        </section>
        <section class="card">
          {archived ? (
            <>
              <h2>{say('Restore')}</h2>
              <p>
                {say('It is watched again with its old limits, and judged by what comes in from now on.')}
              </p>
              <PostForm organization={organization} action={`${home}/restore`}>
                <button type="submit">{say('Restore {name}', { name })}</button>
              </PostForm>
            </>
          ) : (
            <>
              <h2>{say('Archive')}</h2>
              <p>
                {say(
                  'Ends its alarm, takes in no more data and hides it everywhere. Its history is kept, and it can be restored.',
                )}
              </p>
              <AskLink to={settingsPath(`${home}/archive`, organization)}>
                {say('Archive {name}', { name })}
              </AskLink>
            </>
          )}
        </section>
      </div>
    </SettingsPage>
  );
};
