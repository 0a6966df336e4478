import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { WaitingReading } from '../../engine/equipment/waiting-readings.ts';
import { fillInAll, listChannels, proposeAdoption, readAdoption } from './adoption-form.ts';

const MINUTE = 60_000;
const NOW = 1_794_711_540_000;
const reading = (channel: string, value: number, minutesAgo = 0): WaitingReading => ({
  channel,
  at: new Date(NOW - minutesAgo * MINUTE),
  value,
  isState: false,
});
const SAID = [
  ...Array.from({ length: 12 }, (_, index) => reading('temperature', -79.8, 120 - index * 10)),
  reading('rssi', -101),
  reading('battery', 97),
];

test('what a device said proposes its templates and how often it reports', () => {
  expect(listChannels(SAID).map(({ channel }) => channel)).toEqual(['temperature', 'battery', 'rssi']);
  expect(proposeAdoption(SAID, true)).toMatchObject({
    uplink_interval_minutes: '15',
    stale_after_minutes: '15',
    c0_channel: 'temperature',
    c0_template: 'freezer-80',
    c0_ch_high: '-60',
    c0_ch_sustained: '15',
    c0_cl_low: '',
    c1_channel: 'battery',
    c1_template: 'battery',
    c1_wl_low: '15',
    c2_channel: 'rssi',
    c2_template: '',
  });
});

test('sent back as it was proposed, it sets the limits of the templates', () => {
  const read = readAdoption({ ...proposeAdoption(SAID, false), notification_group_id: '7' }, english);
  expect(read).toMatchObject({
    ok: true,
    value: {
      uplinkIntervalMinutes: 10,
      settings: {
        notificationGroupId: 7,
        sendCritical: true,
        sendWarning: true,
        enableSystemNotifications: true,
      },
      channels: [
        {
          name: 'temperature',
          template: 'freezer-80',
          limits: {
            channel: 'temperature',
            bands: [
              { band: 'CRITICAL_HIGH', limit: -60, sustainedMinutes: 15, delayMinutes: 0 },
              { band: 'WARNING_HIGH', limit: -70, sustainedMinutes: 30, delayMinutes: 0 },
              { band: 'WARNING_LOW', limit: -90, sustainedMinutes: 60, delayMinutes: 0 },
            ],
          },
        },
        { name: 'battery', template: 'battery' },
      ],
    },
  });
});

test('a name alone is enough', () => {
  expect(readAdoption({ name: 'Freezer' }, english)).toMatchObject({
    ok: true,
    value: {
      uplinkIntervalMinutes: null,
      channels: [],
      settings: { staleAfterMinutes: 15, sendCritical: false },
    },
  });
});

test('another template that is chosen brings its own limits, and takes away those of the one before', () => {
  const filled = fillInAll({ ...proposeAdoption(SAID, false), c0_template: 'fridge', c1_template: '' });
  expect(filled).toMatchObject({ c0_ch_high: '8', c0_cl_low: '2', c1_wl_low: '', c2_ch_high: '' });
});

test.each<[name: string, typed: Record<string, string>, channel: number | null, text: string]>([
  ['a limit that is no number', { c0_ch_high: 'warm' }, 0, '“warm” is not a number'],
  [
    'limits that cross',
    { c0_wh_high: '-50' },
    0,
    'Critical high must be strictly greater than warning high.',
  ],
  ['minutes below 0', { c0_ch_sustained: '-1' }, 0, 'Minutes must be 0 or more.'],
  ['a lone 0', { c0_ch_high: '0', c0_ch_sustained: '' }, 0, 'A limit of 0 needs a sustained time'],
  ['an interval of 0', { uplink_interval_minutes: '0' }, null, 'minutes above 0'],
  ['a stale span below 0', { stale_after_minutes: '-5' }, null, 'Minutes must be 0 or more.'],
])('%s is refused where it stands', (_, typed, channel, text) => {
  const read = readAdoption({ ...proposeAdoption(SAID, false), ...typed }, english);
  if (read.ok) throw new Error('It was taken');
  expect(read.refusal.channel).toBe(channel);
  expect(sayOne(read.refusal.text, english)).toContain(text);
});

test('a minus as pages write it is a minus', () => {
  const read = readAdoption({ ...proposeAdoption(SAID, false), c0_ch_high: '−55' }, english);
  expect(read).toMatchObject({ value: { channels: [{ limits: { bands: [{ limit: -55 }, {}, {}] } }, {}] } });
});
