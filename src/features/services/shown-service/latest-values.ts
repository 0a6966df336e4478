import type { ChannelKind } from '../../../domain/equipment/channel-kind.ts';
import { orderChannels } from '../../../domain/equipment/order-channels.ts';
import { measuredOf, sayValue } from '../../../domain/words/say-value.ts';
import type { StateChannel } from '../../../domain/words/state-words.ts';
import { type Reader, type ShownTime, showTime } from '../../../platform/html/time.tsx';

interface Channel extends StateChannel {
  id: number;
  label: string | null;
  unit: string | null;
}

export interface LatestValue {
  channel: string;
  label: string;
  kind: ChannelKind;
  value: string;
  at: ShownTime;
}

interface StoredValues {
  channelIds: number[];
  channelAt: number[];
  channelValues: number[];
}

/** Channels that never reported are left out. */
export function readLatest(
  { channelIds, channelAt, channelValues }: StoredValues,
  channels: readonly Channel[],
  reader: Reader,
): LatestValue[] {
  const { language } = reader;
  return orderChannels(channels).flatMap((channel) => {
    const { id, name, label, kind } = channel;
    const index = channelIds.indexOf(id);
    const [at, value] = [channelAt[index], channelValues[index]];
    if (at === undefined || value === undefined) return [];
    return {
      channel: name,
      label: label ?? name,
      kind,
      value: sayValue(value, measuredOf(channel, language), language),
      at: showTime(new Date(at), reader),
    };
  });
}
