// Limits that are brought to a unit from outside: from a template, or from another unit. Which of its channels get them.
import type { Limits } from '../judging/limits.ts';
import type { ChannelKind } from './channel-kind.ts';
import { findMainChannel } from './main-channel.ts';
import type { Template } from './templates.ts';

interface FittingChannel {
  id: number;
  name: string;
  kind: ChannelKind;
  unit: string | null;
}

/** The one channel that measures what the template is about: its main one if that does. null: none does, or several do. */
export function fitTemplate(template: Template, channels: readonly FittingChannel[]): Limits | null {
  const { kind, unit } = template.channel;
  const fitting = channels.filter((channel) => channel.kind === kind && channel.unit === unit);
  const main = kind === 'metric' ? findMainChannel(channels, () => false) : null;
  const chosen = fitting.find(({ id }) => id === main?.id) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (!chosen) return null;
  return {
    channel: chosen.name,
    isPercentage: false,
    setpointChannel: null,
    stateChannel: null,
    bands: template.bands,
  };
}

/** Those of channels of the same name, kind and unit, and those of the whole unit. */
export function fitCopied(
  copied: readonly Limits[],
  from: readonly FittingChannel[],
  channels: readonly FittingChannel[],
): Limits[] {
  const fits = (name: string | null): boolean => {
    if (name === null) return true;
    const [source, own] = [from, channels].map((list) => list.find((channel) => channel.name === name));
    return own !== undefined && own.kind === source?.kind && own.unit === source.unit;
  };
  return copied.filter(
    ({ channel, setpointChannel, stateChannel }) =>
      fits(channel) && fits(setpointChannel) && fits(stateChannel),
  );
}
