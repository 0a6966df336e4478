import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { sayTelling, sayUntold, type Telling } from './telling.ts';

const ALL_ON: Telling = {
  groupName: 'Cold team',
  sendCritical: true,
  sendWarning: true,
  sendAcknowledgements: true,
  sendRecoveries: true,
  enableSystemNotifications: true,
};
const ALL_OFF: Telling = {
  groupName: 'Cold team',
  sendCritical: false,
  sendWarning: false,
  sendAcknowledgements: false,
  sendRecoveries: false,
  enableSystemNotifications: false,
};

describe('who is told of a service, and about what', () => {
  test.each<[name: string, telling: Telling, tells: string, text: string]>([
    ['no group', { ...ALL_ON, groupName: null }, 'nobody', 'Notified: nobody. No group is chosen.'],
    [
      'no group, and nothing to tell either',
      { ...ALL_OFF, groupName: null },
      'nobody',
      'Notified: nobody. No group is chosen.',
    ],
    [
      'all off',
      ALL_OFF,
      'nothing',
      'Notified of nothing. Cold team is chosen, with everything switched off.',
    ],
    ['one on', { ...ALL_OFF, sendCritical: true }, 'some', 'Notified: Cold team, about critical alarms.'],
    [
      'one off',
      { ...ALL_ON, sendRecoveries: false },
      'some',
      'Notified: Cold team, about critical alarms, warnings, acknowledgements and missing data.',
    ],
    ['all on', ALL_ON, 'everything', 'Notified: Cold team, about everything.'],
  ])('%s', (_, telling, tells, text) => expect(sayTelling(telling, english)).toEqual({ tells, text }));
});

describe('why nobody is told of an alarm', () => {
  test.each<[name: string, telling: Telling, severity: 'critical' | 'warning' | 'stale', why: string | null]>(
    [
      ['no group', { ...ALL_ON, groupName: null }, 'critical', 'no group is chosen'],
      ['all off', ALL_OFF, 'critical', 'Cold team is notified of nothing'],
      [
        'critical off',
        { ...ALL_ON, sendCritical: false },
        'critical',
        'Cold team is not notified about critical alarms',
      ],
      [
        'warnings off',
        { ...ALL_ON, sendWarning: false },
        'warning',
        'Cold team is not notified about warnings',
      ],
      [
        'stale off',
        { ...ALL_ON, enableSystemNotifications: false },
        'stale',
        'Cold team is not notified about missing data',
      ],
      ['another one off', { ...ALL_ON, sendWarning: false }, 'critical', null],
      ['on', ALL_ON, 'stale', null],
    ],
  )('%s', (_, telling, severity, why) => expect(sayUntold(telling, severity, english)).toBe(why));
});
