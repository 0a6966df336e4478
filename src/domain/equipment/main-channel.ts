import type { ChannelKind } from './channel-kind.ts';

interface KnownChannel {
  id: number;
  name: string;
  kind: ChannelKind;
}

/** Whom a recommendation without a channel is about. null: the service has no metric channel. */
export function findMainChannel<Channel extends KnownChannel>(
  channels: Iterable<Channel>,
  hasOwnLimits: (channel: string) => boolean,
): Channel | null {
  const metrics = [...channels].filter(({ kind }) => kind === 'metric');
  const rank = ({ name }: Channel) => (hasOwnLimits(name) ? 0 : 2) + (isLikelyTemperature(name) ? 0 : 1);
  return metrics.sort((one, other) => rank(one) - rank(other) || one.id - other.id)[0] ?? null;
}

const isLikelyTemperature = (name: string): boolean => /temp|^t\d*$/i.test(name);
