import { describe, expect, test } from 'vitest';
import type { Recipient } from '../on-call/recipient.ts';
import { climb } from './climb.ts';
import { FIRST_STEP, LAST_RESORT, type StandingLadder } from './ladder.ts';
import type { OpenedStep } from './situation.ts';
import { BEGINNINGS, type Beginning } from './subject.ts';

type Climber = Parameters<typeof climb>[0];

const at = (minute: number) => new Date(minute * 60_000);
const mail = (name: string): Recipient => ({ transport: 'email', recipient: name });
const CRITICAL = { code: 'in_alarm', severity: 'critical' } as const;

/** The first step, and further ones after 10 and 30 minutes. */
function ladder(reached: string[][], more: Partial<StandingLadder> = {}): StandingLadder {
  const steps = reached.map((names, step) => ({
    ...FIRST_STEP,
    step,
    afterMinutes: [0, 10, 30][step] ?? 0,
    recipients: names.map(mail),
  }));
  return { steps, administrators: [mail('ada')], isFlat: false, nextChangeAt: null, ...more };
}

const opened = (step: number, minute: number, reason: OpenedStep['reason'] = CRITICAL): OpenedStep => ({
  step,
  at: at(minute),
  reason,
});
const heard = (step: number, minute: number, more: Partial<Climber['heard'][number]> = {}) => ({
  step,
  at: at(minute),
  hasArrived: true,
  isUnderWay: false,
  isRefused: false,
  ...more,
});
/** Its receiver takes none: it is tried on, and nobody waits for it. */
const refused = (step: number, minute: number) =>
  heard(step, minute, { hasArrived: false, isUnderWay: true, isRefused: true });

const climber = (made: StandingLadder, more: Partial<Climber> = {}): Climber => ({
  ladder: made,
  subject: 'critical',
  anchor: at(0),
  opened: [],
  heard: [],
  failed: [],
  ...more,
});

/** As one line: whom the open steps reach, what opens and why, and when to look again. */
function tell(one: Climber, minute: number): string {
  const { due, opens, waitsUntil, lookAgainAt } = climb(one, at(minute));
  const minuteOf = (time: Date) => time.getTime() / 60_000;
  return [
    `tells ${due.map(({ recipient }) => recipient).join('+') || 'nobody'}`,
    ...opens.map(
      ({ step, reason }) => `opens ${step === LAST_RESORT ? 'the last resort' : step}: ${reason.code}`,
    ),
    ...(waitsUntil ? [`waits until ${minuteOf(waitsUntil)}`] : []),
    ...(lookAgainAt ? [`again at ${minuteOf(lookAgainAt)}`] : []),
  ].join(', ');
}

const TWO = ladder([['vera'], ['oscar']]);
const THREE = ladder([['vera'], ['oscar'], ['nora']]);

describe('steps open', () => {
  test.each<[sentence: string, one: Climber, minute: number, told: string]>([
    ['the first at once', climber(TWO), 0, 'tells vera, opens 0: in_alarm, again at 10'],
    [
      'the first not before what it counts from; until then it says whom it will reach',
      climber(TWO, { anchor: at(5) }),
      0,
      'tells vera, again at 5',
    ],
    [
      'the next not before its time',
      climber(TWO, { opened: [opened(0, 0)], heard: [heard(0, 0)] }),
      9,
      'tells vera, again at 10',
    ],
    [
      'the next at its time, while nobody acknowledges',
      climber(TWO, { opened: [opened(0, 0)], heard: [heard(0, 0)] }),
      10,
      'tells vera+oscar, opens 1: nobody_acknowledged',
    ],
    [
      'each so long after the one before as the ladder says, however late that was',
      climber(THREE, { opened: [opened(0, 0), opened(1, 14)], heard: [heard(0, 0), heard(1, 14)] }),
      33,
      'tells vera+oscar, again at 34',
    ],
    [
      'once: what is written down does not open again',
      climber(TWO, { opened: [opened(0, 0), opened(1, 10)], heard: [heard(0, 0), heard(1, 10)] }),
      60,
      'tells vera+oscar',
    ],
    [
      'anew after an interruption: what opened before it does not count',
      climber(TWO, { opened: [opened(0, 0), opened(1, 10)], heard: [heard(0, 0)], anchor: at(20) }),
      20,
      'tells vera, opens 0: in_alarm, again at 30',
    ],
  ])('%s', (_, one, minute, told) => expect(tell(one, minute)).toBe(told));
});

describe('nobody is waited for', () => {
  test.each<[sentence: string, one: Climber, minute: number, told: string]>([
    [
      'where the first step is empty',
      climber(ladder([[], ['oscar']])),
      0,
      'tells oscar, opens 0: passed, opens 1: step_reached_nobody, again at 5',
    ],
    [
      'where every receiver of a step refuses',
      climber(TWO, { opened: [opened(0, 0)], heard: [refused(0, 0)] }),
      1,
      'tells vera+oscar, opens 1: step_failed, again at 6',
    ],
    [
      'where all that was sent at a step failed',
      climber(TWO, { opened: [opened(0, 0)], failed: [{ step: 0, at: at(0) }] }),
      1,
      'tells vera+oscar, opens 1: step_failed, again at 6',
    ],
    [
      'but one who takes it is',
      climber(ladder([['vera', 'olga'], ['oscar']]), {
        opened: [opened(0, 0)],
        heard: [refused(0, 0), heard(0, 0)],
      }),
      1,
      'tells vera+olga, again at 10',
    ],
    [
      'and what failed before the step opened says nothing of it',
      climber(TWO, {
        opened: [opened(0, 5)],
        heard: [heard(0, 5)],
        failed: [{ step: 0, at: at(1) }],
        anchor: at(5),
      }),
      6,
      'tells vera, again at 15',
    ],
    [
      'a warning waits at an empty step for the next handover',
      climber(ladder([[], ['oscar']], { nextChangeAt: at(40) }), { subject: 'warning' }),
      0,
      'tells nobody, waits until 40, again at 40',
    ],
    [
      'a critical alarm does not',
      climber(ladder([[], ['oscar']], { nextChangeAt: at(40) })),
      0,
      'tells oscar, opens 0: passed, opens 1: step_reached_nobody, again at 5',
    ],
  ])('%s', (_, one, minute, told) => expect(tell(one, minute)).toBe(told));
});

describe('administrators are told', () => {
  const FLAT = ladder([['vera']], { isFlat: true });
  const ONE = ladder([['vera']]);

  test.each<[sentence: string, one: Climber, minute: number, told: string]>([
    [
      'when no step reaches anybody',
      climber(ladder([[]])),
      0,
      'tells ada, opens 0: passed, opens the last resort: no_step_reached_anybody',
    ],
    [
      'when every message failed',
      climber(ONE, { opened: [opened(0, 0)], failed: [{ step: 0, at: at(0) }] }),
      1,
      'tells vera+ada, opens the last resort: every_message_failed',
    ],
    [
      'not while what was sent may arrive yet',
      climber(ONE, { opened: [opened(0, 0)], heard: [heard(0, 0, { hasArrived: false, isUnderWay: true })] }),
      4,
      'tells vera, again at 5',
    ],
    [
      'when nothing has arrived in time',
      climber(ONE, { opened: [opened(0, 0)], heard: [heard(0, 0, { hasArrived: false, isUnderWay: true })] }),
      5,
      'tells vera+ada, opens the last resort: nothing_arrived',
    ],
    [
      'a little later, while somebody holds a letter just now',
      climber(ONE, { opened: [opened(0, 0)], heard: [heard(0, 0, { isUnderWay: true })] }),
      5,
      'tells vera, again at 6',
    ],
    [
      'not when one of many messages arrived',
      climber(ONE, { opened: [opened(0, 0)], heard: [refused(0, 0), heard(0, 0)] }),
      90,
      'tells vera',
    ],
    [
      'not before the last step is open',
      climber(TWO, { opened: [opened(0, 0)], heard: [heard(0, 0, { hasArrived: false, isUnderWay: true })] }),
      8,
      'tells vera, again at 10',
    ],
    [
      'once: where they were notified they stay notified',
      climber(ONE, {
        opened: [opened(0, 0), opened(LAST_RESORT, 5, { code: 'nothing_arrived', minutes: 5 })],
        heard: [heard(0, 0)],
      }),
      60,
      'tells vera+ada',
    ],
    [
      'of a flat ladder not for want of time',
      climber(FLAT, { heard: [heard(0, 0, { hasArrived: false, isUnderWay: true })] }),
      90,
      'tells vera',
    ],
    [
      'of a flat ladder when every message failed',
      climber(FLAT, { failed: [{ step: 0, at: at(0) }] }),
      1,
      'tells vera+ada, opens the last resort: every_message_failed',
    ],
  ])('%s', (_, one, minute, told) => expect(tell(one, minute)).toBe(told));
});

describe('whom an open step tells', () => {
  const later = { ...mail('vera-phone'), afterMinutes: 3 };
  const only = (what: 'critical' | 'others') => ({ ...mail(what), only: what });
  const first = (recipients: Recipient[]) => {
    const made = ladder([[]]);
    return { ...made, steps: [{ ...FIRST_STEP, recipients }], isFlat: true };
  };

  test('a method that waits is due when its time has come', () => {
    const one = climber(first([mail('vera'), later]), { heard: [heard(0, 0)] });
    expect(tell(one, 2)).toBe('tells vera, again at 3');
    expect(tell(one, 3)).toBe('tells vera+vera-phone');
  });

  test('a way that is for critical alarms alone is no way for others', () => {
    const made = first([only('critical'), only('others')]);
    const arrived = { heard: [heard(0, 0)] };
    expect(tell(climber(made, arrived), 1)).toBe('tells critical');
    expect(tell(climber(made, { ...arrived, subject: 'stale' }), 1)).toBe('tells others');
  });

  test('a step that is not for this is passed over', () => {
    const [one, two, three] = THREE.steps.map((step) => ({ ...step }));
    const narrow = {
      ...(two ?? FIRST_STEP),
      recipients: [mail('oscar')],
      subjects: ['critical'] as Beginning[],
    };
    const made = { ...THREE, steps: [one, narrow, three].flatMap((step) => step ?? []) };
    const arrived = { opened: [opened(0, 0)], heard: [heard(0, 0)] };
    expect(tell(climber(made, { ...arrived, subject: 'warning' }), 10)).toBe('tells vera, again at 30');
    expect(tell(climber(made, arrived), 10)).toBe(
      'tells vera+oscar, opens 1: nobody_acknowledged, again at 30',
    );
  });

  test('who stands on two open steps is told by the later one, with its reason', () => {
    const made = ladder([['vera'], ['vera', 'oscar']]);
    const one = climber(made, { opened: [opened(0, 0)], heard: [heard(0, 0)] });
    expect(climb(one, at(10)).due).toEqual(
      ['vera', 'oscar'].map((name) => ({
        ...mail(name),
        step: 1,
        since: at(10),
        reason: { code: 'nobody_acknowledged', minutes: 10 },
      })),
    );
  });

  test('a step that was put in below an open one counts from that', () => {
    const one = climber(THREE, { opened: [opened(0, 0), opened(2, 30)], heard: [heard(0, 0), heard(2, 30)] });
    expect(climb(one, at(31)).due.map(({ recipient, since }) => [recipient, since])).toEqual([
      ['vera', null],
      ['oscar', at(30)],
      ['nora', at(30)],
    ]);
  });

  test.each(BEGINNINGS)('the first step says what it opened for: %s', (subject) => {
    const [first] = climb(climber(TWO, { subject }), at(0)).opens;
    expect(first?.reason.code).toBe(subject === 'stale' ? 'no_data' : 'in_alarm');
  });
});
