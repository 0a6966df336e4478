import type { ChannelKind } from '../equipment/channel-kind.ts';
import { findMainChannel } from '../equipment/main-channel.ts';
import { findLimitsFor, type Limits } from '../judging/limits.ts';
import type { Proposal } from './proposed-bands.ts';

export interface KnownChannel {
  id: number;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
}

export interface ResolvedProposal {
  /** What applying it puts in force. */
  limits: Limits;
  /** The channel as the catalogue knows it; null: not yet reported, or service-wide. */
  channel: KnownChannel | null;
  /** The version it would replace; null: the channel has no limits of its own. */
  replaced: Limits | null;
  /** What the channel is judged by now: limits of its own, else the service-wide ones. */
  current: Limits | null;
}

export function resolveProposal(
  proposal: Proposal,
  channels: readonly KnownChannel[],
  inForce: readonly Limits[],
): ResolvedProposal {
  const limitsOf = (name: string | null) => inForce.find((limits) => limits.channel === name) ?? null;
  const name = findChannelName(proposal, channels, (own) => limitsOf(own) !== null);
  const channel = channels.find((known) => known.name === name) ?? null;
  const replaced = limitsOf(name);
  const { isPercentage, bands } = proposal;
  // Without its setpoint a percentage is never judged: what the result leaves open stays as it is.
  const kept = isPercentage && replaced?.isPercentage ? replaced : null;
  return {
    limits: {
      channel: name,
      isPercentage,
      setpointChannel: proposal.setpointChannel ?? kept?.setpointChannel ?? null,
      stateChannel: proposal.stateChannel ?? kept?.stateChannel ?? null,
      bands,
    },
    channel,
    replaced,
    current: channel ? findLimitsFor(inForce, channel) : replaced,
  };
}

/** null: service-wide, also for a service that has no metric channel yet. */
function findChannelName(
  { channel }: Proposal,
  channels: readonly KnownChannel[],
  hasOwnLimits: (name: string) => boolean,
): string | null {
  if (channel === 'service-wide') return null;
  if (channel === 'main') return findMainChannel(channels, hasOwnLimits)?.name ?? null;
  return channel.name;
}
