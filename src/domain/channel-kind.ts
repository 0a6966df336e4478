export const CHANNEL_KINDS = ['metric', 'setpoint', 'state', 'diagnostic'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
