import { describe, expect, test } from 'vitest';
import { isRule, listOccurrences, previewSeries, type Series } from './series.ts';

const DEFROST: Series = {
  firstDay: '2026-10-12',
  untilDay: '2027-04-30',
  localStart: '02:30',
  minutes: 90,
  timeZone: 'Europe/Berlin',
  rule: 'FREQ=WEEKLY;BYDAY=SU',
};
const say = ({ day, startAt, endAt, isMoved }: ReturnType<typeof previewSeries>[number]) =>
  `${day} ${startAt.toISOString().slice(11, 16)} to ${endAt.toISOString().slice(11, 16)}${isMoved ? ' moved' : ''}`;

test.each([
  ['FREQ=DAILY', true],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', true],
  ['FREQ=MONTHLY;BYDAY=1MO', true],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15,-1', true],
  ['FREQ=HOURLY', false],
  ['FREQ=WEEKLY;BYDAY=1MO', false],
  ['FREQ=DAILY;COUNT=3', false],
  ['FREQ=DAILY;UNTIL=20270101', false],
  ['FREQ=DAILY;FREQ=DAILY', false],
  ['INTERVAL=2', false],
  ['FREQ=DAILY;INTERVAL=0', false],
  ['FREQ=DAILY\nDTSTART:20270101', false],
  ['', false],
])('%s is a rule: %s', (rule, expected) => {
  expect(isRule(rule)).toBe(expected);
});

describe('a series', () => {
  test('begins by the wall clock and lasts as long as it says, in the hour that comes twice and the one that is skipped', () => {
    expect(previewSeries(DEFROST, new Date('2026-10-20T00:00:00Z'), 2).map(say)).toEqual([
      '2026-10-25 00:30 to 02:00 moved',
      '2026-11-01 01:30 to 03:00',
    ]);
    expect(previewSeries(DEFROST, new Date('2027-03-25T00:00:00Z'), 2).map(say)).toEqual([
      '2027-03-28 01:30 to 03:00 moved',
      '2027-04-04 00:30 to 02:00',
    ]);
  });

  test('lists what has not ended, and nothing after its last day', () => {
    const within = { ...DEFROST, untilDay: '2026-10-25' };
    const at = new Date('2026-10-25T01:00:00Z');
    const later = new Date('2026-12-01T00:00:00Z');
    expect(listOccurrences(within, at, later).map(({ day }) => day)).toEqual(['2026-10-25']);
    expect(previewSeries(within, at, 1).map(say)).toEqual(['2026-10-25 00:30 to 02:00 moved']);
    expect(listOccurrences(within, new Date('2026-10-25T02:00:00Z'), later)).toEqual([]);
  });

  test.each([
    ['FREQ=DAILY;INTERVAL=3', ['2026-10-12', '2026-10-15', '2026-10-18']],
    ['FREQ=MONTHLY;BYDAY=1MO', ['2026-11-02', '2026-12-07', '2027-01-04']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', ['2026-10-31', '2026-11-30', '2026-12-31']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', ['2026-10-12', '2026-10-15', '2026-10-26']],
  ])('%s', (rule, days) => {
    const found = previewSeries({ ...DEFROST, rule }, new Date('2026-10-11T00:00:00Z'), 3);
    expect(found.map(({ day }) => day)).toEqual(days);
  });
});
