import { type BranchChoice, branchOf } from '../../domain/equipment/place-tree.ts';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import { writeBranch } from '../../engine/pages/wanted-place.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { FLOOR_PLANS } from './paths.ts';
import { UploadForm } from './upload-form.tsx';

interface PlansProps {
  frame: SettingsFrame;
  plans: { id: number; name: string; isEmpty: boolean; units: number }[];
  locations: string[];
  branches: BranchChoice[];
  chosen: string | null;
  fault: string | null;
}

export const PlansPage = ({ frame, plans, locations, branches, chosen, fault }: PlansProps) => {
  const language = useLanguage();
  const { say } = language;
  const { organization } = frame;
  return (
    <SettingsPage title={say('Floor plans')} frame={frame} current={FLOOR_PLANS}>
      <p>
        {say(
          'A picture of a room or a floor with the units where they stand. The overview and walls of the place show it.',
        )}
      </p>
      {plans.length > 0 && (
        <ul class="rows card">
          {plans.map(({ id, name, isEmpty, units }) => (
            <li key={id}>
              <div>
                <a class="row-link" href={settingsPath(`${FLOOR_PLANS}/${id}`, organization)}>
                  {name}
                </a>{' '}
                <span class="muted">
                  {isEmpty
                    ? say('no location is called so any more')
                    : say('{count, plural, one {# unit on it} other {# units on it}}', { count: units })}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      <section class="card">
        <h2>{say('New floor plan')}</h2>
        {locations.length === 0 ? (
          <p>
            {sayWith(language, 'There is no location yet. <a>Add one</a> first.', {
              a: (inside) => <a href={settingsPath('/settings/locations', organization)}>{inside}</a>,
            })}
          </p>
        ) : (
          <UploadForm organization={organization} fault={fault}>
            <Select
              name="location"
              label={say('Place')}
              chosen={chosen}
              hint={say('The picture that it has already is replaced.')}
              options={[...new Map(locations.map((name) => [writeBranch(branchOf(name)), name]))]}
              more={{
                label: say('Whole buildings and floors'),
                options: branches.map(({ branch, name }) => [writeBranch(branch), name]),
              }}
            />
          </UploadForm>
        )}
      </section>
    </SettingsPage>
  );
};
