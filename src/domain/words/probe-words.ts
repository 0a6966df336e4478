// How people read that a probe measures, or does not.

/** `Probe of temperature`; a word that is written large, such as CO₂, stays so. */
export const nameProbe = (channel: string): string =>
  `Probe of ${/^\p{Lu}\p{Ll}/u.test(channel) ? channel.charAt(0).toLowerCase() + channel.slice(1) : channel}`;

export const PROBE_WORDS = { off: 'measuring', on: 'not measuring' };

/** For programs; people read the label and the word. */
export const describeProbeFault = (name: string): string => `${name} is ${PROBE_WORDS.on}`;
