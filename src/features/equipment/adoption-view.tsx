// The form by which a device becomes a service, with what the device said.
import { BAND_FIELDS } from '../../domain/equipment/edit-form.ts';
import { isTemplate, TEMPLATES, type TemplateName } from '../../domain/equipment/templates.ts';
import { BAND_LABELS, type BandName } from '../../domain/judging/band.ts';
import type { Language } from '../../domain/language/speak.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import type { SettingsFrame } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { numberInput } from '../../platform/html/number-input.ts';
import { Select } from '../../platform/html/select.tsx';
import { Suggestions } from '../../platform/html/suggestions.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import { type AdoptionFault, fieldOf, ONLY_ME, OWN_LIMITS } from './adoption-form.ts';
import type { ChoosableGroup } from './group-rows.ts';
import { DEVICES } from './paths.ts';

export interface SaidModel {
  channel: string;
  /** null: what it said is too long ago. */
  value: string | null;
  at: ShownTime | null;
}

export type SaidFault = AdoptionFault & { text: string };

export interface AdoptionModel {
  /** What each channel last said. */
  said: SaidModel[];
  /** Typed, or proposed. */
  values: FormFields;
  /** Proposed, in minutes; null: it has said too little. */
  interval: number | null;
  /** By the device itself. */
  isAnnounced: boolean;
  /** What is wrong with what was typed. */
  fault: SaidFault | null;
  assets: string[];
  locations: string[];
  groups: ChoosableGroup[];
}

interface AdoptionProps {
  frame: SettingsFrame;
  deviceId: number;
  adoption: AdoptionModel;
  fault: Fault | null;
}

export const AdoptionForm = ({ frame, deviceId, adoption, fault }: AdoptionProps) => {
  const language = useLanguage();
  const { say } = language;
  const { organization } = frame;
  const { said, values, assets, locations, groups } = adoption;
  const home = `${DEVICES}/${deviceId}`;
  const errorIn = (field: string) =>
    fault?.word === 'new-service' && fault.field === field ? fault.text : undefined;
  const text = (name: string, more = {}) => ({
    value: values[name] ?? '',
    maxLength: LONGEST_NAME,
    autocomplete: 'off',
    ...more,
  });
  return (
    <section class="card" aria-labelledby="adopt-title">
      <h2 id="adopt-title">{say('Make a new service of it')}</h2>
      <Suggestions id="assets" values={assets} />
      <Suggestions id="locations" values={locations} />
      <PostForm organization={organization} action={`${home}/new-service`}>
        <Field
          name="name"
          label={say('Name of the new service')}
          hint={say('What people call it, such as Freezer 3.')}
          error={errorIn('name')}
          input={text('name', { required: true })}
        />
        <div class="side-by-side">
          <Field
            name="asset"
            label={say('Asset (may be left empty)')}
            hint={say('The equipment, such as its inventory number.')}
            error={errorIn('asset')}
            input={text('asset', { list: 'assets' })}
          />
          <Field
            name="location"
            label={say('Location (may be left empty)')}
            hint={say('Where it stands, such as Room 101.')}
            input={text('location', { list: 'locations' })}
          />
        </div>
        {said.length === 0 && (
          <p>
            {say('It has said nothing yet. Limits can be set on the page of the service as soon as it has.')}
          </p>
        )}
        {said.map((one, number) => (
          <ChannelFields
            key={one.channel}
            frame={frame}
            deviceId={deviceId}
            number={number}
            said={one}
            values={values}
            fault={adoption.fault}
          />
        ))}
        {said.length > 0 && (
          <noscript>
            <button type="submit" formaction={settingsPath(`${home}/template`, organization)} formnovalidate>
              {say('Fill in the limits of the chosen templates')}
            </button>
          </noscript>
        )}
        <div class="side-by-side">
          <Field
            name="uplink_interval_minutes"
            label={say('Reports every (minutes)')}
            hint={
              adoption.interval === null
                ? say('The service goes stale after twice this time without data. May be left empty.')
                : adoption.isAnnounced
                  ? say(
                      'Proposed by the device itself: {minutes}. The service goes stale after twice this time without data.',
                      { minutes: adoption.interval },
                    )
                  : say(
                      'Proposed from its last readings: {minutes}. The service goes stale after twice this time without data.',
                      { minutes: adoption.interval },
                    )
            }
            error={adoption.fault?.channel === null ? adoption.fault.text : undefined}
            input={text('uplink_interval_minutes', { inputMode: 'decimal' })}
          />
          <Field
            name="stale_after_minutes"
            label={say('Stale after (minutes without data)')}
            hint={say('Counts while nobody says how often it reports. 0: never.')}
            input={text('stale_after_minutes', {
              inputMode: 'numeric',
              ...numberInput(language, values.stale_after_minutes ?? ''),
            })}
          />
        </div>
        <Select
          name="notification_group_id"
          label={say('Who is notified')}
          hint={say(
            'About everything; the page of the service can say less. Who is in a group is set under Groups.',
          )}
          options={[
            ...groups.map(({ id, name }) => [id, name] as const),
            [ONLY_ME, say('Only me, {name}: makes a group', { name: frame.visitor.name })],
            ['', say('Nobody')],
          ]}
          chosen={values.notification_group_id ?? groups[0]?.id ?? ONLY_ME}
        />
        <button type="submit" class="button-primary">
          {say('Create and adopt')}
        </button>
      </PostForm>
    </section>
  );
};

const listTemplates = ({ say }: Language): (readonly [value: string, label: string])[] => [
  ['', say('No limits')],
  ...Object.entries(TEMPLATES).map(([name, { label }]) => [name, say(label)] as const),
  [OWN_LIMITS, say('Limits of its own')],
];

interface ChannelProps {
  frame: SettingsFrame;
  deviceId: number;
  number: number;
  said: SaidModel;
  values: FormFields;
  fault: SaidFault | null;
}

/** A template that is chosen fills in its limits: where scripts run, at once. */
export const ChannelFields = ({ frame, deviceId, number, said, values, fault }: ChannelProps) => {
  const language = useLanguage();
  const { say } = language;
  const { channel, value, at } = said;
  const chosen = values[fieldOf(number, 'template')] ?? '';
  const described = isTemplate(chosen) ? TEMPLATES[chosen].channel : null;
  const place = `${DEVICES}/${deviceId}/template`;
  return (
    <fieldset id={`channel-${number}`} class="adopted-channel">
      <legend>
        <code>{channel}</code>
      </legend>
      <input type="hidden" name={fieldOf(number, 'channel')} value={channel} />
      {value !== null && at && (
        <p>
          {sayWith(language, 'Last <strong>{value}</strong> {when}', {
            value,
            strong: (inside) => <strong>{inside}</strong>,
            when: (
              <span class="muted">
                <Time {...at} />
              </span>
            ),
          })}
        </p>
      )}
      <div
        hx-post={settingsPath(place, frame.organization, { channel: number })}
        hx-trigger="change"
        hx-include="closest form"
        hx-target={`#channel-${number}`}
        hx-swap="outerHTML"
      >
        <Select
          id={fieldOf(number, 'template')}
          name={fieldOf(number, 'template')}
          label={say('Template')}
          options={listTemplates(language)}
          chosen={chosen}
          hint={described ? sayDescribed(described, language) : undefined}
        />
      </div>
      {chosen !== '' && <BandFields channel={channel} number={number} values={values} />}
      {fault?.channel === number && <p class="error">{fault.text}</p>}
    </fieldset>
  );
};

const sayDescribed = (
  { label, unit }: (typeof TEMPLATES)[TemplateName]['channel'],
  { say }: Language,
): string =>
  unit === null
    ? say('Shown as {label}.', { label: say(label) })
    : say('Shown as {label}, in {unit}.', { label: say(label), unit });

const BandFields = ({
  channel,
  number,
  values,
}: Pick<ChannelProps, 'number' | 'values'> & { channel: string }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <table class="band-fields">
      <thead>
        <tr>
          <th scope="col">{say('Band')}</th>
          <th scope="col">{say('Limit')}</th>
          <th scope="col">{say('Sustained (min)')}</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(BAND_LABELS) as BandName[]).map((band) => (
          <tr key={band}>
            <th scope="row">{say(BAND_LABELS[band])}</th>
            {(['limit', 'sustained'] as const).map((what) => {
              const name = fieldOf(number, BAND_FIELDS[band][what]);
              const about = { channel, band: say(BAND_LABELS[band]) };
              return (
                <td key={what}>
                  <input
                    name={name}
                    aria-label={
                      what === 'limit'
                        ? say('{channel}, {band}: limit', about)
                        : say('{channel}, {band}: sustained minutes', about)
                    }
                    autocomplete="off"
                    {...numberInput(language, values[name] ?? '')}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
