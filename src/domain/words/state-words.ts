// What the two values of a state are called: those somebody chose, else such as go with its name.
import type { ChannelKind } from '../equipment/channel-kind.ts';

export interface StateWords {
  /** For 0 and for 1. */
  off: string;
  on: string;
}

const BY_NAME: [name: RegExp, off: string, on: string][] = [
  [/alarm/i, 'ok', 'alarm'],
  [/fault|error|failure/i, 'ok', 'fault'],
  [/leak|flood|water/i, 'dry', 'leak'],
  [/door|lid|gate|hatch|window|valve/i, 'closed', 'open'],
  [/^online\b/i, 'offline', 'online'],
  [/running|compressor|pump|fan|motor/i, 'off', 'running'],
];

export const guessStateWords = (name: string): StateWords => {
  const [, off, on] = BY_NAME.find(([pattern]) => pattern.test(name)) ?? [null, 'off', 'on'];
  return { off, on };
};

export interface StateChannel {
  name: string;
  kind: ChannelKind;
  /** null: nobody chose one. */
  offWord: string | null;
  onWord: string | null;
}

/** null: the channel is no state. */
export function findStateWords(channel: StateChannel): StateWords | null {
  if (channel.kind !== 'state') return null;
  const { off, on } = guessStateWords(channel.name);
  return { off: channel.offWord ?? off, on: channel.onWord ?? on };
}
