import { LONGEST_NAME } from '../../domain/names.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Suggestions } from '../../platform/html/suggestions.tsx';
import { ASSETS, LOCATIONS } from './paths.ts';
import type { Asset, Location } from './place-rows.ts';

/** The row whose form was refused keeps what was typed into it. */
const faultIn = (fault: Fault | null, idField: string, id: number): Fault | null =>
  fault?.typed[idField] === String(id) ? fault : null;

const newFault = (fault: Fault | null): Fault | null => (fault?.word === 'create' ? fault : null);

interface LocationsProps {
  frame: SettingsFrame;
  locations: Location[];
  fault: Fault | null;
}

export const LocationsPage = ({ frame, locations, fault }: LocationsProps) => {
  const { say } = useLanguage();
  const { organization } = frame;
  return (
    <SettingsPage title={say('Locations')} frame={frame} current={LOCATIONS}>
      <section class="card">
        <h2>{say('New location')}</h2>
        <PostForm class="inline-fields" organization={organization} action={`${LOCATIONS}/create`}>
          <Field
            name="name"
            label={say('Name')}
            hint={say(
              'Names that begin alike stand together: Building 2 / Floor 1 / Room 104. The overview then has buildings and floors, and lists can be asked for all of one.',
            )}
            error={newFault(fault)?.text}
            input={{
              value: newFault(fault)?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit" class="button-primary">
            {say('Add location')}
          </button>
        </PostForm>
      </section>
      {locations.length === 0 && (
        <p>{say('No location yet. An asset may also stand nowhere in particular.')}</p>
      )}
      <ul class="rows card">
        {locations.map(({ id, name, assets }) => {
          const own = faultIn(fault, 'location_id', id);
          return (
            <li key={id}>
              <PostForm
                class="inline-fields"
                organization={organization}
                action={`${LOCATIONS}/rename`}
                hidden={{ location_id: id }}
              >
                <Field
                  id={`name-${id}`}
                  name="name"
                  label={say('Name')}
                  error={own?.text}
                  input={{
                    'aria-label': say('Name of {name}', { name }),
                    value: own?.typed.name ?? name,
                    required: true,
                    maxLength: LONGEST_NAME,
                    autocomplete: 'off',
                  }}
                />
                <button type="submit" aria-label={say('Rename {name}', { name })}>
                  {say('Rename')}
                </button>
              </PostForm>
              <a
                href={settingsPath(`/settings/what-to-do/locations/${id}`, organization)}
                aria-label={say('What to do: {text}', { text: name })}
              >
                {say('What to do')}
              </a>
              <UseOrDelete
                use={assets > 0 && say('{count, plural, one {# asset} other {# assets}}', { count: assets })}
                name={name}
                organization={organization}
                action={`${LOCATIONS}/delete`}
                hidden={{ location_id: id }}
              />
            </li>
          );
        })}
      </ul>
    </SettingsPage>
  );
};

interface AssetsProps {
  frame: SettingsFrame;
  assets: Asset[];
  locations: string[];
  fault: Fault | null;
}

export const AssetsPage = ({ frame, assets, locations, fault }: AssetsProps) => {
  const { say } = useLanguage();
  const { organization } = frame;
  return (
    <SettingsPage title={say('Assets')} frame={frame} current={ASSETS}>
      <Suggestions id="locations" values={locations} />
      <section class="card">
        <h2>{say('New asset')}</h2>
        <PostForm class="inline-fields" organization={organization} action={`${ASSETS}/create`}>
          <AssetFields fault={newFault(fault)} asset={null} />
          <button type="submit" class="button-primary">
            {say('Add asset')}
          </button>
        </PostForm>
      </section>
      {assets.length === 0 && <p>{say('No asset yet. A service can do without one.')}</p>}
      <ul class="rows card">
        {assets.map(({ id, name, location, services }) => (
          <li key={id}>
            <PostForm
              class="inline-fields"
              organization={organization}
              action={`${ASSETS}/edit`}
              hidden={{ asset_id: id }}
            >
              <AssetFields fault={faultIn(fault, 'asset_id', id)} asset={{ id, name, location }} />
              <button type="submit" aria-label={say('Save {name}', { name })}>
                {say('Save')}
              </button>
            </PostForm>
            <UseOrDelete
              use={
                services > 0 &&
                say('{count, plural, one {# service} other {# services}}', { count: services })
              }
              name={name}
              organization={organization}
              action={`${ASSETS}/delete`}
              hidden={{ asset_id: id }}
            />
          </li>
        ))}
      </ul>
    </SettingsPage>
  );
};

interface UseOrDeleteProps {
  /** What it is used by; false: nothing. */
  use: string | false;
  name: string;
  organization: SettingsFrame['organization'];
  action: string;
  hidden: Record<string, number>;
}

const UseOrDelete = ({ use, name, ...form }: UseOrDeleteProps) => {
  const { say } = useLanguage();
  return use ? (
    <span class="muted">{use}</span>
  ) : (
    <PostForm {...form}>
      <button type="submit" class="button-danger" aria-label={say('Delete {name}', { name })}>
        {say('Delete')}
      </button>
    </PostForm>
  );
};

interface AssetFieldsProps {
  fault: Fault | null;
  /** null: a new one. */
  asset: Pick<Asset, 'id' | 'name' | 'location'> | null;
}

const AssetFields = ({ fault, asset }: AssetFieldsProps) => {
  const { say } = useLanguage();
  const suffix = asset ? `-${asset.id}` : '';
  return (
    <>
      <Field
        id={`name${suffix}`}
        name="name"
        label={say('Name')}
        error={fault?.text}
        input={{
          'aria-label': asset ? say('Name of {name}', { name: asset.name }) : say('Name'),
          value: fault?.typed.name ?? asset?.name ?? '',
          required: true,
          maxLength: LONGEST_NAME,
          autocomplete: 'off',
        }}
      />
      <Field
        id={`location${suffix}`}
        name="location"
        label={say('Location')}
        input={{
          'aria-label': asset ? say('Location of {name}', { name: asset.name }) : say('Location'),
          value: fault?.typed.location ?? asset?.location ?? '',
          maxLength: LONGEST_NAME,
          list: 'locations',
          autocomplete: 'off',
        }}
      />
    </>
  );
};
