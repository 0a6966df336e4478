// The form of an edit, with the fields of the contract's endpoint: every one is always there.

import type { VNode } from 'preact';
import { BAND_FIELDS, type SettingsField } from '../../../domain/equipment/edit-form.ts';
import { BAND_LABELS, type BandName } from '../../../domain/judging/band.ts';
import { message } from '../../../domain/language/message.ts';
import { Field } from '../../../platform/html/field.tsx';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { numberInput } from '../../../platform/html/number-input.ts';
import { Select } from '../../../platform/html/select.tsx';
import { TableScroll } from '../../../platform/html/table-scroll.tsx';
import type { EditModel } from './edit-model.ts';

interface EditProps {
  serviceId: number;
  edit: EditModel;
}

export const EditSection = ({ serviceId, edit }: EditProps) => {
  const { say, sayAs } = useLanguage();
  return (
    <section id="edit" class="card" aria-labelledby="edit-title">
      <h2 id="edit-title">{say('Limits and notifications')}</h2>
      {edit.error !== null && (
        <Notice kind="error">{say('{fault}. Nothing was saved.', { fault: say(edit.error) })}</Notice>
      )}
      <details open={edit.isOpen}>
        <summary>{say('Edit limits and notifications')}</summary>
        <form method="get" action={`/services/${serviceId}#edit`} class="filter">
          <Select
            name="limits"
            label={say('Edit the limits of')}
            chosen={edit.values.metric_channel}
            options={edit.channels}
          />
          <div class="actions">
            <button type="submit">{sayAs('limits into a form', 'Load')}</button>
          </div>
        </form>
        <form id="edit-form" method="post" action={`/services/${serviceId}/edit#edit`}>
          <input type="hidden" name="metric_channel" value={edit.values.metric_channel} />
          <input type="hidden" name="name" value={edit.values.name} />
          <Limits serviceId={serviceId} edit={edit} />
          <Notifications edit={edit} />
          <p class="muted">
            {say('Saving ends all acknowledgements of the service and judges it again at once.')}
          </p>
          <button type="submit" class="button-primary">
            {say('Save')}
          </button>
        </form>
      </details>
    </section>
  );
};

const Limits = ({ serviceId, edit }: EditProps) => {
  const { say } = useLanguage();
  const subject = edit.channels.find(([name]) => name === edit.values.metric_channel)?.[1] ?? '';
  return (
    <fieldset>
      <legend>{say('Limits of {subject}', { subject })}</legend>
      <TableScroll label={say('Bands of {subject} to edit', { subject })}>
        <table class="band-fields">
          <thead>
            <tr>
              <th scope="col">{say('Band')}</th>
              <th scope="col">{say('Limit')}</th>
              <th scope="col">{say('Sustained (min)')}</th>
              <th scope="col">{say('Delay (min)')}</th>
            </tr>
          </thead>
          <tbody>
            {(Object.keys(BAND_LABELS) as BandName[]).map((band) => (
              <BandRow key={band} edit={edit} label={say(BAND_LABELS[band])} fields={BAND_FIELDS[band]} />
            ))}
          </tbody>
        </table>
      </TableScroll>
      {edit.states && (
        <p>
          {say(
            '0 means {off}, 1 means {on}. A high limit of 0.5 is passed when it is {on}, a low one when it is {off}.',
            { off: edit.states.off, on: edit.states.on },
          )}
        </p>
      )}
      <p class="muted">
        {say(
          'A breach becomes an alarm once it has lasted the sustained minutes; the first message goes out the delay later. A blank band is removed. A limit of 0 without sustained and delay is not saved: give it a short sustained time, such as 0.1.',
        )}
      </p>
      <Flag
        edit={edit}
        name="is_percentage"
        label={say('Limits are percentages of deviation from a setpoint')}
      />
      <Related edit={edit} name="setpoint_channel" label={say('Setpoint channel (for percentages)')} />
      <Related edit={edit} name="state_channel" label={say('State channel: 0 means off (for percentages)')} />
      <button
        type="submit"
        formaction={`/services/${serviceId}/backtest`}
        hx-post={`/services/${serviceId}/backtest`}
        hx-include="closest form"
        hx-target="#backtest"
        hx-sync="this:replace"
      >
        {say('Try these limits on the last 30 days')}
      </button>
      <div id="backtest" aria-live="polite" />
    </fieldset>
  );
};

interface BandRowProps {
  edit: EditModel;
  label: string;
  fields: (typeof BAND_FIELDS)[BandName];
}

const BandRow = ({ edit, label, fields }: BandRowProps) => {
  const { say } = useLanguage();
  return (
    <tr>
      <th scope="row">{label}</th>
      <Cell edit={edit} name={fields.limit} label={say('{band}: limit', { band: label })} />
      <Cell edit={edit} name={fields.sustained} label={say('{band}: sustained minutes', { band: label })} />
      <Cell edit={edit} name={fields.delay} label={say('{band}: delay in minutes', { band: label })} />
    </tr>
  );
};

const Notifications = ({ edit }: Pick<EditProps, 'edit'>) => {
  const { say } = useLanguage();
  return (
    <fieldset>
      <legend>{say('Notifications')}</legend>
      <Select
        name="notification_group_id"
        label={say('Who is notified')}
        chosen={edit.values.notification_group_id}
        options={[['', say('Nobody')], ...edit.groups.map(({ id, name }) => [id, name] as const)]}
      />
      {edit.isTellingProposed && (
        <p class="muted">
          {say(
            'Nobody was notified so far, so all of these are ticked. Choose a group, and untick what it shall not be notified about.',
          )}
        </p>
      )}
      {Object.entries(SETTINGS).map(([name, [Input, label]]) => (
        <Input key={name} edit={edit} name={name} label={say(label)} />
      ))}
    </fieldset>
  );
};

interface FieldProps {
  edit: EditModel;
  name: string;
  label: string;
}

const Cell = ({ edit, name, label }: FieldProps) => (
  <td>
    <input
      name={name}
      aria-label={label}
      inputMode="text"
      autocomplete="off"
      {...numberInput(useLanguage(), edit.values[name] ?? '')}
    />
  </td>
);

const Minutes = ({ edit, name, label }: FieldProps) => (
  <Field
    name={name}
    label={label}
    input={{
      inputMode: 'numeric',
      autocomplete: 'off',
      ...numberInput(useLanguage(), edit.values[name] ?? ''),
    }}
  />
);

const Flag = ({ edit, name, label }: FieldProps) => (
  <label>
    <input type="checkbox" name={name} value="on" checked={edit.values[name] === 'on'} /> {label}
  </label>
);

/** Besides who is told, in their order. */
const SETTINGS = {
  // For translators: what a group of people is told about
  send_critical: [Flag, message('Notify about critical alarms')],
  send_warning: [Flag, message('Notify about warnings')],
  send_acknowledgements: [Flag, message('Notify about acknowledgements')],
  send_recoveries: [Flag, message('Notify about recoveries')],
  enable_system_notifications: [Flag, message('Notify when no data comes in')],
  repeat_interval_minutes: [Minutes, message('Repeat every (minutes, 0 for never)')],
  system_notification_delay_minutes: [Minutes, message('Wait before notifying about missing data (minutes)')],
  stale_after_minutes: [Minutes, message('Stale after (minutes without data, 0 for never)')],
} as const satisfies Record<
  Exclude<SettingsField, 'notification_group_id'>,
  readonly [Input: (props: FieldProps) => VNode, label: string]
>;

const Related = ({ edit, name, label }: FieldProps) => {
  const language = useLanguage();
  const chosen = edit.values[name] ?? '';
  const isKnown = chosen === '' || edit.setpoints.some(([channel]) => channel === chosen);
  return (
    <Select
      name={name}
      label={label}
      chosen={chosen}
      options={[
        ['', language.sayAs('channel', 'None')],
        ...edit.setpoints,
        ...(isKnown ? [] : [[chosen, chosen] as const]),
      ]}
    />
  );
};
