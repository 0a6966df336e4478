import { expect, test } from 'vitest';
import type { ChannelKind } from './channel-kind.ts';
import { orderChannels } from './order-channels.ts';

const channel = (id: number, name: string, kind: ChannelKind) => ({ id, name, kind });

test('the main channel comes first, then what is measured, set, and how it stands, then what the device says of itself', () => {
  const channels = [
    channel(1, 'battery', 'diagnostic'),
    channel(2, 'door', 'state'),
    channel(3, 'humidity', 'metric'),
    channel(4, 'setpoint', 'setpoint'),
    channel(5, 'temperature', 'metric'),
    channel(6, 'co2', 'metric'),
  ];
  const names = ['temperature', 'humidity', 'co2', 'setpoint', 'door', 'battery'];
  expect(orderChannels(channels).map(({ name }) => name)).toEqual(names);
  expect(orderChannels(channels.toReversed()).map(({ name }) => name)).toEqual(names);
});

test('without anything measured they stand by their kind', () => {
  expect(orderChannels([channel(2, 'battery', 'diagnostic'), channel(1, 'door', 'state')])).toHaveLength(2);
  expect(orderChannels([])).toEqual([]);
});
