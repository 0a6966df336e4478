import { listBranches } from '../../domain/equipment/place-tree.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { type AddressDoubt, AddressWarning } from '../../engine/pages/address-warning.tsx';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { writeBranch } from '../../engine/pages/wanted-place.ts';
import { Copyable } from '../../platform/html/copyable.tsx';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { NewLink } from './change-links.ts';

export const WALL = '/settings/wall';

interface LinksProps {
  frame: SettingsFrame;
  links: { id: number; name: string; locationName: string | null; created: ShownTime }[];
  locations: { id: number; name: string }[];
  fault: Fault | null;
  shown: NewLink | null;
  /** Where this program is reached. */
  origin: string;
  doubt: AddressDoubt | null;
}

export const LinksPage = ({ frame, links, locations, fault, shown, origin, doubt }: LinksProps) => {
  const language = useLanguage();
  const { say } = language;
  const { organization } = frame;
  return (
    <SettingsPage title={say('Wall')} frame={frame} current={WALL}>
      <p>
        {say(
          'A screen in the lab can show how {name} stands: what is wrong as large tiles, everything else as a count. It is opened by a link, needs no sign-in, and shows nothing about people.',
          { name: organization.name },
        )}
      </p>
      <AddressWarning doubt={doubt} />
      {shown && <Link {...shown} origin={origin} home={settingsPath(WALL, organization)} />}
      <section class="card">
        <h2>{say('Links')}</h2>
        {links.length === 0 && <p>{say('None yet.')}</p>}
        <ul class="rows">
          {links.map(({ id, name, locationName, created }) => (
            <li key={id}>
              <div>
                {name}{' '}
                {locationName !== null && (
                  <span class="muted">{say('of {place}', { place: locationName })}</span>
                )}{' '}
                <span class="muted">{sayWith(language, 'made {time}', { time: <Time {...created} /> })}</span>
              </div>
              <div class="actions">
                <AskLink
                  to={settingsPath(`${WALL}/revoke`, organization)}
                  hidden={{ link_id: id }}
                  label={say('Revoke {name}', { name })}
                >
                  {say('Revoke')}
                </AskLink>
              </div>
            </li>
          ))}
        </ul>
        <p class="muted">{say('A screen whose link is revoked shows nothing from its next update on.')}</p>
      </section>
      <section class="card">
        <h2>{say('New link')}</h2>
        <PostForm organization={organization} action={`${WALL}/create`}>
          <Field
            name="name"
            label={say('Name')}
            hint={say('Where the screen hangs, for instance. Times on it are in your own zone.')}
            error={fault?.field === 'name' ? fault.text : undefined}
            input={{
              value: fault?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          {locations.length > 0 && (
            <Select
              name="location"
              label={say('What it shows')}
              chosen={fault?.typed.location}
              error={fault?.field === 'location' ? fault.text : undefined}
              options={[['', say('All equipment')], ...locations.map(({ id, name }) => [id, name] as const)]}
              more={{
                label: say('Whole buildings and floors'),
                options: listBranches(locations.map(({ name }) => name)).map(({ branch, name }) => [
                  writeBranch(branch),
                  name,
                ]),
              }}
            />
          )}
          <button type="submit" class="button-primary">
            {say('Create link')}
          </button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};

const Link = ({ name, token, origin, home }: NewLink & { origin: string; home: string }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card" aria-labelledby="new-link">
      <h2 id="new-link">{say('The link of {name}', { name })}</h2>
      <p>
        {sayWith(
          language,
          '<strong>Open it on the screen now, or copy it: it is not shown again.</strong> Whoever has it can see the state of your equipment.',
          { strong: (inside) => <strong>{inside}</strong> },
        )}
      </p>
      <Copyable text={`${origin}/wall/${token}`} />
      <p class="actions">
        <a class="button button-primary" href={`/wall/${token}`}>
          {say('Open it here')}
        </a>
        <a class="button" href={home}>
          {say('I have copied it')}
        </a>
      </p>
    </section>
  );
};
