// Whether a service can raise an alarm at all: what has to be there first.

import { message } from '../language/message.ts';

export interface Watching {
  /** Of any channel, or of the whole service. */
  hasLimits: boolean;
  /** Any channel has reported. */
  isHeard: boolean;
  /** Others send their readings through it: it is watched by whether it reports. */
  isGateway: boolean;
}

export const MISSING_WORDS = { limits: message('no limits'), readings: message('never heard from') } as const;
export type Missing = keyof typeof MISSING_WORDS;

/** Nothing: it is watched. */
export const findMissing = ({ hasLimits, isHeard, isGateway }: Watching): Missing[] => [
  ...(hasLimits || isGateway ? [] : ['limits' as const]),
  ...(isHeard ? [] : ['readings' as const]),
];
