import { LONGEST_NAME } from '../../domain/names.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { ASSETS, LOCATIONS } from './paths.ts';
import type { Asset, Location } from './place-rows.ts';
import { Suggestions } from './suggestions.tsx';

const count = (number: number, one: string) => `${number} ${number === 1 ? one : `${one}s`}`;

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
  const { organization } = frame;
  return (
    <SettingsPage title="Locations" frame={frame} current={LOCATIONS}>
      <section class="card">
        <h2>New location</h2>
        <PostForm class="inline-fields" organization={organization} action={`${LOCATIONS}/create`}>
          <Field
            name="name"
            label="Name"
            error={newFault(fault)?.text}
            input={{
              value: newFault(fault)?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit" class="button-primary">
            Add location
          </button>
        </PostForm>
      </section>
      {locations.length === 0 && <p>No location yet. An asset may also stand nowhere in particular.</p>}
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
                  label="Name"
                  error={own?.text}
                  input={{
                    'aria-label': `Name of ${name}`,
                    value: own?.typed.name ?? name,
                    required: true,
                    maxLength: LONGEST_NAME,
                    autocomplete: 'off',
                  }}
                />
                <button type="submit" aria-label={`Rename ${name}`}>
                  Rename
                </button>
              </PostForm>
              <UseOrDelete
                use={assets > 0 && count(assets, 'asset')}
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
  const { organization } = frame;
  return (
    <SettingsPage title="Assets" frame={frame} current={ASSETS}>
      <Suggestions id="locations" values={locations} />
      <section class="card">
        <h2>New asset</h2>
        <PostForm class="inline-fields" organization={organization} action={`${ASSETS}/create`}>
          <AssetFields fault={newFault(fault)} name="" location="" suffix="" about="" />
          <button type="submit" class="button-primary">
            Add asset
          </button>
        </PostForm>
      </section>
      {assets.length === 0 && <p>No asset yet. A service can do without one.</p>}
      <ul class="rows card">
        {assets.map(({ id, name, location, services }) => (
          <li key={id}>
            <PostForm
              class="inline-fields"
              organization={organization}
              action={`${ASSETS}/edit`}
              hidden={{ asset_id: id }}
            >
              <AssetFields
                fault={faultIn(fault, 'asset_id', id)}
                name={name}
                location={location ?? ''}
                suffix={`-${id}`}
                about={` of ${name}`}
              />
              <button type="submit" aria-label={`Save ${name}`}>
                Save
              </button>
            </PostForm>
            <UseOrDelete
              use={services > 0 && count(services, 'service')}
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

const UseOrDelete = ({ use, name, ...form }: UseOrDeleteProps) =>
  use ? (
    <span class="muted">{use}</span>
  ) : (
    <PostForm {...form}>
      <button type="submit" class="button-danger" aria-label={`Delete ${name}`}>
        Delete
      </button>
    </PostForm>
  );

interface AssetFieldsProps {
  fault: Fault | null;
  name: string;
  location: string;
  suffix: string;
  about: string;
}

const AssetFields = ({ fault, name, location, suffix, about }: AssetFieldsProps) => (
  <>
    <Field
      id={`name${suffix}`}
      name="name"
      label="Name"
      error={fault?.text}
      input={{
        'aria-label': `Name${about}`,
        value: fault?.typed.name ?? name,
        required: true,
        maxLength: LONGEST_NAME,
        autocomplete: 'off',
      }}
    />
    <Field
      id={`location${suffix}`}
      name="location"
      label="Location"
      input={{
        'aria-label': `Location${about}`,
        value: fault?.typed.location ?? location,
        maxLength: LONGEST_NAME,
        list: 'locations',
        autocomplete: 'off',
      }}
    />
  </>
);
