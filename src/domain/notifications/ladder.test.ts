import { describe, expect, test } from 'vitest';
import type { ContactMethod } from '../on-call/contact-method.ts';
import type { LabHours } from '../on-call/lab-hours.ts';
import type { Recipient } from '../on-call/recipient.ts';
import type { Rota } from '../on-call/rota.ts';
import { type Ladder, type StepTarget, standAt } from './ladder.ts';
import { BEGINNINGS } from './subject.ts';

const MORNING = new Date('2026-03-24T09:00:00Z');
const NIGHT = new Date('2026-03-24T23:00:00Z');

const HOURS: LabHours = {
  timeZone: 'UTC',
  weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  holidays: [],
};

/** Vera and Oscar in turns, a day each from midnight. */
const ROTA: Rota = {
  id: 5,
  timeZone: 'UTC',
  versions: [
    { version: 1, fromDate: '2026-03-24', handover: '00:00', every: 'day', length: 1, members: [1, 2] },
  ],
  standIns: [],
  present: new Set([1, 2]),
};

const person = (accountId: number, name: string): Recipient => ({
  transport: 'email',
  recipient: `${name}@lab.example`,
  accountId,
});
const VERA = person(1, 'vera');
const OSCAR = person(2, 'oscar');
const ADA = person(3, 'ada');

const target = (recipient: Recipient | null, more: Partial<StepTarget> = {}): StepTarget => ({
  step: 0,
  during: 'always',
  recipient,
  rotaId: null,
  ...more,
});
const onDuty = (step = 0) => target(null, { step, rotaId: ROTA.id });

const phone = (accountId: number, more: Partial<ContactMethod> = {}): ContactMethod => ({
  id: 70 + accountId,
  accountId,
  kind: 'sms',
  address: '',
  afterMinutes: 0,
  onlyCritical: false,
  during: 'always',
  ...more,
});

const ladder = (more: Partial<Ladder>): Ladder => ({
  steps: [],
  targets: [],
  rotas: [],
  people: new Map(),
  hours: null,
  administrators: [ADA],
  methods: new Map(),
  ...more,
});
const SECOND = { step: 1, afterMinutes: 15, subjects: BEGINNINGS };

const reached = (made: Ladder, at: Date): string[][] =>
  standAt(made, at).steps.map(({ recipients }) => recipients.map(({ recipient }) => recipient));

describe('whom a step reaches', () => {
  const withRota = { rotas: [ROTA], people: new Map([VERA, OSCAR].map((one) => [one.accountId ?? 0, one])) };
  const [vera, oscar, ada] = [[VERA.recipient], [OSCAR.recipient], [ADA.recipient]];

  test.each<[sentence: string, made: Ladder, at: Date, expected: string[][]]>([
    ['a ladder without anybody still has its first step', ladder({}), MORNING, [[]]],
    [
      'everybody on the first step',
      ladder({ targets: [target(VERA), target(OSCAR)] }),
      MORNING,
      [[...vera, ...oscar]],
    ],
    [
      'who stands there twice is notified once',
      ladder({ targets: [target(VERA), target(VERA)] }),
      MORNING,
      [vera],
    ],
    [
      'a later step reaches those that stand on it',
      ladder({ steps: [SECOND], targets: [target(VERA), target(OSCAR, { step: 1 })] }),
      MORNING,
      [vera, oscar],
    ],
    [
      'a step that is gone reaches nobody, whoever still stands on it',
      ladder({ targets: [target(VERA), target(OSCAR, { step: 1 })] }),
      MORNING,
      [vera],
    ],
    [
      'in lab hours those of lab hours',
      ladder({
        hours: HOURS,
        targets: [target(VERA, { during: 'lab_hours' }), target(OSCAR, { during: 'off_hours' })],
      }),
      MORNING,
      [vera],
    ],
    [
      'at night those of the night',
      ladder({
        hours: HOURS,
        targets: [target(VERA, { during: 'lab_hours' }), target(OSCAR, { during: 'off_hours' })],
      }),
      NIGHT,
      [oscar],
    ],
    [
      'while nobody has said when the lab hours are, nobody is left out',
      ladder({ targets: [target(VERA, { during: 'lab_hours' }), target(OSCAR, { during: 'off_hours' })] }),
      NIGHT,
      [[...vera, ...oscar]],
    ],
    ['a rota stands for whoever is on duty', ladder({ ...withRota, targets: [onDuty()] }), MORNING, [vera]],
    [
      'and after its handover for the next',
      ladder({ ...withRota, targets: [onDuty()] }),
      new Date('2026-03-25T00:00:00Z'),
      [oscar],
    ],
    [
      'before its first version a rota reaches nobody',
      ladder({ ...withRota, targets: [onDuty(), target(ADA)] }),
      new Date('2026-03-23T12:00:00Z'),
      [ada],
    ],
    [
      'who is on duty and cannot be notified is left out',
      ladder({ rotas: [ROTA], targets: [onDuty()] }),
      MORNING,
      [[]],
    ],
    [
      'a rota that is gone reaches nobody',
      ladder({ ...withRota, rotas: [], targets: [onDuty()] }),
      MORNING,
      [[]],
    ],
    [
      'a person is reached by their own methods in place of their mail',
      ladder({ targets: [target(VERA)], methods: new Map([[1, [phone(1)]]]) }),
      MORNING,
      [['71']],
    ],
    [
      'mail steps in at hours for which they have none',
      ladder({
        hours: HOURS,
        targets: [target(VERA)],
        methods: new Map([[1, [phone(1, { during: 'lab_hours' })]]]),
      }),
      NIGHT,
      [vera],
    ],
    [
      'and for what their methods leave out',
      ladder({ targets: [target(VERA)], methods: new Map([[1, [phone(1, { onlyCritical: true })]]]) }),
      MORNING,
      [['71', ...vera]],
    ],
  ])('%s', (_, made, at, expected) => expect(reached(made, at)).toEqual(expected));

  test('one ladder is asked about many moments, and answers for each', () => {
    const made = ladder({ ...withRota, targets: [onDuty()] });
    const days = ['24', '25', '24', '26'].map((day) => reached(made, new Date(`2026-03-${day}T12:00:00Z`)));
    expect(days).toEqual([[vera], [oscar], [vera], [vera]]);
  });
});

test('administrators are reached by their mail and by every method, at once and for everything', () => {
  const methods = new Map([[3, [phone(3, { afterMinutes: 10, onlyCritical: true, during: 'off_hours' })]]]);
  expect(standAt(ladder({ hours: HOURS, methods }), MORNING).administrators).toEqual([
    ADA,
    { transport: 'method', recipient: '73', accountId: 3, via: 'sms' },
  ]);
});

describe('a ladder is flat', () => {
  test.each<[sentence: string, made: Ladder, isFlat: boolean]>([
    ['with everybody on the first step, at any hour', ladder({ targets: [target(VERA)] }), true],
    ['but not with a second step', ladder({ steps: [SECOND], targets: [target(VERA)] }), false],
    ['nor with a rota', ladder({ rotas: [ROTA], targets: [onDuty()] }), false],
    ['nor with somebody of some hours', ladder({ targets: [target(VERA, { during: 'off_hours' })] }), false],
  ])('%s', (_, made, isFlat) => expect(standAt(made, MORNING).isFlat).toBe(isFlat));
});

describe('a ladder stands until', () => {
  test.each<[sentence: string, made: Ladder, until: string | null]>([
    ['nothing changes it', ladder({ targets: [target(VERA)] }), null],
    ['the next handover', ladder({ rotas: [ROTA], targets: [onDuty()] }), '2026-03-25T00:00:00.000Z'],
    [
      'the end of the lab hours, where somebody asks for them',
      ladder({ hours: HOURS, rotas: [ROTA], targets: [target(VERA, { during: 'lab_hours' })] }),
      '2026-03-24T18:00:00.000Z',
    ],
    [
      'or where a method does',
      ladder({
        hours: HOURS,
        targets: [target(VERA)],
        methods: new Map([[1, [phone(1, { during: 'lab_hours' })]]]),
      }),
      '2026-03-24T18:00:00.000Z',
    ],
    ['whatever the hours, where nobody asks', ladder({ hours: HOURS, targets: [target(VERA)] }), null],
  ])('%s', (_, made, until) =>
    expect(standAt(made, MORNING).nextChangeAt?.toISOString() ?? null).toBe(until),
  );
});
