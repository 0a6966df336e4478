// Labs as chance makes them: who is in the group and when, by which ways they are told, what keeps them from it, and the
// moment at which something begins. All of it is data, so that one that failed can be kept as an example.
import fc from 'fast-check';
import { BEGINNINGS, type Beginning } from '../../src/domain/notifications/subject.ts';
import { DURINGS, type During } from '../../src/domain/on-call/lab-hours.ts';

const DRAWN_METHODS = ['email', 'sms', 'voice', 'ntfy'] as const;

interface DrawnMethod {
  kind: (typeof DRAWN_METHODS)[number];
  afterMinutes: number;
  onlyCritical: boolean;
  during: During;
}

interface DrawnTarget {
  step: number;
  during: During;
  who: 'address' | 'account' | 'rota' | 'webhook';
  /** Which of them. */
  number: number;
}

/** Minutes count from the moment at which it begins. */
interface Span {
  from: number;
  length: number;
}

export interface DrawnLab {
  begunAt: string;
  subject: Beginning;
  /** So many minutes before. */
  asked: number;
  people: { role: 'viewer' | 'operator' | 'administrator'; active: boolean; methods: DrawnMethod[] }[];
  hours: { timezone: string; weekly: { days: string[]; from: string; to: string }[] } | null;
  holidays: string[];
  rota: {
    timezone: string;
    every: 'day' | 'week';
    length: number;
    from: string;
    handovers: { at: string; timezone: string; members: number[] }[];
    standIns: (Span & { person: number })[];
  };
  group: { steps: { afterMinutes: number; kinds: string[] }[]; told: DrawnTarget[] } | null;
  flags: { send_critical: boolean; send_warning: boolean; enable_system_notifications: boolean };
  delays: { critical: number; warning: number; stale: number };
  /** Of the service-wide limits, beside those of the channel; null: there are none. */
  sharedDelay: number | null;
  sustained: number;
  /** Until so many minutes after it began, or until somebody ends it. */
  mutes: (number | 'for good')[];
  downtimes: Span[];
  /** Downtimes that come again. */
  series: {
    unit: 'day' | 'week';
    start: string;
    minutes: number;
    first_day: string;
    until_day: string;
  } | null;
  /** Warnings of the hour before. */
  swings: number;
  gateway: 'none' | 'heard' | 'stale' | 'stale, and notified to nobody';
  /** When the clock strikes although nothing is due. */
  strikes: number[];
}

const PEOPLE = [0, 1, 2, 3];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'];
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Nights in which a clock changes, and some in which none does. */
const NIGHTS = [
  '2026-03-07T18:00:00Z',
  '2026-03-28T12:00:00Z',
  '2026-06-09T12:00:00Z',
  '2026-10-24T12:00:00Z',
  '2026-10-31T18:00:00Z',
];

const often = (share: number) => fc.nat(99).map((drawn) => drawn < share);
const mostly = <Value>(usual: Value, others: fc.Arbitrary<Value>, share: number) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: share }, { arbitrary: others, weight: 100 - share });

const clock = fc
  .record({ hour: fc.nat(23), minute: fc.constantFrom(0, 15, 30) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);

const during = fc.constantFrom<During>(...DURINGS, 'always');

const people = fc.tuple(
  ...PEOPLE.map(() =>
    fc.record({
      role: fc.constantFrom<DrawnLab['people'][number]['role']>('viewer', 'operator', 'administrator'),
      active: often(85),
      methods: mostly<DrawnMethod[]>(
        [],
        fc.uniqueArray(
          fc.record({
            kind: fc.constantFrom(...DRAWN_METHODS),
            afterMinutes: fc.constantFrom(0, 0, 5, 20),
            onlyCritical: fc.boolean(),
            during,
          }),
          { minLength: 1, maxLength: 3, selector: ({ kind }) => kind },
        ),
        50,
      ),
    }),
  ),
);

const rota = fc.record({
  timezone: fc.constantFrom(...ZONES),
  every: fc.constantFrom<'day' | 'week'>('day', 'day', 'week'),
  length: fc.integer({ min: 1, max: 2 }),
  /** Days before the night. */
  since: fc.constantFrom(5, 1, 0, -1),
  handovers: fc.uniqueArray(
    fc.record({
      at: clock,
      timezone: fc.constantFrom(...ZONES),
      members: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2, selector: ({ at }) => at },
  ),
  standIns: fc.array(
    fc.record({
      from: fc.integer({ min: -60, max: 300 }),
      length: fc.integer({ min: 1, max: 200 }),
      person: fc.constantFrom(...PEOPLE),
    }),
    { maxLength: 2 },
  ),
});

const group = fc
  .record({
    gaps: fc.array(
      fc.record({
        minutes: fc.constantFrom(1, 5, 15, 60),
        kinds: fc.subarray(['critical', 'warning', 'system'], { minLength: 1 }),
      }),
      { maxLength: 3 },
    ),
    told: fc.uniqueArray(
      fc.record({
        step: fc.nat(3),
        during,
        who: fc.constantFrom<DrawnTarget['who']>('address', 'account', 'account', 'rota', 'rota', 'webhook'),
        number: fc.constantFrom(...PEOPLE),
      }),
      {
        minLength: 1,
        maxLength: 6,
        selector: ({ step, who, number }) => `${step} ${who} ${who === 'rota' ? '' : number}`,
      },
    ),
  })
  .map(({ gaps, told }) => {
    let afterMinutes = 0;
    const steps = gaps.map(({ minutes, kinds }) => {
      afterMinutes += minutes;
      return { afterMinutes, kinds };
    });
    return { steps, told: told.filter(({ step }) => step <= steps.length) };
  });

const span = { from: fc.integer({ min: -100, max: 300 }), length: fc.integer({ min: 1, max: 120 }) };

export const drawnLab: fc.Arbitrary<DrawnLab> = fc
  .record({
    night: fc.constantFrom(...NIGHTS),
    minute: fc.nat(1_800),
    second: fc.constantFrom(0, 0, 20),
    subject: fc.constantFrom(...BEGINNINGS),
    asked: fc.constantFrom(0, 0, 5, 60, 600, 20 * 24 * 60),
    people,
    hours: fc.option(
      fc.record({
        timezone: fc.constantFrom(...ZONES),
        weekly: fc.array(fc.record({ days: fc.subarray(DAYS, { minLength: 3 }), from: clock, to: clock }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
      { freq: 4 },
    ),
    isHoliday: often(20),
    rota,
    group: mostly<DrawnLab['group']>(null, mostly({ steps: [], told: [] }, group, 8), 3),
    flags: fc.record({
      send_critical: often(97),
      send_warning: often(97),
      enable_system_notifications: often(97),
    }),
    delays: fc.record({
      critical: fc.constantFrom(0, 0, 3, 30),
      warning: fc.constantFrom(0, 0, 3, 30),
      stale: fc.constantFrom(0, 5),
    }),
    sharedDelay: mostly<number | null>(null, fc.constantFrom(0, 12), 75),
    sustained: fc.constantFrom(0, 0, 5),
    mutes: mostly<DrawnLab['mutes']>(
      [],
      fc.array(mostly<number | 'for good'>('for good', fc.integer({ min: -30, max: 200 }), 10), {
        minLength: 1,
        maxLength: 2,
      }),
      80,
    ),
    downtimes: mostly<Span[]>([], fc.array(fc.record(span), { minLength: 1, maxLength: 2 }), 65),
    series: mostly<{ unit: 'day' | 'week'; start: string; minutes: number } | null>(
      null,
      fc.record({
        unit: fc.constantFrom<'day' | 'week'>('day', 'day', 'week'),
        start: clock,
        minutes: fc.constantFrom(60, 300),
      }),
      75,
    ),
    swings: mostly(0, fc.integer({ min: 3, max: 5 }), 80),
    gateway: mostly<DrawnLab['gateway']>(
      'none',
      fc.constantFrom('heard', 'stale', 'stale, and notified to nobody'),
      70,
    ),
    strikes: fc.uniqueArray(fc.nat(1_500), { minLength: 4, maxLength: 4 }),
  })
  .map(({ night, minute, second, isHoliday, rota: { since, ...turns }, asked, swings, ...lab }) => {
    const begunAt = new Date(Date.parse(night) + (minute * 60 + second) * 1_000).toISOString();
    const shift = (days: number) => dayOf(Date.parse(night) + days * 24 * 3_600_000);
    const isWarning = lab.subject === 'warning';
    return {
      ...lab,
      begunAt,
      // Whoever asks before it swings cannot know that it will.
      asked: isWarning && swings > 0 ? 0 : asked,
      swings: isWarning ? swings : 0,
      gateway: lab.subject === 'stale' ? lab.gateway : 'none',
      series: lab.series && { ...lab.series, first_day: shift(-25), until_day: shift(8) },
      holidays: isHoliday ? [dayOf(Date.parse(begunAt))] : [],
      rota: { ...turns, from: shift(-since) },
    };
  });

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
