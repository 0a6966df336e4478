// What the two values of a state are called: those somebody chose, else such as go with its name.
import type { ChannelKind } from '../equipment/channel-kind.ts';
import type { Language } from '../language/speak.ts';

export interface StateWords {
  /** For 0 and for 1. */
  off: string;
  on: string;
}

type Named = (language: Language) => StateWords;

const BY_NAME: [name: RegExp, words: Named][] = [
  [/alarm/i, ({ sayAs }) => ({ off: sayAs('state', 'ok'), on: sayAs('state', 'alarm') })],
  [/fault|error|failure/i, ({ sayAs }) => ({ off: sayAs('state', 'ok'), on: sayAs('state', 'fault') })],
  [/leak|flood|water/i, ({ sayAs }) => ({ off: sayAs('state', 'dry'), on: sayAs('state', 'leak') })],
  [
    /door|lid|gate|hatch|window|valve/i,
    ({ sayAs }) => ({ off: sayAs('of a door', 'closed'), on: sayAs('of a door', 'open') }),
  ],
  [/^online\b/i, ({ sayAs }) => ({ off: sayAs('state', 'offline'), on: sayAs('state', 'online') })],
  [
    /running|compressor|pump|fan|motor/i,
    ({ sayAs }) => ({ off: sayAs('state', 'off'), on: sayAs('state', 'running') }),
  ],
];

const ANY_OTHER: Named = ({ sayAs }) => ({ off: sayAs('state', 'off'), on: sayAs('state', 'on') });

export const guessStateWords = (name: string, language: Language): StateWords => {
  const [, words] = BY_NAME.find(([pattern]) => pattern.test(name)) ?? [null, ANY_OTHER];
  return words(language);
};

/** As they are stored where a probe says whether it measures. */
export const PROBE_WORDS: StateWords = { off: 'measuring', on: 'not measuring' };

export interface StateChannel {
  name: string;
  kind: ChannelKind;
  /** null: nobody chose one. */
  offWord: string | null;
  onWord: string | null;
}

/** null: the channel is no state. */
export function findStateWords(channel: StateChannel, language: Language): StateWords | null {
  if (channel.kind !== 'state') return null;
  const { offWord, onWord } = channel;
  if (offWord === PROBE_WORDS.off && onWord === PROBE_WORDS.on)
    return { off: language.sayAs('a probe', 'measuring'), on: language.sayAs('a probe', 'not measuring') };
  const { off, on } = guessStateWords(channel.name, language);
  return { off: offWord ?? off, on: onWord ?? on };
}
