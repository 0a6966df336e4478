import { expect, test } from 'vitest';
import { type JudgedLimits, judge } from './judge.ts';
import { explainBands } from './why.ts';

const MINUTE = 60_000;
const limits: JudgedLimits = {
  versionId: 1,
  isPercentage: false,
  setpointChannel: null,
  stateChannel: null,
  bands: [
    { band: 'CRITICAL_HIGH', limit: -60, sustainedMs: 5 * MINUTE },
    { band: 'WARNING_HIGH', limit: -65, sustainedMs: 0 },
    { band: 'CRITICAL_LOW', limit: -90, sustainedMs: 0 },
  ],
};
const byChannel = new Map([['t', limits]]);
const after = (value: number | null, minutes: number) => {
  const service = {
    limits: byChannel,
    channels: new Map(),
    verdict: { severity: 'normal', since: null, channel: null } as const,
  };
  const measurements = value === null ? [] : [{ at: 0, values: [['t', value] as const] }];
  const { channels } = judge(service, measurements, minutes * MINUTE);
  return explainBands(byChannel, channels, minutes * MINUTE).map(
    ({ band, standing, breachedSince, minutesLeft }) => [band, standing, breachedSince, minutesLeft],
  );
};

test.each([
  ['a breach that runs says how long is left', -50, 2, ['CRITICAL_HIGH', 'running', 0, 3]],
  ['a breach that has lasted is active', -50, 5, ['CRITICAL_HIGH', 'active', 0, 0]],
  ['a band without sustained time is active at once', -50, 0, ['WARNING_HIGH', 'active', 0, 0]],
  ['a value within its limits', -80, 2, ['CRITICAL_HIGH', 'within limits', null, null]],
  ['a band nobody set', -80, 2, ['WARNING_LOW', 'no limit', null, null]],
  ['nothing was read yet', null, 2, ['CRITICAL_HIGH', 'not judged: no reading', null, null]],
])('%s', (_, value, minutes, expected) => expect(after(value, minutes)).toContainEqual(expected));
