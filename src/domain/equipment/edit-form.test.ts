import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLimitsFault } from '../judging/limits.ts';
import { english } from '../language/english.ts';
import { speak } from '../language/speak.ts';
import {
  type EditFields,
  findLostLimits,
  parseEditForm,
  type ServiceEdit,
  withPlainSigns,
  writeEditForm,
} from './edit-form.ts';

const BLANK = { metric_channel: '', ch_high: '', cl_low: '', wh_high: '', wl_low: '' };

function parse(fields: EditFields): ServiceEdit {
  const parsed = parseEditForm({ ...BLANK, ...fields });
  if (!parsed.ok) throw new Error(parsed.refusal);
  return parsed.value;
}
const faultOf = (fields: EditFields) => {
  const parsed = parseEditForm({ ...BLANK, ...fields });
  return parsed.ok ? null : parsed.refusal;
};

const INCOMPLETE = 'Incomplete edit submission; no changes were saved';
const NEGATIVE = 'Delay, sustained, repeat, stale-after and system-notification-delay must be 0 or more';
const HIGH = 'Critical high must be strictly greater than warning high';
const LOW = 'Critical low must be strictly less than warning low';
const CROSSED = 'All low thresholds must be strictly less than all high thresholds';

test('a form of blanks: service-wide limits without bands, everything else at its default', () => {
  expect(parse({})).toEqual({
    name: null,
    limits: { channel: null, isPercentage: false, setpointChannel: null, stateChannel: null, bands: [] },
    settings: {
      repeatIntervalMinutes: 60,
      sendCritical: false,
      sendWarning: false,
      sendAcknowledgements: false,
      sendRecoveries: false,
      notificationGroupId: null,
      enableSystemNotifications: false,
      systemNotificationDelayMinutes: 5,
      staleAfterMinutes: 15,
    },
  });
});

test.each(Object.keys(BLANK))('%s must be present', (field) => {
  const { [field]: _, ...rest } = BLANK as Record<string, string>;
  expect(parseEditForm(rest)).toEqual({ ok: false, refusal: INCOMPLETE });
});

test('a number that was copied from a page is a number, and a name stays as it is', () => {
  const fields = withPlainSigns(
    { ch_high: ' −60.5', cl_low: '−90', wh_high: '7', wl_low: '7,5', name: '−80 °C' },
    english,
  );
  expect(fields).toEqual({ ch_high: ' -60.5', cl_low: '-90', wh_high: '7', wl_low: '7,5', name: '−80 °C' });
});

test.each([
  ['−79,8', '-79.8'],
  [' 7,25 ', ' 7.25 '],
  [',5', '.5'],
  ['-79.8', '-79.8'],
  ['1.234,5', '1.234,5'],
  ['1,234,5', '1,234,5'],
  ['7,', '7,'],
])('where decimals have a comma, %j is read as %j', (typed, plain) =>
  expect(withPlainSigns({ ch_high: typed }, speak('de', {}))).toEqual({ ch_high: plain }),
);

describe('numbers', () => {
  test.each([
    ['8', 8],
    ['+8', 8],
    ['-8', -8],
    ['8.', 8],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['8.25', 8.25],
    ['1e2', 100],
    ['1E-2', 0.01],
    ['-1.5e+1', -15],
    ['  8 \t', 8],
    ['007', 7],
  ])('%j is the limit %d', (text, limit) => {
    expect(parse({ ch_high: text }).limits.bands).toMatchObject([{ band: 'CRITICAL_HIGH', limit }]);
  });

  test.each([
    ['7,5'],
    ['0x10'],
    ['NaN'],
    ['Infinity'],
    ['-Infinity'],
    ['1e999'],
    ['1_000'],
    ['8 °C'],
    ['1 2'],
    ['--1'],
    ['.'],
    ['e5'],
    ['٣'],
    ['−8'],
    [''],
    ['  '],
  ])('%j counts as blank', (text) => {
    expect(parse({ ch_high: text, ch_delay: '1' }).limits.bands).toMatchObject([{ limit: null }]);
    expect(parse({ ch_high: '8', ch_delay: text, ch_sustained: text }).limits.bands).toMatchObject([
      { delayMinutes: 0, sustainedMinutes: 0 },
    ]);
    const fields = {
      repeat_interval_minutes: text,
      notification_group_id: text,
      system_notification_delay_minutes: text,
      stale_after_minutes: text,
    };
    expect(parse(fields).settings).toMatchObject({
      repeatIntervalMinutes: 60,
      notificationGroupId: null,
      systemNotificationDelayMinutes: 5,
      staleAfterMinutes: 15,
    });
  });

  test('minutes of a band keep their decimals, settings are truncated', () => {
    expect(parse({ wl_low: '2', wl_delay: '0.5', wl_sustained: '2.75' }).limits.bands).toEqual([
      { band: 'WARNING_LOW', limit: 2, delayMinutes: 0.5, sustainedMinutes: 2.75 },
    ]);
    const fields = {
      repeat_interval_minutes: '30.9',
      system_notification_delay_minutes: '0.9',
      stale_after_minutes: '1.5e1',
    };
    expect(parse(fields).settings).toMatchObject({
      repeatIntervalMinutes: 30,
      systemNotificationDelayMinutes: 0,
      staleAfterMinutes: 15,
    });
  });

  test('minutes beyond 2147483647 are not numeric', () => {
    expect(
      parse({ stale_after_minutes: '2147483647', repeat_interval_minutes: '2147483648' }).settings,
    ).toMatchObject({ staleAfterMinutes: 2_147_483_647, repeatIntervalMinutes: 60 });
    expect(parse({ ch_high: '8', ch_delay: '2147483647', ch_sustained: '1e12' }).limits.bands).toMatchObject([
      { delayMinutes: 2_147_483_647, sustainedMinutes: 0 },
    ]);
  });

  test('no zero has a sign', () => {
    expect(parse({ ch_high: '-0', ch_delay: '1', ch_sustained: '-0' }).limits.bands).toEqual([
      { band: 'CRITICAL_HIGH', limit: 0, delayMinutes: 1, sustainedMinutes: 0 },
    ]);
  });

  test.each([
    ['7', 7],
    ['7.0', 7],
    ['7.5', null],
    ['0', null],
    ['-7', null],
    ['2147483648', null],
  ])('group %j is %o', (text, id) => {
    expect(parse({ notification_group_id: text }).settings.notificationGroupId).toBe(id);
  });
});

describe('flags', () => {
  test.each([
    ['on', true],
    ['true', true],
    ['1', true],
    ['ON', false],
    ['True', false],
    ['yes', false],
    [' on', false],
    ['0', false],
    ['off', false],
    ['', false],
  ])('%j is %o', (value, isSet) => {
    const { limits, settings } = parse({
      is_percentage: value,
      send_critical: value,
      send_warning: value,
      send_acknowledgements: value,
      send_recoveries: value,
      enable_system_notifications: value,
    });
    expect(limits.isPercentage).toBe(isSet);
    expect(settings).toMatchObject({
      sendCritical: isSet,
      sendWarning: isSet,
      sendAcknowledgements: isSet,
      sendRecoveries: isSet,
      enableSystemNotifications: isSet,
    });
  });
});

describe('bands', () => {
  test.each([
    ['limit, delay and sustained blank', {}],
    ['a limit of 0', { ch_high: '0' }],
    ['all zero', { ch_high: '0', ch_delay: '0.0', ch_sustained: '-0' }],
    ['not a number', { ch_high: 'warm', ch_delay: 'soon', ch_sustained: 'long' }],
  ])('is not saved: %s', (_, fields) => expect(parse(fields).limits.bands).toEqual([]));

  test.each([
    ['a limit', { ch_high: '0.5' }],
    ['a limit of 0 with a delay', { ch_high: '0', ch_delay: '1' }],
    ['a limit of 0 with a sustained time', { ch_high: '0', ch_sustained: '0.1' }],
    ['a delay alone', { ch_delay: '1' }],
    ['a sustained time alone', { ch_sustained: '1' }],
  ])('is saved: %s', (_, fields) => expect(parse(fields).limits.bands).toHaveLength(1));
});

test('limits that were typed and would not be in force: lone zeros and what is not a number', () => {
  const fields = { ch_high: ' 7,5 ', wh_high: '0.0', wl_low: '0', wl_delay: '1', cl_low: ' ' };
  expect(findLostLimits({ ...BLANK, ...fields })).toEqual([
    { band: 'CRITICAL_HIGH', typed: '7,5', why: 'not_a_number' },
    { band: 'WARNING_HIGH', typed: '0.0', why: 'lone_zero' },
  ]);
  expect(findLostLimits({ ch_high: '-0', cl_low: '0x0' })).toMatchObject([
    { band: 'CRITICAL_HIGH', why: 'lone_zero' },
    { band: 'CRITICAL_LOW', why: 'not_a_number' },
  ]);
  expect(findLostLimits({ ...BLANK, ch_high: '1', wh_delay: 'x' })).toEqual([]);
});

test.each([
  ['', null],
  ['  ', null],
  ['default', null],
  ['Default', 'Default'],
  [' temperature ', ' temperature '],
])('channel %j means %j', (sent, channel) => {
  expect(parse({ metric_channel: sent }).limits.channel).toBe(channel);
});

test('setpoint and state channels count only in percentage mode', () => {
  const fields = { setpoint_channel: 'set', state_channel: ' ' };
  expect(parse({ ...fields, is_percentage: 'on' }).limits).toMatchObject({
    setpointChannel: 'set',
    stateChannel: null,
  });
  expect(parse(fields).limits).toMatchObject({ setpointChannel: null, stateChannel: null });
});

test.each([
  ['', null],
  [' \t', null],
  [' Freezer ', ' Freezer '],
])('name %j means %j', (sent, name) => expect(parse({ name: sent }).name).toBe(name));

describe('the first line of the table that applies', () => {
  const negative = { stale_after_minutes: '-1' };
  test.each<[string, EditFields, string | null]>([
    ['high before low', { ch_high: '1', wh_high: '2', cl_low: '4', wl_low: '3', ...negative }, HIGH],
    ['low before crossed', { ch_high: '2', cl_low: '4', wl_low: '3', ...negative }, LOW],
    ['crossed before negative', { ch_high: '2', wl_low: '3', ...negative }, CROSSED],
    ['negative', { ch_high: '3', wl_low: '2', ...negative }, NEGATIVE],
    ['a lone zero is compared, though not saved', { ch_high: '-5', wh_high: '0' }, HIGH],
    ['nothing to compare with', { ch_high: '1', wh_high: 'x' }, null],
  ])('%s', (_, fields, fault) => expect(faultOf(fields)).toBe(fault));

  test.each([
    'ch_delay',
    'ch_sustained',
    'cl_delay',
    'cl_sustained',
    'wh_delay',
    'wh_sustained',
    'wl_delay',
    'wl_sustained',
    'repeat_interval_minutes',
    'stale_after_minutes',
    'system_notification_delay_minutes',
  ])('%s must not be negative, not even before truncation', (field) => {
    expect(faultOf({ [field]: '-0.5' })).toBe(NEGATIVE);
    expect(faultOf({ [field]: '-1e12' })).toBe(NEGATIVE);
    expect(faultOf({ [field]: '0' })).toBe(null);
  });

  test('a negative group is no minute value', () =>
    expect(faultOf({ notification_group_id: '-1' })).toBe(null));
});

const FIELDS = Object.keys(writeEditForm(parse({})));
const numberText = fc.oneof(
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom('0', '-0', '', ' 5 ', '1e400', '2147483648', '-0.5'),
);
const fieldText = fc.oneof(
  numberText,
  fc.string(),
  fc.constantFrom('on', 'true', 'default', 'toString', '__proto__'),
);
const anyForm = fc.dictionary(
  fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom('__proto__', 'x')),
  fieldText,
);
const wholeForm = fc.record(Object.fromEntries(FIELDS.map((field) => [field, fieldText])));

describe('whatever is sent', () => {
  test('never throws, and what it lets through can be stored', () => {
    fc.assert(
      fc.property(fc.oneof(anyForm, wholeForm), (form) => {
        const parsed = parseEditForm(form);
        if (!parsed.ok) return;
        const { limits, settings, name } = parsed.value;
        expect(name?.trim()).not.toBe('');
        expect(['', 'default']).not.toContain(limits.channel);
        expect(findLimitsFault(limits)).toBe(null);
        for (const { limit, delayMinutes, sustainedMinutes } of limits.bands) {
          expect(limit === null || Number.isFinite(limit)).toBe(true);
          expect(Math.min(delayMinutes, sustainedMinutes)).toBeGreaterThanOrEqual(0);
        }
        for (const value of Object.values(settings))
          expect(typeof value !== 'number' || (Number.isInteger(value) && value >= 0)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('shown in the form and sent again, it is the same', () => {
    fc.assert(
      fc.property(wholeForm, (form) => {
        const parsed = parseEditForm(form);
        fc.pre(parsed.ok);
        expect(parseEditForm(writeEditForm(parsed.value))).toEqual(parsed);
      }),
    );
  });
});
