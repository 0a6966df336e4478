// The form by which a device becomes a service: what it proposes, and what it asks for. Channels are numbered, and their
// limits have the names of the edit form.
import {
  BAND_FIELDS,
  type EditFault,
  findLostLimits,
  parseEditForm,
  TOLD_EVERYTHING,
  withPlainSigns,
} from '../../domain/equipment/edit-form.ts';
import { proposeInterval } from '../../domain/equipment/propose-interval.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../domain/equipment/service-settings.ts';
import {
  isTemplate,
  proposeTemplate,
  TEMPLATES,
  type TemplateName,
} from '../../domain/equipment/templates.ts';
import { BANDS } from '../../domain/judging/band.ts';
import { type Limits, noLimits } from '../../domain/judging/limits.ts';
import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { WaitingReading } from '../../engine/equipment/waiting-readings.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { readInterval } from './read-interval.ts';

/** Who is told: a group that is made for whoever adopts. */
export const ONLY_ME = 'me';

/** Limits that begin with none of the templates. */
export const OWN_LIMITS = 'own';

export interface AdoptedChannel {
  name: string;
  template: TemplateName | null;
  limits: Limits;
}

export interface Adoption {
  settings: ServiceSettings;
  /** A group is made of whoever adopts. */
  tellsOnlyMe: boolean;
  uplinkIntervalMinutes: number | null;
  channels: AdoptedChannel[];
}

/** `channel`: its number in the form; null: of the whole service. */
export interface AdoptionFault {
  channel: number | null;
  text: Sayable;
}

const MINUTES_BELOW_0 = message('Minutes must be 0 or more.');

export const fieldOf = (channel: number, field: string): string => `c${channel}_${field}`;

/** The last value of each channel. Those with a template come first, and of them what is measured. */
export function listChannels(readings: readonly WaitingReading[]): WaitingReading[] {
  const newest = new Map(readings.map((reading) => [reading.channel, reading]));
  const rank = ({ channel, value, isState }: WaitingReading) => {
    const template = proposeTemplate({ name: channel, value, isState });
    if (template === null) return 2;
    return TEMPLATES[template].channel.kind === 'metric' ? 0 : 1;
  };
  return [...newest.values()].sort(
    (one, other) => rank(one) - rank(other) || one.channel.localeCompare(other.channel),
  );
}

const NOTHING_ANNOUNCED = { intervalMinutes: null, name: null };

/** What stands in the form before anybody has typed. `announced`: what it said of itself, how often it means to report and how it is called. */
export function proposeAdoption(
  readings: readonly WaitingReading[],
  isRadio: boolean,
  announced: { intervalMinutes: number | null; name: string | null } = NOTHING_ANNOUNCED,
): FormFields {
  const times = readings.map(({ at }) => at.getTime());
  const channels = listChannels(readings).flatMap(({ channel, value, isState }, index) => {
    const template = proposeTemplate({ name: channel, value, isState }) ?? '';
    return [
      [fieldOf(index, 'channel'), channel],
      [fieldOf(index, 'template'), template],
      ...Object.entries(fillIn(index, template)),
    ];
  });
  return {
    ...(announced.name !== null && { name: announced.name.slice(0, LONGEST_NAME).toWellFormed() }),
    uplink_interval_minutes: String(announced.intervalMinutes ?? proposeInterval(times, isRadio) ?? ''),
    stale_after_minutes: String(DEFAULT_SETTINGS.staleAfterMinutes),
    ...Object.fromEntries(channels),
  };
}

/** The fields of a channel's limits, as its template has them. */
export function fillIn(channel: number, template: string | undefined): FormFields {
  const bands: Limits['bands'] = isTemplate(template) ? [...TEMPLATES[template].bands] : [];
  return Object.fromEntries(
    BANDS.flatMap((name) => {
      const band = bands.find((one) => one.band === name);
      const { limit, sustained } = BAND_FIELDS[name];
      return [
        [fieldOf(channel, limit), String(band?.limit ?? '')],
        [fieldOf(channel, sustained), String(band?.sustainedMinutes ?? '')],
      ];
    }),
  );
}

/** With the limits of every chosen template. */
export const fillInAll = (form: FormFields): FormFields =>
  Object.assign(
    { ...form },
    ...listNumbers(form).map((number) => fillIn(number, form[fieldOf(number, 'template')])),
  );

const listNumbers = (form: FormFields): number[] => {
  const numbers: number[] = [];
  while (form[fieldOf(numbers.length, 'channel')] !== undefined) numbers.push(numbers.length);
  return numbers;
};

/** The channels of a form, in their order. */
export const listNamed = (form: FormFields): string[] =>
  listNumbers(form).map((number) => form[fieldOf(number, 'channel')] ?? '');

const NO_BANDS = Object.fromEntries(BANDS.map((name) => [BAND_FIELDS[name].limit, '']));

export function readAdoption(form: FormFields, language: Language): Result<Adoption, AdoptionFault> {
  const { stale_after_minutes = '', notification_group_id = '' } = form;
  const settings = parseEditForm({
    ...NO_BANDS,
    metric_channel: '',
    // Who wants less says so on the page of the service.
    ...(notification_group_id !== '' && TOLD_EVERYTHING),
    notification_group_id,
    stale_after_minutes,
  });
  if (!settings.ok) return refuse({ channel: null, text: MINUTES_BELOW_0 });
  const interval = readInterval(form.uplink_interval_minutes ?? '');
  if (!interval.ok)
    return refuse({
      channel: null,
      text: message('Write how often it reports as minutes above 0, or leave it empty.'),
    });
  const channels: AdoptedChannel[] = [];
  for (const number of listNumbers(form)) {
    const read = readChannel(form, number, language);
    if (!read.ok) return refuse({ channel: number, text: read.refusal });
    if (read.value) channels.push(read.value);
  }
  const tellsOnlyMe = notification_group_id === ONLY_ME;
  return ok({
    settings: settings.value.settings,
    tellsOnlyMe,
    uplinkIntervalMinutes: interval.value,
    channels,
  });
}

/** null: it has no limits of its own. */
function readChannel(
  form: FormFields,
  number: number,
  language: Language,
): Result<AdoptedChannel | null, Sayable> {
  const name = form[fieldOf(number, 'channel')] ?? '';
  const chosen = form[fieldOf(number, 'template')];
  if (!isTemplate(chosen) && chosen !== OWN_LIMITS) return ok(null);
  const template = isTemplate(chosen) ? chosen : null;
  const typed = withPlainSigns(
    {
      ...Object.fromEntries(
        BANDS.flatMap((band) =>
          [BAND_FIELDS[band].limit, BAND_FIELDS[band].sustained].map((field) => [
            field,
            form[fieldOf(number, field)] ?? '',
          ]),
        ),
      ),
      metric_channel: name,
    },
    language,
  );
  const [lost] = findLostLimits(typed);
  if (lost)
    return refuse(
      lost.why === 'not_a_number'
        ? ({ say }) => say('“{typed}” is not a number. Write it such as 7.5.', { typed: lost.typed })
        : message('A limit of 0 needs a sustained time, such as 1.'),
    );
  const parsed = parseEditForm(typed);
  if (!parsed.ok) return refuse(toSayable(parsed.refusal));
  return ok({ name, template, limits: { ...noLimits(name), bands: parsed.value.limits.bands } });
}

const toSayable = (fault: EditFault): Sayable =>
  fault.startsWith('Delay, sustained')
    ? MINUTES_BELOW_0
    : (language) => language.say('{fault}.', { fault: sayOne(fault, language) });
