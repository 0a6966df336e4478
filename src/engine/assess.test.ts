import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import { type ChannelState, isQuiet, type Moment } from '../domain/judge.ts';
import { assessAtLength } from './assess.ts';
import { assessQuietly } from './assess-quietly.ts';
import type { Channel, ServiceConfig } from './service-config.ts';
import type { StoredAlarm } from './watched-service.ts';

const MINUTE = 60_000;
const channels: Channel[] = ['a', 'b', 'free'].map((name, index) => ({
  id: index + 1,
  name,
  label: null,
  unit: null,
  kind: 'metric',
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
  createdAt: 0,
  deviceKey: null,
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
const stored: StoredAlarm = {
  serviceId: 1 as ServiceId,
  configVersion: 1,
  rowVersion: 1,
  severity: 'normal',
  severitySince: null,
  channel: null,
  episodeId: null,
  staleSince: null,
  nextDueAt: null,
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
const moments = fc
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

/** What the moments make of the channels, seen without judging. */
const moveAll = (before: ReadonlyMap<string, ChannelState>, given: readonly Moment[]) =>
  [...before].map(([name, { at, value: last }]) =>
    given.reduce(
      (moved, moment) => {
        const arrived = moment.values.find(([channel]) => channel === name);
        return arrived ? [moment.at, arrived[1]] : moved;
      },
      [at, last],
    ),
  );

test('the short way says what the long way says, whenever it says anything', () => {
  let shortWays = 0;
  fc.assert(
    fc.property(states, moments, fc.integer({ min: 40, max: 60 }), (before, given, minute) => {
      const now = minute * MINUTE;
      const watched = { config, alarm: stored, channels: before };
      const quiet = assessQuietly(watched, given, now);
      if (!quiet) return;
      shortWays += 1;
      const { moved, ...rest } = assessAtLength(watched, given, now);
      expect({ ...quiet, moved: null }).toEqual({ ...rest, moved: null });
      const states = 'channels' in moved ? [...moved.channels.values()] : [];
      expect(states.every(isQuiet)).toBe(true);
      expect(moveAll(before, given)).toEqual(states.map(({ at, value: last }) => [at, last]));
    }),
    { numRuns: 2000 },
  );
  expect(shortWays).toBeGreaterThan(100);
});
