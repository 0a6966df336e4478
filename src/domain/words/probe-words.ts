// How people read that a probe measures, or does not.

import type { Language } from '../language/speak.ts';
import { PROBE_WORDS } from './state-words.ts';

/** `Probe of temperature`; a word that is written large, such as CO₂, stays so. */
export const nameProbe = (channel: string, language: Language): string => {
  const isEnglish = language.tag === 'en';
  const small = isEnglish && /^\p{Lu}\p{Ll}/u.test(channel);
  const name = small ? channel.charAt(0).toLowerCase() + channel.slice(1) : channel;
  return language.say('Probe of {channel}', { channel: name });
};

/** For programs; people read the label and the word. */
export const describeProbeFault = (name: string): string => `${name} is ${PROBE_WORDS.on}`;
