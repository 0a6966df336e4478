// The shape of a lab file, in the file's own words.

import { MOST_DEVICE_DAYS } from '../../../domain/accounts/device-session.ts';
import { isEmail, normaliseEmail } from '../../../domain/accounts/email.ts';
import { SHORTEST_PASSWORD } from '../../../domain/accounts/password.ts';
import { ROLES } from '../../../domain/accounts/role.ts';
import { ALL_DOOR_PARTS } from '../../../domain/door/door-card.ts';
import { CHANNEL_KINDS } from '../../../domain/equipment/channel-kind.ts';
import { TEMPLATES, type TemplateName } from '../../../domain/equipment/templates.ts';
import { GUIDANCE_FIELDS, VALUE_CLASSES } from '../../../domain/guidance/guidance.ts';
import { ofEachBand } from '../../../domain/judging/band.ts';
import { LONGEST_CLEARING_MINUTES } from '../../../domain/judging/judge.ts';
import { english } from '../../../domain/language/english.ts';
import { sayOne } from '../../../domain/language/sayable.ts';
import {
  LAST_STEP,
  LONGEST_ACKNOWLEDGED_MINUTES,
  LONGEST_WAIT_MINUTES,
  SHORTEST_ACKNOWLEDGED_MINUTES,
} from '../../../domain/notifications/ladder.ts';
import { STEP_WORDS } from '../../../domain/notifications/step-words.ts';
import { DURINGS, WEEKDAYS } from '../../../domain/on-call/lab-hours.ts';
import { isClock, isDay } from '../../../domain/on-call/local-instant.ts';
import { LONGEST_SHIFT, SHIFT_UNITS } from '../../../domain/on-call/rota-version.ts';
import { LONGEST_RETENTION_YEARS } from '../../../domain/readings/retention.ts';
import { MOST_PREFERRED } from '../../../domain/rescue/preferred-refuges.ts';
import { ALL_TEMPERATURE_CLASSES, MOST_RACKS } from '../../../domain/rescue/rescue.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import { readSourceSettings, type SourceSettings } from '../../../domain/ways-in/source-settings.ts';
import { SOURCE_KINDS } from '../../../domain/ways-in/ways.ts';
import { acceptPassword } from '../../../engine/accounts/accept-password.ts';
import { WEBHOOK_KIND_NAMES } from '../../../engine/transports/webhook/kinds.ts';
import { findLanguage, listTags } from '../../../platform/languages/languages.ts';
import type { FaultBook } from './faults.ts';
import {
  anyText,
  checked,
  entry,
  filledList,
  flag,
  list,
  longText,
  mapped,
  nullable,
  number,
  oneOf,
  placed,
  plainOf,
  type Reader,
  text,
  type ValueOf,
} from './readers.ts';
import { openYaml } from './yaml-text.ts';

const SHORTEST_SECRET = 16;
const MOST_MINUTES = 2_147_483_647;

const email = checked(mapped(text, normaliseEmail), (value) =>
  isEmail(value) ? null : 'must be an email address',
);
const timeZone = checked(text, (value) =>
  isTimeZone(value) ? null : `unknown time zone "${value}"; a name such as Europe/Berlin is expected`,
);
const language = nullable(
  checked(text, (value) =>
    findLanguage(value) ? null : `unknown language "${value}": must be one of ${listTags()}`,
  ),
);
const password = checked(anyText, (value) => {
  const accepted = acceptPassword(value);
  if (accepted.ok) return null;
  return accepted.refusal === 'password_too_short'
    ? `must have at least ${SHORTEST_PASSWORD} characters`
    : 'is among the first that others would try';
});
const secret = checked(text, (value) =>
  [...value].length < SHORTEST_SECRET ? `must have at least ${SHORTEST_SECRET} characters` : null,
);
const channelName = checked(text, (value) =>
  value === 'default' ? 'no channel can be called default: it stands for service-wide limits' : null,
);
const minutes = checked(number, (value) =>
  value < 0 ? 'must be 0 or more' : value > MOST_MINUTES ? `must be at most ${MOST_MINUTES}` : null,
);
const wholeMinutes = checked(minutes, (value) =>
  Number.isInteger(value) ? null : 'must be a whole number of minutes',
);
const interval = checked(minutes, (value) => (value > 0 ? null : 'must be more than 0'));

/** Read in one piece, for pages read the same. */
const sourceSettings: Reader<SourceSettings> = (place, yaml) => {
  const settings = readSourceSettings(plainOf(place, yaml));
  if (settings.ok) return settings.value;
  for (const { path, message } of settings.refusal)
    yaml.faults.add(path === '' ? place.path : `${place.path}.${path}`, sayOne(message, english));
  return undefined;
};

const account = entry({ email }, { name: text, timezone: timeZone, language, password, active: flag });

const member = entry({ email, role: oneOf(ROLES) }, {});

const source = entry({ name: text }, { secret, kind: oneOf(SOURCE_KINDS), settings: sourceSettings });

const webhookAddress = checked(text, (value) =>
  /^(https?|mqtts?):\/\//.test(value) && URL.canParse(value)
    ? null
    : 'must be an http:// or https:// address, or mqtt:// or mqtts:// for a broker',
);
const webhook = entry({ kind: oneOf(WEBHOOK_KIND_NAMES), url: webhookAddress }, { secret: text });

const clock = checked(text, (value) => (isClock(value) ? null : 'must be a time such as "08:00"'));
const day = checked(text, (value) => (isDay(value) ? null : 'must be a day such as "2026-12-25", in quotes'));
const stepNumber = (first: number) =>
  checked(number, (value) =>
    Number.isInteger(value) && value >= first && value <= LAST_STEP
      ? null
      : `must be a whole number from ${first} to ${LAST_STEP}`,
  );
const afterMinutes = checked(number, (value) =>
  Number.isInteger(value) && value >= 1 && value <= LONGEST_WAIT_MINUTES
    ? null
    : `must be a whole number of minutes from 1 to ${LONGEST_WAIT_MINUTES}`,
);

const step = entry({ step: stepNumber(1), after_minutes: afterMinutes }, { kinds: list(oneOf(STEP_WORDS)) });

/** Somebody at a step, at some hours. */
const told = entry(
  {},
  {
    step: stepNumber(0),
    during: oneOf(DURINGS),
    account: placed(email),
    email: placed(email),
    rota: placed(text),
    webhook,
  },
);

const acknowledgedMinutes = nullable(
  checked(number, (value) =>
    Number.isInteger(value) && value >= SHORTEST_ACKNOWLEDGED_MINUTES && value <= LONGEST_ACKNOWLEDGED_MINUTES
      ? null
      : `must be whole minutes from ${SHORTEST_ACKNOWLEDGED_MINUTES} to ${LONGEST_ACKNOWLEDGED_MINUTES}`,
  ),
);

/** A siren or a lamp: which it is of the switches at that address. */
const relay = entry(
  {
    url: checked(text, (value) =>
      /^https?:\/\/[^@/?#]+\/?$/.test(value) && URL.canParse(value)
        ? null
        : 'must be the http:// or https:// address of a switch, without a path',
    ),
  },
  {
    switch: checked(number, (value) =>
      Number.isInteger(value) && value >= 0 && value <= 7 ? null : 'must be a whole number from 0 to 7',
    ),
    password: text,
    dead_man: flag,
  },
);

const group = entry(
  { name: text },
  {
    emails: list(placed(email)),
    accounts: list(placed(email)),
    webhooks: list(webhook),
    steps: list(step),
    told: list(told),
    acknowledged_minutes: acknowledgedMinutes,
    relays: list(relay),
    language,
  },
);

const gateway = entry({ service: placed(text), services: list(placed(text)) }, {});

const hoursWindow = entry({ days: filledList(oneOf(WEEKDAYS)), from: clock, to: clock }, {});

const labHours = entry({ timezone: timeZone, weekly: filledList(hoursWindow) }, {});

const holiday = entry({ day, name: text }, {});

const shiftLength = checked(number, (value) =>
  Number.isInteger(value) && value >= 1 && value <= LONGEST_SHIFT
    ? null
    : `must be a whole number from 1 to ${LONGEST_SHIFT}`,
);

const people = list(placed(email));

const handover = entry({ at: clock, members: people }, { timezone: timeZone });

const rota = entry(
  { name: text, timezone: timeZone },
  {
    handover: clock,
    members: people,
    handovers: list(handover),
    every: oneOf(SHIFT_UNITS),
    length: shiftLength,
    from: day,
    confirm: flag,
  },
);

const channel = entry(
  { name: channelName },
  {
    label: nullable(text),
    unit: nullable(text),
    kind: oneOf(CHANNEL_KINDS),
    off_word: nullable(text),
    on_word: nullable(text),
    clear_margin: checked(number, (value) => (value < 0 ? 'must be 0 or more' : null)),
    clear_minutes: checked(number, (value) =>
      value < 0 || value > LONGEST_CLEARING_MINUTES ? `must be from 0 to ${LONGEST_CLEARING_MINUTES}` : null,
    ),
  },
);

const band = entry({}, { limit: nullable(number), delay: minutes, sustained: minutes });

const limits = entry(
  {
    channel: text,
    bands: entry(
      {},
      ofEachBand(() => band),
    ),
  },
  { is_percentage: flag, setpoint_channel: nullable(channelName), state_channel: nullable(channelName) },
);

const notifications = entry(
  {},
  {
    group: nullable(placed(text)),
    send_critical: flag,
    send_warning: flag,
    send_acknowledgements: flag,
    send_recoveries: flag,
    repeat_interval_minutes: wholeMinutes,
    enable_system_notifications: flag,
    system_notification_delay_minutes: wholeMinutes,
  },
);

const device = entry({ key: text }, { uplink_interval_minutes: nullable(interval) });

const BYTES_OF_A_CHARACTER = 4;

/** What it says counts, what it leaves out stays, and null takes it away. */
const guidanceFields = {
  what_to_do: nullable(longText(GUIDANCE_FIELDS.whatToDo.most * BYTES_OF_A_CHARACTER)),
  contents: nullable(longText(GUIDANCE_FIELDS.contents.most * BYTES_OF_A_CHARACTER)),
  owner: nullable(text),
  value_class: nullable(oneOf(VALUE_CLASSES)),
  phones: nullable(list(text)),
};

const templateName = oneOf(Object.keys(TEMPLATES) as TemplateName[]);

/** Of all units of a template, or at a location. */
const sharedGuidance = entry({}, { template: templateName, location: text, ...guidanceFields });

const rackCount = nullable(
  checked(number, (value) =>
    Number.isInteger(value) && value >= 0 && value <= MOST_RACKS
      ? null
      : `must be a whole number from 0 to ${MOST_RACKS}`,
  ),
);

const fewPreferred = (given: unknown[]): string | null =>
  given.length <= MOST_PREFERRED ? null : `must not be more than ${MOST_PREFERRED}`;

/** For the day on which it fails. */
const rescue = entry(
  {},
  {
    temperature_class: nullable(oneOf(ALL_TEMPERATURE_CLASSES)),
    racks: rackCount,
    free_racks: rackCount,
    rescue_order: rackCount,
    danger_value: nullable(number),
    preferred_refuges: nullable(checked(list(placed(text)), fewPreferred)),
  },
);

const service = entry(
  { name: text },
  {
    rescue,
    template: nullable(templateName),
    guidance: entry({}, guidanceFields),
    key: text,
    asset: nullable(text),
    location: nullable(text),
    device: nullable(device),
    devices: list(device),
    archived: flag,
    channels: list(channel),
    limits: list(limits),
    notifications,
    stale_after_minutes: wholeMinutes,
  },
);

const retentionYears = checked(number, (value) =>
  Number.isInteger(value) && value >= 1 && value <= LONGEST_RETENTION_YEARS
    ? null
    : `must be a whole number of years from 1 to ${LONGEST_RETENTION_YEARS}`,
);

const deviceDays = checked(number, (value) =>
  Number.isInteger(value) && value >= 0 && value <= MOST_DEVICE_DAYS
    ? null
    : `must be a whole number of days from 0 to ${MOST_DEVICE_DAYS}`,
);

const organizationSettings = {
  retention_years: retentionYears,
  phone_pin_required: flag,
  personal_links: flag,
  device_days: deviceDays,
  language,
  door_card: nullable(list(oneOf(ALL_DOOR_PARTS))),
};
export type OrganizationSetting = keyof typeof organizationSettings;

const organization = entry(
  { name: text },
  {
    ...organizationSettings,
    members: list(member),
    sources: list(source),
    lab_hours: labHours,
    holidays: list(holiday),
    rotas: list(rota),
    groups: list(group),
    services: list(service),
    gateways: list(gateway),
    guidance: list(sharedGuidance),
  },
);

const labFile = entry({}, { accounts: list(account), organizations: list(organization) });

export type LabAccount = ValueOf<typeof account>;
export type LabSource = ValueOf<typeof source>;
export type LabGroup = ValueOf<typeof group>;
export type LabChannel = ValueOf<typeof channel>;
export type LabLimits = ValueOf<typeof limits>;
type LabHandover = ValueOf<typeof handover>;
export type LabRota = ValueOf<typeof rota>;
export type LabGuidance = Omit<ValueOf<typeof sharedGuidance>, 'template' | 'location'>;
export type LabService = ValueOf<typeof service>;
export type LabDevice = ValueOf<typeof device>;
export type LabOrganization = ValueOf<typeof organization>;

export interface LabFile {
  accounts: LabAccount[];
  organizations: LabOrganization[];
}

/** One a day, in two words, or several; empty: neither is said. */
export const handoversOf = ({ path, handover: at, members, handovers }: LabRota): LabHandover[] =>
  handovers ?? (at !== undefined && members !== undefined ? [{ path, at, members }] : []);

/** What it says of its devices; undefined: nothing. */
export const devicesOf = ({ device, devices }: LabService): LabDevice[] | undefined =>
  devices ?? (device === undefined ? undefined : device === null ? [] : [device]);

/** What could be read; `faults` says what could not. Several documents count as one. */
export function readLabFile(textOfFile: string): { file: LabFile; faults: FaultBook } {
  const yaml = openYaml(textOfFile);
  const { faults } = yaml;
  // Where the text is no YAML, what follows from it would only mislead.
  if (!faults.isEmpty()) return { file: { accounts: [], organizations: [] }, faults };
  const parts = yaml.roots.map((root) => labFile(root, yaml));
  return {
    file: {
      accounts: parts.flatMap((part) => part?.accounts ?? []),
      organizations: parts.flatMap((part) => part?.organizations ?? []),
    },
    faults,
  };
}
