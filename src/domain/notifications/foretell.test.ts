import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import type { Recipient } from '../on-call/recipient.ts';
import { foretell, serviceOf } from './foretell.ts';
import type { Ladder, StepTarget } from './ladder.ts';
import { sayReason } from './reason.ts';
import type { Situation } from './situation.ts';

const NOW = new Date('2026-11-16T20:00:00Z');
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
const person = (name: string): Recipient => ({ transport: 'email', recipient: `${name}@lab.example` });
const at = (step: number, name: string, during: StepTarget['during'] = 'always'): StepTarget => ({
  step,
  during,
  recipient: person(name),
  rotaId: null,
});

const serviceWith = (ladder: Partial<Ladder>): Situation =>
  serviceOf({
    id: 1,
    name: 'Night',
    ladder: {
      steps: [],
      targets: [],
      rotas: [],
      people: new Map(),
      hours: null,
      administrators: [person('ada')],
      methods: new Map(),
      ...ladder,
    },
  });

const say = (situation: Situation, subject: 'critical' | 'warning' | 'stale' = 'critical') => {
  const { told, reason } = foretell(situation, subject, { from: NOW, until: hours(24) });
  const lines = told.map(({ at: opensAt, step, recipients, reason: why }) => {
    const minute = (opensAt.getTime() - NOW.getTime()) / 60_000;
    const who = recipients.map(({ recipient }) => recipient.split('@')[0]).join('+') || 'nobody';
    return `${minute} ${step} ${who}: ${sayReason(why, english)}`;
  });
  return lines.length > 0 ? lines : [sayReason(reason, english)];
};

const STEPS = [{ step: 1, afterMinutes: 15, subjects: ['critical' as const] }];
const LAB = {
  timeZone: 'UTC',
  weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  holidays: [],
};

describe('who would be told', () => {
  test.each<[what: string, lines: string[], expected: string[]]>([
    [
      'everybody at once',
      say(serviceWith({ targets: [at(0, 'vera'), at(0, 'oscar')] })),
      ['0 0 vera+oscar: In alarm: critical'],
    ],
    ['a group that nobody is in', say(serviceWith({})), ['0 9 ada: No step reached anybody']],
    ['of missing data from it, too', say(serviceWith({}), 'stale'), ['0 9 ada: No step reached anybody']],
    [
      'the next step, while nobody acknowledges',
      say(serviceWith({ steps: STEPS, targets: [at(0, 'vera'), at(1, 'oscar')] })),
      ['0 0 vera: In alarm: critical', '15 1 oscar: Nobody acknowledged within 15 minutes'],
    ],
    [
      'a step that reaches nobody is passed at once',
      say(serviceWith({ steps: STEPS, targets: [at(1, 'oscar')] })),
      ['0 0 nobody: Nobody is on duty: passed at once', '0 1 oscar: Step 0 reached nobody'],
    ],
    [
      'a warning waits for lab hours',
      say(serviceWith({ hours: LAB, targets: [at(0, 'vera', 'lab_hours')] }), 'warning'),
      ['720 0 vera: In alarm: warning'],
    ],
    [
      'a critical alarm does not, and whoever comes on duty meanwhile is notified',
      say(serviceWith({ hours: LAB, targets: [at(0, 'vera', 'lab_hours')] })),
      [
        '0 0 nobody: Nobody is on duty: passed at once',
        '0 9 ada: No step reached anybody',
        '720 0 vera: In alarm: critical',
      ],
    ],
    ['muted', say({ ...serviceWith({ targets: [at(0, 'vera')] }), mutedBy: 'Oscar' }), ['Muted by Oscar']],
    [
      'in downtime, and notified when it ends',
      say({
        ...serviceWith({ targets: [at(0, 'vera')] }),
        downtimes: [{ startAt: hours(-1), endAt: hours(2), by: 'Ada' }],
      }),
      ['120 0 vera: In alarm: critical'],
    ],
    [
      'nothing of what is switched off',
      say({
        ...serviceWith({ targets: [at(0, 'vera')] }),
        settings: { ...serviceWith({}).settings, sendCritical: false },
      }),
      ['Critical alarms are switched off for this unit'],
    ],
    ['no group', say({ ...serviceWith({}), group: null }), ['No notification group']],
    [
      'after the delay of its band',
      say({ ...serviceWith({ targets: [at(0, 'vera')] }), delayMinutes: 10 }),
      ['10 0 vera: In alarm: critical'],
    ],
  ])('%s', (_, lines, expected) => expect(lines).toEqual(expected));

  test('a method that waits is told in its time, and only of what it is for', () => {
    const vera = { ...person('vera'), accountId: 5, accountName: 'Vera' };
    const sms = {
      id: 9,
      accountId: 5,
      kind: 'sms' as const,
      address: '+49',
      afterMinutes: 10,
      onlyCritical: true,
      during: 'always' as const,
    };
    const situation = serviceWith({
      targets: [{ step: 0, during: 'always', recipient: vera, rotaId: null }],
      methods: new Map([[5, [sms]]]),
    });
    expect(say(situation)).toEqual(['10 0 9: In alarm: critical']);
    expect(say(situation, 'warning')).toEqual(['0 0 vera: In alarm: warning']);
  });

  test.each([
    [0, 720],
    [60, null],
  ])('who comes on duty and knows, reminded every %i minutes', (repeatIntervalMinutes, anew) => {
    const service = serviceWith({
      steps: STEPS,
      hours: LAB,
      targets: [at(0, 'vera'), at(1, 'oscar', 'off_hours'), at(1, 'vera', 'lab_hours')],
    });
    const lines = say({ ...service, settings: { ...service.settings, repeatIntervalMinutes } });
    expect(lines.slice(0, 2)).toEqual([
      '0 0 vera: In alarm: critical',
      '15 1 oscar: Nobody acknowledged within 15 minutes',
    ]);
    const told = anew === null ? [] : [`${anew} 1 vera: Nobody acknowledged within 15 minutes`];
    expect(lines.slice(2)).toEqual(told);
  });
});
