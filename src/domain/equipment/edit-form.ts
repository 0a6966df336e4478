// The edit form of a service: from the fields sent to the configuration they ask for, or to the message that refuses
// them. Contract, Service settings; Contract, Edit messages.

import { unlessBlank } from '../blank.ts';
import { isId, MAX_ID } from '../ids.ts';
import { BANDS, type Band, type BandName, isWorthSaving } from '../judging/band.ts';
import { findLimitsFault, LIMITS_FAULTS, type Limits, nameChannel, readChannel } from '../judging/limits.ts';
import { message } from '../language/message.ts';
import { hasDecimalComma, type Language } from '../language/speak.ts';
import { ok, type Result, refuse } from '../result.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from './service-settings.ts';

/** By the contract's field names. A field that was not sent is not there. */
export type EditFields = Readonly<Record<string, string | undefined>>;

export interface ServiceEdit {
  /** null: the current one stays. */
  name: string | null;
  limits: Limits;
  settings: ServiceSettings;
}

export const SAVE_FAILED = message(
  'Internal error while saving the policy update - see server logs for full details',
);

/** Contract, Edit messages, in the order of their table. */
export const EDIT_FAULTS = [
  message('Incomplete edit submission; no changes were saved'),
  ...LIMITS_FAULTS,
  message('Delay, sustained, repeat, stale-after and system-notification-delay must be 0 or more'),
  SAVE_FAILED,
] as const;
export type EditFault = (typeof EDIT_FAULTS)[number];

/** Limit, delay and sustained of each band. */
export const BAND_FIELDS: Record<BandName, { limit: string; delay: string; sustained: string }> = {
  CRITICAL_HIGH: { limit: 'ch_high', delay: 'ch_delay', sustained: 'ch_sustained' },
  CRITICAL_LOW: { limit: 'cl_low', delay: 'cl_delay', sustained: 'cl_sustained' },
  WARNING_HIGH: { limit: 'wh_high', delay: 'wh_delay', sustained: 'wh_sustained' },
  WARNING_LOW: { limit: 'wl_low', delay: 'wl_delay', sustained: 'wl_sustained' },
};

const REQUIRED = ['metric_channel', ...Object.values(BAND_FIELDS).map(({ limit }) => limit)];

export function parseEditForm(fields: EditFields): Result<ServiceEdit, EditFault> {
  if (REQUIRED.some((field) => fields[field] === undefined))
    return refuse('Incomplete edit submission; no changes were saved');

  const isPercentage = isOn(fields.is_percentage);
  const bands = Object.keys(BAND_FIELDS).map((name) => readBand(name as BandName, fields));
  const settings = readSettings(fields);

  // All that are given are compared, also a lone 0, which is not saved.
  const fault = findLimitsFault({ isPercentage, bands });
  if (fault) return refuse(fault);
  if (hasNegativeMinutes(bands, settings))
    return refuse('Delay, sustained, repeat, stale-after and system-notification-delay must be 0 or more');

  return ok({
    name: unlessBlank(fields.name),
    limits: {
      channel: readChannel(fields.metric_channel),
      isPercentage,
      setpointChannel: isPercentage ? unlessBlank(fields.setpoint_channel) : null,
      stateChannel: isPercentage ? unlessBlank(fields.state_channel) : null,
      bands: bands.filter(isWorthSaving),
    },
    settings: truncateMinutes(settings),
  });
}

/** The other way round: what the form shows of a configuration. Sent back as it is, it changes nothing. */
export function writeEditForm({ name, limits, settings }: ServiceEdit): Record<string, string> {
  const bands = Object.entries(BAND_FIELDS).flatMap(([band, fields]) => {
    const stored = limits.bands.find((one) => one.band === band);
    return [
      [fields.limit, stored?.limit],
      [fields.delay, stored?.delayMinutes],
      [fields.sustained, stored?.sustainedMinutes],
    ];
  });
  const values: Record<string, FieldValue> = {
    name,
    metric_channel: nameChannel(limits.channel),
    is_percentage: limits.isPercentage,
    setpoint_channel: limits.setpointChannel,
    state_channel: limits.stateChannel,
    ...Object.fromEntries(bands),
    ...nameSettings(settings),
  };
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, writeValue(value)]));
}

/** What is told about, each by a box of the form. */
const FLAG_FIELDS = [
  'send_critical',
  'send_warning',
  'send_acknowledgements',
  'send_recoveries',
  'enable_system_notifications',
] as const satisfies readonly SettingsField[];

/** All of them ticked: whoever chooses a group where there was none wants it to be told. */
export const TOLD_EVERYTHING = Object.fromEntries(FLAG_FIELDS.map((field) => [field, 'on']));

/** Whether the form may propose it: nobody has chosen anything yet. */
export const isNobodyTold = (values: EditFields): boolean =>
  ['notification_group_id' as const, ...FLAG_FIELDS].every((field) => !values[field]);

type FieldValue = string | number | boolean | null | undefined;

const writeValue = (value: FieldValue): string =>
  typeof value === 'boolean' ? (value ? 'on' : '') : String(value ?? '');

/** By the contract's field names. A form that left one out would switch it off, or back to its default. */
export const nameSettings = (settings: ServiceSettings): Record<SettingsField, FieldValue> => ({
  repeat_interval_minutes: settings.repeatIntervalMinutes,
  send_critical: settings.sendCritical,
  send_warning: settings.sendWarning,
  send_acknowledgements: settings.sendAcknowledgements,
  send_recoveries: settings.sendRecoveries,
  notification_group_id: settings.notificationGroupId,
  enable_system_notifications: settings.enableSystemNotifications,
  system_notification_delay_minutes: settings.systemNotificationDelayMinutes,
  stale_after_minutes: settings.staleAfterMinutes,
});

export type SettingsField = InSnakeCase<keyof ServiceSettings>;

type InSnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${InSnakeCase<Rest>}`
  : '';

/**
 * What somebody typed into the form of a page, or copied from one, is a number all the same: with a true minus, and with a comma where
 * their language has it. Of what may mean a thousand, `1.234,5`, nothing is guessed.
 */
export const withPlainSigns = <Fields extends EditFields>(fields: Fields, language: Language): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, typed]) => [
      name,
      typed === undefined || WORDS.has(name) ? typed : plainSigns(typed, language),
    ]),
  ) as Fields;

/** Of a name nothing is a sign. */
const WORDS = new Set(['name', 'metric_channel', 'setpoint_channel', 'state_channel']);

function plainSigns(typed: string, language: Language): string {
  const signed = typed.replace(/^(\s*)−/, '$1-');
  return hasDecimalComma(language) ? signed.replace(/^(\s*[+-]?\d*),(?=\d+\s*$)/, '$1.') : signed;
}

export interface LostLimit {
  band: BandName;
  typed: string;
  /** A 0 with neither delay nor sustained time is not saved, and what is not a number counts as blank. */
  why: 'lone_zero' | 'not_a_number';
}

const MOST_SHOWN = 40;

/** Limits that somebody typed and that will not be in force, for the person to know. */
export const findLostLimits = (fields: EditFields): LostLimit[] =>
  BANDS.flatMap((name): LostLimit[] => {
    const band = readBand(name, fields);
    const typed = fields[BAND_FIELDS[name].limit]?.trim().slice(0, MOST_SHOWN) ?? '';
    if (typed === '') return [];
    if (band.limit === null) return [{ band: name, typed, why: 'not_a_number' }];
    return isWorthSaving(band) ? [] : [{ band: name, typed, why: 'lone_zero' }];
  });

const readBand = (band: BandName, fields: EditFields): Band => {
  const names = BAND_FIELDS[band];
  return {
    band,
    limit: readNumber(fields[names.limit]),
    delayMinutes: readMinutes(fields[names.delay]) ?? 0,
    sustainedMinutes: readMinutes(fields[names.sustained]) ?? 0,
  };
};

/** Minutes still with their decimals: `-0.5` is negative. */
const readSettings = (fields: EditFields): ServiceSettings => ({
  repeatIntervalMinutes:
    readMinutes(fields.repeat_interval_minutes) ?? DEFAULT_SETTINGS.repeatIntervalMinutes,
  sendCritical: isOn(fields.send_critical),
  sendWarning: isOn(fields.send_warning),
  sendAcknowledgements: isOn(fields.send_acknowledgements),
  sendRecoveries: isOn(fields.send_recoveries),
  notificationGroupId: readId(fields.notification_group_id),
  enableSystemNotifications: isOn(fields.enable_system_notifications),
  systemNotificationDelayMinutes:
    readMinutes(fields.system_notification_delay_minutes) ?? DEFAULT_SETTINGS.systemNotificationDelayMinutes,
  staleAfterMinutes: readMinutes(fields.stale_after_minutes) ?? DEFAULT_SETTINGS.staleAfterMinutes,
});

const truncateMinutes = (settings: ServiceSettings): ServiceSettings => ({
  ...settings,
  repeatIntervalMinutes: Math.trunc(settings.repeatIntervalMinutes),
  systemNotificationDelayMinutes: Math.trunc(settings.systemNotificationDelayMinutes),
  staleAfterMinutes: Math.trunc(settings.staleAfterMinutes),
});

const hasNegativeMinutes = (bands: Band[], settings: ServiceSettings): boolean =>
  [
    ...bands.flatMap(({ delayMinutes, sustainedMinutes }) => [delayMinutes, sustainedMinutes]),
    settings.repeatIntervalMinutes,
    settings.staleAfterMinutes,
    settings.systemNotificationDelayMinutes,
  ].some((minutes) => minutes < 0);

const isOn = (flag: string | undefined): boolean => flag === 'on' || flag === 'true' || flag === '1';

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;

/** null: blank or not a number. */
function readNumber(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  const number = NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
  // Adding 0 takes the sign off a zero.
  return Number.isFinite(number) ? number + 0 : null;
}

/** What no whole-minute column could hold is no number of minutes, for bands neither: the calendar ends before. */
function readMinutes(text: string | undefined): number | null {
  const minutes = readNumber(text);
  return minutes !== null && minutes > MAX_ID ? null : minutes;
}

function readId(text: string | undefined): number | null {
  const number = readNumber(text);
  return number !== null && Number.isInteger(number) && isId(number) ? number : null;
}
