// The form of an edit, with the fields of the contract's endpoint: every one is always there.

import type { VNode } from 'preact';
import { BAND_FIELDS, type SettingsField } from '../../../domain/equipment/edit-form.ts';
import { BAND_LABELS, type BandName } from '../../../domain/judging/band.ts';
import { LONGEST_NAME } from '../../../domain/names.ts';
import { Field } from '../../../platform/html/field.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { NUMBER_INPUT } from '../../../platform/html/number-input.ts';
import { Select } from '../../../platform/html/select.tsx';
import { TableScroll } from '../../../platform/html/table-scroll.tsx';
import type { EditModel } from './edit-model.ts';

interface EditProps {
  serviceId: number;
  edit: EditModel;
}

export const EditSection = ({ serviceId, edit }: EditProps) => (
  <section id="edit" class="card" aria-labelledby="edit-title">
    <h2 id="edit-title">Settings</h2>
    {edit.error !== null && <Notice kind="error">{edit.error}. Nothing was saved.</Notice>}
    <details open={edit.isOpen}>
      <summary>Edit limits and notifications</summary>
      <form method="get" action={`/services/${serviceId}#edit`} class="filter">
        <Select
          name="limits"
          label="Edit the limits of"
          chosen={edit.values.metric_channel}
          options={edit.channels}
        />
        <div class="actions">
          <button type="submit">Load</button>
        </div>
      </form>
      <form id="edit-form" method="post" action={`/services/${serviceId}/edit#edit`}>
        <input type="hidden" name="metric_channel" value={edit.values.metric_channel} />
        <Field
          name="name"
          label="Name"
          input={{ value: edit.values.name, maxLength: LONGEST_NAME, autocomplete: 'off' }}
        />
        <Limits serviceId={serviceId} edit={edit} />
        <Notifications edit={edit} />
        <p class="muted">Saving ends all acknowledgements of the service and judges it again at once.</p>
        <button type="submit" class="button-primary">
          Save
        </button>
      </form>
    </details>
  </section>
);

const Limits = ({ serviceId, edit }: EditProps) => {
  const subject = edit.channels.find(([name]) => name === edit.values.metric_channel)?.[1] ?? '';
  return (
    <fieldset>
      <legend>Limits of {subject}</legend>
      <TableScroll label={`Bands of ${subject} to edit`}>
        <table class="band-fields">
          <thead>
            <tr>
              <th scope="col">Band</th>
              <th scope="col">Limit</th>
              <th scope="col">Sustained (min)</th>
              <th scope="col">Delay (min)</th>
            </tr>
          </thead>
          <tbody>
            {(Object.keys(BAND_LABELS) as BandName[]).map((band) => (
              <BandRow key={band} edit={edit} label={BAND_LABELS[band]} fields={BAND_FIELDS[band]} />
            ))}
          </tbody>
        </table>
      </TableScroll>
      {edit.states && (
        <p>
          0 means {edit.states.off}, 1 means {edit.states.on}. A high limit of 0.5 is passed when it is{' '}
          {edit.states.on}, a low one when it is {edit.states.off}.
        </p>
      )}
      <p class="muted">
        A breach becomes an alarm once it has lasted the sustained minutes; the first message goes out the
        delay later. A blank band is removed. A limit of 0 without sustained and delay is not saved: give it a
        short sustained time, such as 0.1.
      </p>
      <Flag edit={edit} name="is_percentage" label="Limits are percentages of deviation from a setpoint" />
      <Related edit={edit} name="setpoint_channel" label="Setpoint channel (for percentages)" />
      <Related edit={edit} name="state_channel" label="State channel: 0 means off (for percentages)" />
      <button
        type="submit"
        formaction={`/services/${serviceId}/backtest`}
        hx-post={`/services/${serviceId}/backtest`}
        hx-include="closest form"
        hx-target="#backtest"
        hx-sync="this:replace"
      >
        Try these limits on the last 30 days
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

const BandRow = ({ edit, label, fields }: BandRowProps) => (
  <tr>
    <th scope="row">{label}</th>
    <Cell edit={edit} name={fields.limit} label={`${label}: limit`} />
    <Cell edit={edit} name={fields.sustained} label={`${label}: sustained minutes`} />
    <Cell edit={edit} name={fields.delay} label={`${label}: delay in minutes`} />
  </tr>
);

const Notifications = ({ edit }: Pick<EditProps, 'edit'>) => (
  <fieldset>
    <legend>Notifications</legend>
    <Select
      name="notification_group_id"
      label="Who is told"
      chosen={edit.values.notification_group_id}
      options={[['', 'Nobody'], ...edit.groups.map(({ id, name }) => [id, name] as const)]}
    />
    {edit.isTellingProposed && (
      <p class="muted">
        Nobody was told so far, so all of these are ticked. Choose a group, and untick what it shall not be
        told about.
      </p>
    )}
    {Object.entries(SETTINGS).map(([name, [Input, label]]) => (
      <Input key={name} edit={edit} name={name} label={label} />
    ))}
  </fieldset>
);

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
      value={edit.values[name]}
      {...NUMBER_INPUT}
    />
  </td>
);

const Minutes = ({ edit, name, label }: FieldProps) => (
  <Field
    name={name}
    label={label}
    input={{ value: edit.values[name], inputMode: 'numeric', autocomplete: 'off', ...NUMBER_INPUT }}
  />
);

const Flag = ({ edit, name, label }: FieldProps) => (
  <label>
    <input type="checkbox" name={name} value="on" checked={edit.values[name] === 'on'} /> {label}
  </label>
);

/** Besides who is told, in their order. */
const SETTINGS: Record<
  Exclude<SettingsField, 'notification_group_id'>,
  [Input: (props: FieldProps) => VNode, label: string]
> = {
  send_critical: [Flag, 'Tell about critical alarms'],
  send_warning: [Flag, 'Tell about warnings'],
  send_acknowledgements: [Flag, 'Tell about acknowledgements'],
  send_recoveries: [Flag, 'Tell about recoveries'],
  enable_system_notifications: [Flag, 'Tell when no data comes in'],
  repeat_interval_minutes: [Minutes, 'Repeat every (minutes, 0 for never)'],
  system_notification_delay_minutes: [Minutes, 'Wait before telling that no data comes in (minutes)'],
  stale_after_minutes: [Minutes, 'Stale after (minutes without data, 0 for never)'],
};

const Related = ({ edit, name, label }: FieldProps) => {
  const chosen = edit.values[name] ?? '';
  const isKnown = chosen === '' || edit.setpoints.some(([channel]) => channel === chosen);
  return (
    <Select
      name={name}
      label={label}
      chosen={chosen}
      options={[['', 'None'], ...edit.setpoints, ...(isKnown ? [] : [[chosen, chosen] as const])]}
    />
  );
};
