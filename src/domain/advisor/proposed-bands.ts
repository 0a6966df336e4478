// What can be applied of a result. Programs of others may deliver any JSON object, so nothing of it is believed.
import { BANDS, type Band } from '../judging/band.ts';
import { findLimitsFault } from '../judging/limits.ts';
import { LONGEST_NAME } from '../names.ts';
import { isStorable } from '../storable-text.ts';

// As for the whole-minute settings: a span beyond it is no span any more.
const MOST_MINUTES = 2_147_483_647;

export interface Proposal {
  channel: ProposedChannel;
  isPercentage: boolean;
  /** What the result names, in percentage mode only. */
  setpointChannel: string | null;
  stateChannel: string | null;
  bands: Band[];
}

/** `main`: the result names no channel. */
type ProposedChannel = 'main' | 'service-wide' | { name: string };

/** Contract, Recommendations: null counts as missing, and one wrong band makes the whole list unusable. */
export function readProposal(result: object): Proposal | 'missing' | 'unusable' {
  const sent = result as Record<string, unknown>;
  const { proposed_bands: list } = sent;
  if (list === undefined || list === null) return 'missing';

  const isPercentage = sent.is_percentage === true;
  const bands = readBands(list);
  const channel = readChannel(sent.channel);
  if (!bands || !channel || findLimitsFault({ isPercentage, bands })) return 'unusable';
  return {
    channel,
    isPercentage,
    setpointChannel: isPercentage ? readRelated(sent.setpoint_channel) : null,
    stateChannel: isPercentage ? readRelated(sent.state_channel) : null,
    bands,
  };
}

function readBands(list: unknown): Band[] | null {
  if (!Array.isArray(list) || list.length === 0) return null;
  const bands = list.flatMap((one) => readBand(one) ?? []);
  const isEachOnce = new Set(bands.map(({ band }) => band)).size === list.length;
  return isEachOnce ? bands : null;
}

function readBand(one: unknown): Band | null {
  if (typeof one !== 'object' || one === null) return null;
  const sent = one as Record<string, unknown>;
  const band = BANDS.find((name) => name === sent.band);
  const { limit } = sent;
  const delayMinutes = readMinutes(sent.delay);
  const sustainedMinutes = readMinutes(sent.sustained);
  if (!band || !isFiniteNumber(limit) || delayMinutes === null || sustainedMinutes === null) return null;
  return { band, limit, delayMinutes, sustainedMinutes };
}

/** As in the lab file, a time that is left out is none. */
function readMinutes(value: unknown): number | null {
  if (value === undefined || value === null) return 0;
  return isFiniteNumber(value) && value >= 0 && value <= MOST_MINUTES ? value : null;
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

/** null: it names something that can be no channel; guessing another one could do harm. */
function readChannel(value: unknown): ProposedChannel | null {
  if (value === undefined || value === null) return 'main';
  if (typeof value !== 'string') return null;
  if (value.trim() === '') return 'main';
  if (value === 'default') return 'service-wide';
  return isChannelName(value) ? { name: value } : null;
}

const readRelated = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' && isChannelName(value) ? value : null;

const isChannelName = (text: string): boolean => text.length <= LONGEST_NAME && isStorable(text);
