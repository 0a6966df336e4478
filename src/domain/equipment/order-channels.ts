import type { ChannelKind } from './channel-kind.ts';
import { findMainChannel } from './main-channel.ts';

/** What is measured before what is set and how it stands; what the device says of itself comes last. */
const KINDS: ChannelKind[] = ['metric', 'setpoint', 'state', 'diagnostic'];

/** The main one first, wherever channels stand below each other. */
export function orderChannels<Channel extends { id: number; name: string; kind: ChannelKind }>(
  channels: readonly Channel[],
): Channel[] {
  const main = findMainChannel(channels, () => false);
  const rank = (channel: Channel) => (channel === main ? -1 : KINDS.indexOf(channel.kind));
  return channels.toSorted((one, other) => rank(one) - rank(other) || one.id - other.id);
}
