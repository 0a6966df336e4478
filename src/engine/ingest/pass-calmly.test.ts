import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { type ChannelState, isQuiet } from '../../domain/judging/judge.ts';
import type { Measurement } from '../../domain/judging/measurement.ts';
import { assess } from '../alarm-state/assess.ts';
import type { Channel, ServiceConfig } from '../alarm-state/service-config.ts';
import type { StoredAlarm, WatchedService } from '../alarm-state/watched-service.ts';
import { passCalmly } from './pass-calmly.ts';
import type { Parcel } from './sort-readings.ts';

const MINUTE = 60_000;
const channels: Channel[] = ['a', 'b', 'free'].map((name, index) => ({
  id: index + 1,
  name,
  label: null,
  unit: null,
  kind: 'metric',
  faultOf: null,
  deviceId: name === 'b' ? 2 : 1,
  sentUnit: null,
}));
const limits = {
  versionId: 1,
  isPercentage: false,
  setpointChannel: null,
  stateChannel: null,
  bands: [
    { band: 'CRITICAL_HIGH' as const, limit: 8, sustainedMs: 2 * MINUTE },
    { band: 'WARNING_LOW' as const, limit: -8, sustainedMs: 0 },
  ],
};
const config: ServiceConfig = {
  serviceId: 1 as ServiceId,
  organizationId: 1 as OrganizationId,
  configVersion: 1,
  isArchived: false,
  isDoorTight: false,
  retentionYears: 10,
  createdAt: 0,
  devices: [],
  staleAfterMinutes: 15,
  uplinkIntervalMinutes: null,
  channels: new Map(channels.map((channel) => [channel.name, channel])),
  channelsById: new Map(channels.map((channel) => [channel.id, channel])),
  limits: new Map([
    ['a', limits],
    ['b', limits],
  ]),
  serviceWide: null,
};
/** The one reports every 10 minutes, the other every 20. */
const severalDevices: ServiceConfig = {
  ...config,
  uplinkIntervalMinutes: 10,
  devices: [
    { id: 1, key: 'probe', uplinkIntervalMinutes: 10 },
    { id: 2, key: 'slow', uplinkIntervalMinutes: 20 },
  ],
};
const stored: StoredAlarm = {
  serviceId: 1 as ServiceId,
  configVersion: 1,
  severity: 'normal',
  severitySince: null,
  channel: null,
  episodeId: null,
  staleSince: null,
  nextDueAt: null,
  aheadUntil: null,
};

const value = fc.integer({ min: -10, max: 10 });
const known = fc.record({ at: fc.nat(20), value }, { requiredKeys: ['at', 'value'] }).map(
  ({ at, value: last }): ChannelState => ({
    at: at * MINUTE,
    value: last,
    breaches: {},
    severity: 'normal',
    since: null,
    band: null,
  }),
);
const states = fc
  .record({ a: known, b: known, free: known }, { requiredKeys: [] })
  .map((byName) => new Map(Object.entries(byName)));
const measurements = fc
  .uniqueArray(fc.integer({ min: 21, max: 40 }), { maxLength: 4 })
  .chain((minutes) =>
    fc.tuple(
      ...minutes
        .sort((one, other) => one - other)
        .map((minute) =>
          fc
            .dictionary(fc.constantFrom('a', 'b', 'free'), value, { minKeys: 1 })
            .map((values) => ({ at: minute * MINUTE, values: Object.entries(values) })),
        ),
    ),
  );

const toParcel = (watched: WatchedService, given: readonly Measurement[]): Parcel => ({
  watched,
  entries: given.map(({ at, values }, index) => ({
    post: 0,
    leavesOutFaults: false,
    watched,
    entry: {
      index,
      target: { serviceId: 1 },
      at,
      values: values.map(([name, number]) => [name, number, false]),
    },
  })),
});

test.each([
  ['one device', config],
  ['several devices', severalDevices],
])('of %s the short way says what the long way says, whenever it says anything', (_, ofThese) => {
  let shortWays = 0;
  fc.assert(
    fc.property(states, measurements, fc.integer({ min: 40, max: 60 }), (before, given, minute) => {
      const now = minute * MINUTE;
      const watched = { config: ofThese, alarm: stored, channels: before, calm: undefined };
      const calm = passCalmly(toParcel(watched, given), now);
      if (!calm || given.length === 0) return;
      shortWays += 1;
      const { moved, ...rest } = assess(watched, given, now);
      expect({ ...calm, moved: null }).toEqual({ ...rest, moved: null });
      if (!('calm' in calm.moved && 'channels' in moved)) throw new Error('Each way has its own form');
      const states = [...moved.channels.values()];
      expect(states.every(isQuiet)).toBe(true);
      expect(calm.moved.ats).toEqual(states.map(({ at }) => at));
      expect(calm.moved.values).toEqual(states.map(({ value: last }) => last));
    }),
    { numRuns: 2000 },
  );
  expect(shortWays).toBeGreaterThan(100);
});

const quiet = (at: number): ChannelState => ({
  at,
  value: 0,
  breaches: {},
  severity: 'normal',
  since: null,
  band: null,
});

test.each<[string, Measurement, Partial<StoredAlarm>]>([
  ['a value at the same time as the last', { at: 5 * MINUTE, values: [['a', 1]] }, {}],
  ['a value older than the last', { at: 4 * MINUTE, values: [['a', 1]] }, {}],
  ['a value ahead of the clock', { at: 21 * MINUTE, values: [['a', 1]] }, {}],
  ['a channel without a state', { at: 10 * MINUTE, values: [['free', 1]] }, {}],
  ['a value above its range', { at: 10 * MINUTE, values: [['a', 8.01]] }, {}],
  ['a value below its range', { at: 10 * MINUTE, values: [['a', -8.01]] }, {}],
  ['a service in alarm', { at: 10 * MINUTE, values: [['a', 1]] }, { severity: 'warning' }],
  ['a service that was stale', { at: 10 * MINUTE, values: [['a', 1]] }, { staleSince: 1 }],
])('%s takes the long way', (_, measurement, alarm) => {
  const watched = {
    config,
    alarm: { ...stored, ...alarm },
    channels: new Map([['a', quiet(5 * MINUTE)]]),
    calm: undefined,
  };
  expect(passCalmly(toParcel(watched, [measurement]), 20 * MINUTE)).toBeNull();
});
