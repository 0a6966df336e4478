import { BAND_LABELS, type Band, type BandName } from '../../../domain/judging/band.ts';
import { nameChannel } from '../../../domain/judging/limits.ts';
import { english } from '../../../domain/language/english.ts';
import { type Measured, measuredOf, sayLimit, sayNumber } from '../../../domain/words/say-value.ts';
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
  origin: string;
  changes: string[];
}

const ORIGINS: Record<LimitsVersion['origin'], string> = {
  edit: 'Edited',
  recommendation: 'Recommendation applied',
  band_delete: 'Band removed',
  lab_file: 'Lab file applied',
  preset: 'Preset',
};

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
  return {
    inForce: inForce.map((limits) => toChannel(limits, service)),
    clearing: listJudged(service.channels, inForce)
      .filter(({ clearMargin, clearMinutes }) => clearMargin > 0 || clearMinutes > 0)
      .map(sayClearing),
    history: entries.map((entry) => ({
      id: `${nameChannel(entry.channel)}-${entry.version}`,
      label: nameLimits(entry.channel, service),
      version: entry.version,
      isInForce: entry.retiredAt === null,
      at: showTime(entry.createdAt, reader),
      author: entry.authorName,
      origin: ORIGINS[entry.origin],
      changes: describeChanges(entry, findMeasured(entry, service)),
    })),
    olderLink:
      olderThan === null ? null : `/services/${service.id}?limits_before=${olderThan}#limits-history`,
    isOpen: before !== null,
  };
}

const nameLimits = (channel: string | null, { channels }: ShownService): string =>
  channel === null
    ? 'All metric channels'
    : (channels.find(({ name }) => name === channel)?.label ?? channel);

function toChannel(entry: LimitsVersion, service: ShownService): ChannelLimits {
  const { channel, isPercentage, setpointChannel, stateChannel } = entry;
  const measured = findMeasured(entry, service);
  const off = stateChannel === null ? '' : ` Not judged while ${describeOff(stateChannel, service)}.`;
  return {
    channel: nameChannel(channel),
    label: nameLimits(channel, service),
    note: isPercentage ? `Percent of deviation from ${nameSetpoint(setpointChannel, service)}.${off}` : null,
    bands: Object.keys(BAND_LABELS).flatMap((name) => {
      const band = entry.bands.find((one) => one.band === name);
      return band ? toBand(band, measured) : [];
    }),
  };
}

function findMeasured({ channel, isPercentage }: LimitsVersion, { channels }: ShownService): Measured {
  if (isPercentage) return { unit: '%', words: null };
  const known = channels.find(({ name }) => name === channel);
  return known ? measuredOf(known, english) : { unit: null, words: null };
}

const nameSetpoint = (channel: string | null, { channels }: ShownService): string =>
  channel === null
    ? 'a setpoint that is not set'
    : (channels.find(({ name }) => name === channel)?.label ?? channel);

/** `Running off` */
function describeOff(stateChannel: string, { channels }: ShownService): string {
  const known = channels.find(({ name }) => name === stateChannel);
  const word = (known && findStateWords(known, english)?.off) ?? 'is 0';
  return `${known?.label ?? stateChannel} ${word}`;
}

const toBand = ({ band, limit, delayMinutes, sustainedMinutes }: Band, measured: Measured) => ({
  band,
  label: BAND_LABELS[band],
  limit: limit === null ? 'No limit' : sayLimit(band, limit, measured, english),
  delay: `${sayNumber(delayMinutes, english)} min`,
  sustained: `${sayNumber(sustainedMinutes, english)} min`,
});

function describeChanges({ changes }: LimitsHistoryEntry, measured: Measured): string[] {
  const described = Object.entries(changes).map(([name, { before, after }]) => {
    const [old, now] = [before, after].map((side) => writeSide(name, side, measured));
    return `${nameChange(name)}: ${old} → ${now}`;
  });
  return described.length > 0 ? described : ['Nothing changed'];
}

const CHANGE_NAMES: Record<string, string> = {
  ...BAND_LABELS,
  is_percentage: 'Percentages',
  setpoint_channel: 'Setpoint',
  state_channel: 'State',
};

const nameChange = (name: string): string => CHANGE_NAMES[name] ?? name;

function writeSide(name: string, side: unknown, measured: Measured): string {
  if (side === null || side === undefined) return 'none';
  if (typeof side === 'boolean') return side ? 'on' : 'off';
  if (typeof side !== 'object') return String(side);
  const { limit, delay, sustained } = side as { limit: number | null; delay: number; sustained: number };
  const times = [delay > 0 && `delay ${delay} min`, sustained > 0 && `sustained ${sustained} min`].filter(
    Boolean,
  );
  const shown =
    limit === null ? 'no limit' : sayLimit(name as BandName, limit, { ...measured, unit: null }, english);
  return times.length > 0 ? `${shown} (${times.join(', ')})` : shown;
}
