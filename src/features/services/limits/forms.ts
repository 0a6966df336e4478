// The fields of the room's forms, for reading and for the interface description. What they mean is decided in the domain.
import { Type } from 'typebox';
import { BAND_FIELDS, type SettingsField } from '../../../domain/equipment/edit-form.ts';
import { BAND_LABELS, BANDS, type BandName } from '../../../domain/judging/band.ts';
import { text } from '../../../platform/http/fields.ts';

const optional = (description: string) => Type.Optional(text(description));
const flag = (description: string) =>
  optional(`${description}. \`on\`, \`true\` or \`1\`; anything else is off`);
const minutes = (description: string, unlessGiven: number) =>
  optional(`${description}. Minutes, 0 or more; ${unlessGiven} unless given`);

const CHANNEL = 'Channel; empty or `default` means service-wide limits';
const REQUIRED = 'Must be sent, may be blank';

const SETTINGS = {
  repeat_interval_minutes: minutes('Between repeated messages, 0 for none', 60),
  send_critical: flag('Send critical messages'),
  send_warning: flag('Send warning messages'),
  send_acknowledgements: flag('Send acknowledgement messages'),
  send_recoveries: flag('Send recovery messages'),
  notification_group_id: optional('Group that is told; none unless given'),
  enable_system_notifications: flag('Send system messages'),
  system_notification_delay_minutes: minutes('System messages wait this long', 5),
  stale_after_minutes: minutes('Without telemetry before the service is stale, 0 for never', 15),
} satisfies Record<SettingsField, unknown>;

/** Nothing is required here: what is missing is answered with a message of its own. */
export const EditForm = Type.Object({
  name: optional('Blank keeps the current one'),
  metric_channel: optional(`${CHANNEL}. ${REQUIRED}`),
  is_percentage: flag('Limits are percentages of deviation from a setpoint'),
  setpoint_channel: optional('Channel of the setpoint; only in percentage mode'),
  state_channel: optional('Channel that is 0 while the unit is off; only in percentage mode'),
  ...Object.fromEntries(BANDS.flatMap(bandFields)),
  ...SETTINGS,
});

function bandFields(name: BandName): [field: string, ReturnType<typeof optional>][] {
  const band = BAND_LABELS[name].toLowerCase();
  const { limit, delay, sustained } = BAND_FIELDS[name];
  return [
    [limit, optional(`Limit of the ${band} band; blank for none. ${REQUIRED}`)],
    [delay, minutes(`The first message of the ${band} band waits this long`, 0)],
    [sustained, minutes(`A breach of the ${band} band must last this long`, 0)],
  ];
}

export const DeleteBandForm = Type.Object({
  metric_channel: optional(CHANNEL),
  band_name: optional(
    `${BANDS.map((band) => `\`${band}\``).join(', ')} or a short form such as \`CRIT_HIGH\`; empty for all`,
  ),
  clear_all: optional('`true` removes every band, whatever `band_name` says'),
});
