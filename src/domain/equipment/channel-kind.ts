export const CHANNEL_KINDS = ['metric', 'setpoint', 'state', 'diagnostic'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** What a channel that nobody described is likely to be, by its name and its first value. */
export function guessChannelKind(name: string, isBoolean: boolean): ChannelKind {
  if (/battery|rssi|snr|signal/i.test(name)) return 'diagnostic';
  if (/set[_-]?point/i.test(name)) return 'setpoint';
  if (isBoolean || /door|contact|state|running/i.test(name)) return 'state';
  return 'metric';
}
