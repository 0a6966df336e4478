import { expect, test } from 'vitest';
import { noLimits } from '../judging/limits.ts';
import { fitCopied, fitTemplate } from './fit-limits.ts';
import { TEMPLATES } from './templates.ts';

const channel = (
  id: number,
  name: string,
  unit: string | null = '°C',
  kind: 'metric' | 'state' = 'metric',
) => ({
  id,
  name,
  unit,
  kind,
});

test('a template goes to the channel that people look at, if that measures the same', () => {
  const channels = [channel(1, 'humidity', '%'), channel(2, 'temperature'), channel(3, 'probe 2')];
  expect(fitTemplate(TEMPLATES['freezer-80'], channels)?.channel).toBe('temperature');
  expect(fitTemplate(TEMPLATES['freezer-80'], channels)?.bands).toEqual(TEMPLATES['freezer-80'].bands);
  expect(fitTemplate(TEMPLATES['room-humidity'], channels)?.channel).toBe('humidity');
});

test.each([
  ['nothing was heard yet', []],
  ['another unit', [channel(1, 'temperature', '°F')]],
  ['another kind', [channel(1, 'door', null, 'state')]],
])('a template fits nothing: %s', (_, channels) => {
  expect(fitTemplate(TEMPLATES.fridge, channels)).toBeNull();
});

test('of two states nobody knows which is the relay', () => {
  const [door, relay] = [channel(1, 'door', null, 'state'), channel(2, 'alarm', null, 'state')];
  expect(fitTemplate(TEMPLATES.relay, [door, relay])).toBeNull();
  expect(fitTemplate(TEMPLATES.relay, [relay])?.channel).toBe('alarm');
});

test('what is copied goes to channels of the same name that measure the same, with all that it needs', () => {
  const from = [channel(1, 'temperature'), channel(2, 'setpoint'), channel(3, 'humidity', '%')];
  const copied = [
    noLimits(null),
    { ...noLimits('temperature'), isPercentage: true, setpointChannel: 'setpoint' },
    noLimits('humidity'),
  ];
  const fitted = (...channels: ReturnType<typeof channel>[]) =>
    fitCopied(copied, from, channels).map((limits) => limits.channel);
  expect(fitted(...from)).toEqual([null, 'temperature', 'humidity']);
  expect(fitted(channel(9, 'temperature'), channel(8, 'humidity', 'g/kg'))).toEqual([null]);
});
