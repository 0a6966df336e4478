import { BAND_LABELS, type Band, type BandName } from '../../../domain/judging/band.ts';
import { nameChannel } from '../../../domain/judging/limits.ts';
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { type Measured, measuredOf, sayLimit } from '../../../domain/words/say-value.ts';
import { findStateWords } from '../../../domain/words/state-words.ts';
import { type Reader, type ShownTime, showTime } from '../../../platform/html/time.tsx';
import { listJudged, sayClearing } from '../clearing/say-clearing.ts';
import type { ShownService } from '../shown-service/queries.ts';
import type { LimitsVersion } from './queries.ts';
import type { LimitsHistory, LimitsHistoryEntry } from './read-limits-history.ts';

export interface LimitsModel {
  inForce: ChannelLimits[];
  /** When alarms are over, of channels where it is not with the first reading. */
  clearing: string[];
  history: HistoryEntry[];
  /** Where the older versions are; null: there are none. */
  olderLink: string | null;
  /** Whether somebody leafs through it. */
  isOpen: boolean;
}

export interface ChannelLimits {
  /** As forms name it. */
  channel: string;
  label: string;
  note: string | null;
  bands: { band: BandName; label: string; limit: string; delay: string; sustained: string }[];
}

export interface HistoryEntry {
  id: string;
  label: string;
  version: number;
  isInForce: boolean;
  at: ShownTime;
  author: string;
  origin: LimitsVersion['origin'];
  changes: string[];
}

interface StoredLimits {
  inForce: LimitsVersion[];
  history: LimitsHistory;
  before: number | null;
}

export function toLimits(
  { inForce, history, before }: StoredLimits,
  service: ShownService,
  reader: Reader,
): LimitsModel {
  const { entries, olderThan } = history;
  const { language } = reader;
  return {
    inForce: inOrder(inForce, service).map((limits) => toChannel(limits, service, language)),
    clearing: listJudged(service.channels, inForce)
      .filter(({ clearMargin, clearMinutes }) => clearMargin > 0 || clearMinutes > 0)
      .map((channel) => sayClearing(channel, language)),
    history: entries.map((entry) => ({
      id: `${nameChannel(entry.channel)}-${entry.version}`,
      label: nameLimits(entry.channel, service, language),
      version: entry.version,
      isInForce: entry.retiredAt === null,
      at: showTime(entry.createdAt, reader),
      author: entry.authorName,
      origin: entry.origin,
      changes: describeChanges(entry, findMeasured(entry, service, language), language),
    })),
    olderLink:
      olderThan === null ? null : `/services/${service.id}?limits_before=${olderThan}#limits-history`,
    isOpen: before !== null,
  };
}

/** Those of all channels first, then as the channels stand; of one that never reported, last. */
function inOrder(limits: readonly LimitsVersion[], { channels }: ShownService): LimitsVersion[] {
  const places = channels.map(({ name }) => name);
  const rank = ({ channel }: LimitsVersion) =>
    channel === null ? -1 : places.includes(channel) ? places.indexOf(channel) : places.length;
  return limits.toSorted((one, other) => rank(one) - rank(other));
}

export const nameLimits = (channel: string | null, service: ShownService, { say }: Language): string =>
  channel === null ? say('All metric channels') : nameShown(channel, service);

const nameShown = (channel: string, { channels }: ShownService): string =>
  channels.find(({ name }) => name === channel)?.label ?? channel;

export function toChannel(entry: LimitsVersion, service: ShownService, language: Language): ChannelLimits {
  const { channel, isPercentage } = entry;
  const measured = findMeasured(entry, service, language);
  return {
    channel: nameChannel(channel),
    label: nameLimits(channel, service, language),
    note: isPercentage ? describeMode(entry, service, language) : null,
    bands: Object.keys(BAND_LABELS).flatMap((name) => {
      const band = entry.bands.find((one) => one.band === name);
      return band ? toBand(band, measured, language) : [];
    }),
  };
}

function findMeasured(
  { channel, isPercentage }: LimitsVersion,
  { channels }: ShownService,
  language: Language,
): Measured {
  if (isPercentage) return { unit: '%', words: null };
  const known = channels.find(({ name }) => name === channel);
  return known ? measuredOf(known, language) : { unit: null, words: null };
}

function describeMode(
  { setpointChannel, stateChannel }: LimitsVersion,
  service: ShownService,
  language: Language,
): string {
  const { say } = language;
  const mode =
    setpointChannel === null
      ? say('Percent of deviation from a setpoint that is not set.')
      : say('Percent of deviation from {setpoint}.', { setpoint: nameShown(setpointChannel, service) });
  if (stateChannel === null) return mode;
  const known = service.channels.find(({ name }) => name === stateChannel);
  const word = known && findStateWords(known, language)?.off;
  const channel = nameShown(stateChannel, service);
  const off =
    word === undefined
      ? say('Not judged while {channel} is 0.', { channel })
      : say('Not judged while {channel} {state}.', { channel, state: word });
  return `${mode} ${off}`;
}

const toBand = (
  { band, limit, delayMinutes, sustainedMinutes }: Band,
  measured: Measured,
  language: Language,
): ChannelLimits['bands'][number] => ({
  band,
  label: language.say(BAND_LABELS[band]),
  limit: limit === null ? language.say('No limit') : sayLimit(band, limit, measured, language),
  delay: language.say('{minutes} min', { minutes: delayMinutes }),
  sustained: language.say('{minutes} min', { minutes: sustainedMinutes }),
});

function describeChanges({ changes }: LimitsHistoryEntry, measured: Measured, language: Language): string[] {
  const { say } = language;
  const described = Object.entries(changes).map(([name, { before, after }]) =>
    say('{setting}: {before} → {after}', {
      setting: nameChange(name, language),
      before: saySide(name, before, measured, language),
      after: saySide(name, after, measured, language),
    }),
  );
  return described.length > 0 ? described : [say('Nothing changed')];
}

const CHANGE_NAMES = {
  ...BAND_LABELS,
  is_percentage: message('Percentages'),
  setpoint_channel: message('Setpoint'),
  state_channel: message('State'),
} as const;

const isNamed = (name: string): name is keyof typeof CHANGE_NAMES => Object.hasOwn(CHANGE_NAMES, name);

const nameChange = (name: string, { say }: Language): string =>
  isNamed(name) ? say(CHANGE_NAMES[name]) : name;

function saySide(name: string, side: unknown, measured: Measured, language: Language): string {
  const { say, sayAs } = language;
  if (side === null || side === undefined) return sayAs('a setting', 'none');
  if (typeof side === 'boolean') return side ? sayAs('a setting', 'on') : sayAs('a setting', 'off');
  if (typeof side !== 'object') return String(side);
  const { limit, delay, sustained } = side as { limit: number | null; delay: number; sustained: number };
  const times = [
    delay > 0 && say('delay {minutes} min', { minutes: delay }),
    sustained > 0 && say('sustained {minutes} min', { minutes: sustained }),
  ].filter((time) => time !== false);
  const shown =
    limit === null
      ? say('no limit')
      : sayLimit(name as BandName, limit, { ...measured, unit: null }, language);
  return times.length > 0 ? `${shown} (${times.join(', ')})` : shown;
}
