import { expect, test } from 'vitest';
import type { ChannelKind } from './channel-kind.ts';
import { findMainChannel } from './main-channel.ts';

const channels = (...described: [name: string, kind: ChannelKind][]) =>
  described.map(([name, kind], id) => ({ id, name, kind }));

test.each<[string, [string, ChannelKind][], string[], string | null]>([
  ['none, for a service without channels', [], [], null],
  [
    'none, where nothing is measured',
    [
      ['battery', 'diagnostic'],
      ['door', 'state'],
      ['temp_setpoint', 'setpoint'],
    ],
    ['door'],
    null,
  ],
  [
    'the only metric',
    [
      ['battery', 'diagnostic'],
      ['co2', 'metric'],
    ],
    [],
    'co2',
  ],
  [
    'the one with limits of its own, whatever its name',
    [
      ['temperature', 'metric'],
      ['co2', 'metric'],
    ],
    ['co2'],
    'co2',
  ],
  [
    'a temperature among several with limits',
    [
      ['co2', 'metric'],
      ['t2', 'metric'],
    ],
    ['co2', 't2'],
    't2',
  ],
  [
    'a temperature where none has limits',
    [
      ['humidity', 'metric'],
      ['Probe_Temp', 'metric'],
    ],
    [],
    'Probe_Temp',
  ],
  [
    'the first that joined among equals',
    [
      ['humidity', 'metric'],
      ['co2', 'metric'],
    ],
    [],
    'humidity',
  ],
])('%s', (_, described, limited, expected) => {
  const main = findMainChannel(channels(...described), (name) => limited.includes(name));
  expect(main?.name ?? null).toBe(expected);
});
