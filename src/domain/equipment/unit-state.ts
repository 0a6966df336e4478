// How a unit stands, in one word: the worst thing that is to be known of it.
import { message } from '../language/message.ts';

/** The worst first. */
export const UNIT_STATES = [
  'critical',
  'warning',
  'stale',
  'downtime',
  'unwatched',
  'muted',
  'normal',
] as const;
export type UnitState = (typeof UNIT_STATES)[number];

export const STATE_WORDS = {
  critical: message('Critical'),
  warning: message('Warning'),
  // For translators: no data comes from it any more
  stale: message('Stale'),
  downtime: message('In downtime'),
  unwatched: message('Not watched yet'),
  muted: message('Muted'),
  normal: message('Normal'),
} satisfies Record<UnitState, string>;

/** So many of them. */
export const COUNT_WORDS = {
  // For translators: so many pieces of equipment are in this state
  critical: message('{count, plural, other {# critical}}'),
  // For translators: so many pieces of equipment are in this state
  warning: message('{count, plural, other {# warning}}'),
  // For translators: so many pieces of equipment are in this state
  stale: message('{count, plural, other {# stale}}'),
  downtime: message('{count, plural, other {# in downtime}}'),
  unwatched: message('{count, plural, other {# not watched yet}}'),
  // For translators: so many pieces of equipment are in this state
  muted: message('{count, plural, other {# muted}}'),
  // For translators: so many pieces of equipment are in this state
  normal: message('{count, plural, other {# normal}}'),
} satisfies Record<UnitState, string>;
