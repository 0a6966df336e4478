import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import type { Recipient } from '../on-call/recipient.ts';
import { decide } from './decide.ts';
import { NOBODY_KNOWS as NOBODY, serviceOf } from './foretell.ts';
import type { Ladder } from './ladder.ts';
import { sayReason } from './reason.ts';
import type { Situation, Told, ToldBefore, Waiting } from './situation.ts';
import { findUntruth } from './still-true.ts';
import type { Subject } from './subject.ts';
import { findSuppression } from './suppression.ts';

const NOW = new Date('2026-11-15T03:00:00.000Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const ahead = (minutes: number) => ago(-minutes);

const VERA = { transport: 'email', recipient: 'vera@lab.example' } as const;
const OSCAR = { transport: 'email', recipient: 'oscar@lab.example' } as const;

const ADA = { transport: 'email', recipient: 'ada@lab.example' } as const;

/** Everybody at once. */
const flat = (...recipients: Recipient[]): Ladder => ({
  steps: [],
  targets: recipients.map((recipient) => ({ step: 0, during: 'always', recipient, rotaId: null })),
  rotas: [],
  people: new Map(),
  hours: null,
  administrators: [ADA],
  methods: new Map(),
});
const group = (...recipients: Recipient[]) => ({ id: 1, name: 'Cold team', ladder: flat(...recipients) });

const PLAIN = serviceOf(group(VERA, OSCAR));
const CALM: Situation = {
  ...PLAIN,
  settings: { ...PLAIN.settings, repeatIntervalMinutes: 60, systemNotificationDelayMinutes: 5 },
};
const CRITICAL: Situation = { ...CALM, severity: 'critical', since: ago(10), episodeId: '7' };
const WARNING: Situation = { ...CRITICAL, severity: 'warning' };
const STALE: Situation = { ...CALM, stale: { id: '3', noticedAt: ago(10) } };

const muted = (current: Situation): Situation => ({
  ...current,
  mutedBy: 'Oscar',
});
const resting = (current: Situation, until: Date): Situation => ({
  ...current,
  downtimes: [{ startAt: ago(60), endAt: until, by: 'Ada' }],
});
const set = (current: Situation, settings: Partial<Situation['settings']>): Situation => ({
  ...current,
  settings: { ...current.settings, ...settings },
});
const acknowledged = (current: Situation, severity: 'critical' | 'warning'): Situation => ({
  ...current,
  acknowledgements: [{ severity, by: 'Vera' }],
});

const word =
  (subject: Subject, at: Date) =>
  (one: Recipient): Told => ({
    ...one,
    groupId: 1,
    at,
    subject,
    isUnderWay: false,
    hasHeard: true,
    isRefused: false,
    step: 0,
  });
const toldAlarm = (subject: Subject, at: Date, who = [VERA, OSCAR], id = '7'): ToldBefore => ({
  ...NOBODY,
  alarm: { id, isClosed: false, told: who.map(word(subject, at)) },
});
const underWay = ({ alarm, stale, ...rest }: ToldBefore): ToldBefore => {
  const hurry = (one: Told) => ({ ...one, isUnderWay: true, hasHeard: false });
  return {
    ...rest,
    alarm: { ...alarm, told: alarm.told.map(hurry) },
    stale: { ...stale, told: stale.told.map(hurry) },
  };
};
const toldStale = (isStale: boolean, id = '3'): ToldBefore => ({
  ...NOBODY,
  stale: { id, isClosed: false, told: [VERA, OSCAR].map(word(isStale ? 'stale' : 'back', ago(4))) },
});

const happened = (
  subject: Waiting['subject'],
  severity: Waiting['severity'],
  episodeId: string | null = '7',
): Waiting => ({
  id: '1',
  subject,
  episodeId,
  severity,
});
const RAISED = [happened('critical', 'critical')];

describe('what becomes of what happened', () => {
  test.each<
    [
      what: string,
      current: Situation,
      toldBefore: ToldBefore,
      waiting: Waiting[],
      line: string,
      lookAgainAt: Date | null,
    ]
  >([
    [
      'critical is notified at once',
      CRITICAL,
      NOBODY,
      RAISED,
      'notified critical: In alarm: critical',
      ahead(60),
    ],
    [
      'warning is notified at once',
      WARNING,
      NOBODY,
      [happened('warning', 'warning')],
      'notified warning: In alarm: warning',
      ahead(60),
    ],
    [
      'never to repeat',
      set(CRITICAL, { repeatIntervalMinutes: 0 }),
      NOBODY,
      RAISED,
      'notified critical: In alarm: critical',
      null,
    ],
    [
      'send_critical off',
      set(CRITICAL, { sendCritical: false }),
      NOBODY,
      RAISED,
      'dropped: Critical alarms are switched off for this unit',
      null,
    ],
    [
      'send_warning off',
      set(WARNING, { sendWarning: false }),
      NOBODY,
      [happened('warning', 'warning')],
      'dropped: Warnings are switched off for this unit',
      null,
    ],
    ['no group', { ...CRITICAL, group: null }, NOBODY, RAISED, 'dropped: No notification group', null],
    [
      'an empty group',
      { ...CRITICAL, group: group() },
      NOBODY,
      RAISED,
      'notified critical: No step reached anybody',
      ahead(60),
    ],
    ['archived', { ...CRITICAL, isArchived: true }, NOBODY, RAISED, 'dropped: Archived', null],
    [
      "the band's delay",
      { ...CRITICAL, delayMinutes: 15 },
      NOBODY,
      RAISED,
      "waiting: Waits 15 minutes: the band's delay",
      ahead(5),
    ],
    [
      'a delay that is over',
      { ...CRITICAL, delayMinutes: 10 },
      NOBODY,
      RAISED,
      'notified critical: In alarm: critical',
      ahead(60),
    ],
    [
      'acknowledged while it waited',
      acknowledged(CRITICAL, 'critical'),
      NOBODY,
      RAISED,
      'dropped: Acknowledged at this severity by Vera',
      null,
    ],
    [
      'a warning under a critical acknowledgement',
      acknowledged(WARNING, 'critical'),
      NOBODY,
      [happened('warning', 'warning')],
      'dropped: Acknowledged at a higher severity by Vera',
      null,
    ],
    [
      'an escalation beyond an acknowledged warning',
      acknowledged(CRITICAL, 'warning'),
      toldAlarm('warning', ago(1)),
      RAISED,
      'notified critical: Escalated from warning to critical',
      ahead(60),
    ],
    [
      'an easing',
      WARNING,
      toldAlarm('critical', ago(1)),
      [happened('warning', 'warning')],
      'notified warning: Eased from critical to warning',
      ahead(60),
    ],
    ['muted', muted(CRITICAL), NOBODY, RAISED, 'held: Muted by Oscar', null],
    [
      'in downtime',
      resting(CRITICAL, ahead(30)),
      NOBODY,
      RAISED,
      'held: In downtime until 2026-11-15 03:30 UTC, planned by Ada',
      ahead(30),
    ],
    [
      'muted with the flag off is not to be caught up',
      muted(set(CRITICAL, { sendCritical: false })),
      NOBODY,
      RAISED,
      'dropped: Critical alarms are switched off for this unit',
      null,
    ],
    [
      'recovered',
      CALM,
      toldAlarm('critical', ago(5)),
      [happened('recovery', 'normal')],
      'notified recovery: Recovered',
      null,
    ],
    [
      'recovered, and nobody knew',
      CALM,
      NOBODY,
      [happened('recovery', 'normal')],
      'dropped: Recovered before anybody was notified',
      null,
    ],
    [
      'recovered, and they know',
      CALM,
      toldAlarm('recovery', ago(5)),
      [happened('recovery', 'normal')],
      'dropped: Notified already',
      null,
    ],
    [
      'recovered while its alarm is still on its way',
      CALM,
      underWay(toldAlarm('critical', ago(5))),
      [happened('recovery', 'normal')],
      'held: The message it ends is still on its way',
      null,
    ],
    [
      'send_recoveries off',
      set(CALM, { sendRecoveries: false }),
      toldAlarm('critical', ago(5)),
      [happened('recovery', 'normal')],
      'dropped: Recoveries are switched off for this unit',
      null,
    ],
    [
      'recovered while muted',
      muted(CALM),
      toldAlarm('critical', ago(5)),
      [happened('recovery', 'normal')],
      'held: Muted by Oscar',
      null,
    ],
    [
      'raised and gone before anybody looked',
      CALM,
      NOBODY,
      RAISED,
      'dropped: Recovered before its notification',
      null,
    ],
    [
      'an alarm that nobody knew of, over, and followed by the next',
      CRITICAL,
      NOBODY,
      [happened('recovery', 'normal', '6')],
      'dropped: Recovered before anybody was notified',
      ahead(60),
    ],
    [
      'an alarm that they knew of, over, and followed by the next',
      CRITICAL,
      toldAlarm('critical', ago(20), [VERA, OSCAR], '6'),
      [happened('recovery', 'normal', '6')],
      'notified recovery: Recovered',
      ahead(60),
    ],
    [
      'stale waits for its delay',
      { ...STALE, stale: { id: '3', noticedAt: ago(2) } },
      NOBODY,
      [happened('stale', 'stale', null)],
      'waiting: Waits 5 minutes: the delay of missing data',
      ahead(3),
    ],
    ['stale', STALE, NOBODY, [happened('stale', 'stale', null)], 'notified stale: No data comes in', null],
    [
      'stale while system messages are off',
      set(STALE, { enableSystemNotifications: false }),
      NOBODY,
      [happened('stale', 'stale', null)],
      'dropped: Notifications of missing data are switched off for this unit',
      null,
    ],
    [
      'stale while muted',
      muted(STALE),
      NOBODY,
      [happened('stale', 'stale', null)],
      'held: Muted by Oscar',
      null,
    ],
    [
      'data again',
      CALM,
      toldStale(true),
      [happened('back', 'normal', null)],
      'notified back: Data comes in again',
      null,
    ],
    [
      'data again while that it is stale is still on its way',
      CALM,
      underWay(toldStale(true)),
      [happened('back', 'normal', null)],
      'held: The message it ends is still on its way',
      null,
    ],
    [
      'data again before anybody knew',
      CALM,
      NOBODY,
      [happened('back', 'normal', null)],
      'dropped: Data came back before anybody was notified',
      null,
    ],
    [
      'acknowledged',
      acknowledged(CRITICAL, 'critical'),
      toldAlarm('critical', ago(1)),
      [happened('acknowledgement', 'critical')],
      'notified acknowledgement: Acknowledged',
      null,
    ],
    [
      'send_acknowledgements off',
      set(acknowledged(CRITICAL, 'critical'), { sendAcknowledgements: false }),
      NOBODY,
      [happened('acknowledgement', 'critical')],
      'dropped: Acknowledgements are switched off for this unit',
      null,
    ],
    [
      'an acknowledgement taken back at once',
      CRITICAL,
      toldAlarm('critical', ago(1)),
      [happened('acknowledgement', 'critical')],
      'dropped: No longer acknowledged',
      ahead(59),
    ],
    [
      'an acknowledgement while muted',
      muted(acknowledged(CRITICAL, 'critical')),
      NOBODY,
      [happened('acknowledgement', 'critical')],
      'held: Muted by Oscar',
      null,
    ],
  ])('%s', (_, current, toldBefore, waiting, line, lookAgainAt) => {
    const verdict = decide({ ...current, toldBefore, waiting }, NOW);
    const told = verdict.notifications.filter(({ waitingId }) => waitingId !== null);
    expect([
      ...told.map(({ subject, reason }) => `notified ${subject}: ${sayReason(reason, english)}`),
      ...verdict.standings.map(({ state, reason }) => `${state}: ${sayReason(reason, english)}`),
    ]).toEqual([line]);
    expect(verdict.lookAgainAt).toEqual(lookAgainAt);
  });
});

describe('what time or people bring, without anything new', () => {
  test.each<
    [what: string, current: Situation, toldBefore: ToldBefore, lines: string[], lookAgainAt: Date | null]
  >([
    ['nothing to tell', CALM, NOBODY, [], null],
    ['before the hour', CRITICAL, toldAlarm('critical', ago(59)), [], ahead(1)],
    [
      'the hour is over',
      CRITICAL,
      toldAlarm('critical', ago(60)),
      ['critical again: Repeats every 60 minutes'],
      ahead(60),
    ],
    [
      'the hour is over, but the first has not arrived yet',
      CRITICAL,
      underWay(toldAlarm('critical', ago(60))),
      [],
      ahead(60),
    ],
    [
      'an acknowledged alarm does not repeat',
      acknowledged(CRITICAL, 'critical'),
      toldAlarm('critical', ago(90)),
      [],
      null,
    ],
    [
      'a warning acknowledged as critical does not repeat',
      acknowledged(WARNING, 'critical'),
      toldAlarm('warning', ago(90)),
      [],
      null,
    ],
    ['a muted one does not repeat', muted(CRITICAL), toldAlarm('critical', ago(90)), [], null],
    [
      'repeats count from the end of a mute',
      { ...CRITICAL, suppressionEndedAt: ago(10) },
      toldAlarm('critical', ago(90)),
      [],
      ahead(50),
    ],
    [
      'a mute is over, nobody knows yet',
      { ...CRITICAL, suppressionEndedAt: NOW },
      NOBODY,
      ['critical: In alarm: critical'],
      ahead(60),
    ],
    [
      'a mute is over, and so is the alarm they knew of',
      { ...CALM, suppressionEndedAt: NOW },
      toldAlarm('critical', ago(90)),
      ['recovery: Recovered'],
      null,
    ],
    [
      'a mute is over, and it is another alarm',
      CRITICAL,
      toldAlarm('critical', ago(9), [VERA, OSCAR], '6'),
      ['critical: In alarm: critical'],
      ahead(60),
    ],
    [
      'somebody joined the group',
      CRITICAL,
      toldAlarm('critical', ago(30), [VERA]),
      ['critical: In alarm: critical'],
      ahead(30),
    ],
    ['stale does not repeat', STALE, toldStale(true), [], null],
    ['another stale period', STALE, toldStale(true, '2'), ['stale: No data comes in'], null],
    [
      'an end that is closed stays so',
      CALM,
      { ...NOBODY, alarm: { ...toldAlarm('critical', ago(9)).alarm, isClosed: true } },
      [],
      null,
    ],
  ])('%s', (_, current, toldBefore, lines, lookAgainAt) => {
    const verdict = decide({ ...current, toldBefore }, NOW);
    expect(
      verdict.notifications.map(
        ({ subject, isRepeat, reason }) =>
          `${subject}${isRepeat ? ' again' : ''}: ${sayReason(reason, english)}`,
      ),
    ).toEqual(lines);
    expect(verdict.standings).toEqual([]);
    expect(verdict.lookAgainAt).toEqual(lookAgainAt);
  });

  test('only those who do not know are told', () => {
    const { notifications } = decide(
      { ...CRITICAL, toldBefore: toldAlarm('critical', ago(30), [VERA]) },
      NOW,
    );
    expect(notifications.map(({ recipients }) => recipients)).toEqual([[{ ...OSCAR, step: 0 }]]);
  });

  test('an end that nobody will hear of is closed, so that it is not told much later', () => {
    const { closings } = decide(
      { ...CALM, isArchived: true, toldBefore: toldAlarm('critical', ago(30)) },
      NOW,
    );
    expect(closings).toEqual([{ subject: 'recovery', reason: { code: 'archived' } }]);
  });

  test('of several that happened, the newest is told and the others are overtaken', () => {
    const waiting = [
      { ...happened('warning', 'warning'), id: '1' },
      { ...happened('critical', 'critical'), id: '2' },
      { ...happened('critical', 'critical'), id: '3' },
    ];
    const { notifications, standings } = decide({ ...CRITICAL, waiting }, NOW);
    expect(notifications.map(({ waitingId }) => waitingId)).toEqual(['3']);
    expect(standings.map(({ id, reason }) => [id, sayReason(reason, english)])).toEqual([
      ['1', 'Overtaken: now critical'],
      ['2', 'Overtaken: now critical'],
    ]);
  });
});

describe('looking again before it is sent', () => {
  const critical = { subject: 'critical', mark: null, episodeId: '7', severity: 'critical' } as const;
  const other = (subject: Waiting['subject']) => ({ ...critical, subject });
  test.each([
    ['still critical', critical, CRITICAL, null],
    ['recovered', critical, CALM, 'Recovered meanwhile'],
    ['eased', critical, WARNING, 'Overtaken: now warning'],
    ['another alarm', critical, { ...CRITICAL, episodeId: '8' }, 'In another alarm meanwhile'],
    ['acknowledged', critical, acknowledged(CRITICAL, 'critical'), 'Acknowledged at this severity by Vera'],
    ['muted', critical, muted(CRITICAL), 'Muted by Oscar'],
    [
      'in downtime',
      critical,
      resting(CRITICAL, ahead(5)),
      'In downtime until 2026-11-15 03:05 UTC, planned by Ada',
    ],
    [
      'switched off',
      critical,
      set(CRITICAL, { sendCritical: false }),
      'Critical alarms are switched off for this unit',
    ],
    ['archived', critical, { ...CALM, isArchived: true }, 'Archived'],
    ['a drill is sent whatever happens', { ...critical, mark: 'drill' as const }, muted(CALM), null],
    ['a recovery stays true', other('recovery'), CRITICAL, null],
    ['a recovery while muted', other('recovery'), muted(CALM), 'Muted by Oscar'],
    ['an acknowledgement', other('acknowledgement'), acknowledged(CRITICAL, 'critical'), null],
    ['an acknowledgement taken back', other('acknowledgement'), CRITICAL, 'No longer acknowledged'],
    ['stale', other('stale'), STALE, null],
    ['stale, and back', other('stale'), CALM, 'Data came back meanwhile'],
    ['data again', other('back'), CALM, null],
    ['data again, then stale', other('back'), STALE, 'Stale again meanwhile'],
    ['stale while muted', other('stale'), muted(STALE), 'Muted by Oscar'],
  ])('%s', (_, released, current, reason) => {
    const untruth = findUntruth(released, current, NOW);
    expect(untruth && sayReason(untruth, english)).toBe(reason);
  });
});

describe('suppression', () => {
  const window = (from: number, to: number) => ({ startAt: ahead(from), endAt: ahead(to), by: 'Ada' });
  test.each([
    ['nothing', null, [], null, null],
    ['a mute', 'Oscar', [], 'Muted by Oscar', null],
    ['a mute beats a downtime: it has no end', 'Oscar', [window(-5, 5)], 'Muted by Oscar', null],
    ['a window', null, [window(-5, 5)], 'In downtime until 2026-11-15 03:05 UTC, planned by Ada', ahead(5)],
    [
      'one that begins now',
      null,
      [window(0, 5)],
      'In downtime until 2026-11-15 03:05 UTC, planned by Ada',
      ahead(5),
    ],
    ['one that ends now', null, [window(-5, 0)], null, null],
    ['one of later', null, [window(1, 5)], null, null],
    [
      'overlapping ones',
      null,
      [window(4, 9), window(-5, 5)],
      'In downtime until 2026-11-15 03:09 UTC, planned by Ada',
      ahead(9),
    ],
    [
      'ones that touch',
      null,
      [window(-5, 5), window(5, 9)],
      'In downtime until 2026-11-15 03:09 UTC, planned by Ada',
      ahead(9),
    ],
    [
      'ones with a gap',
      null,
      [window(-5, 5), window(6, 9)],
      'In downtime until 2026-11-15 03:05 UTC, planned by Ada',
      ahead(5),
    ],
  ])('%s', (_, mutedBy, windows, reason, until) => {
    const suppression = findSuppression({ mutedBy, downtimes: windows }, NOW);
    expect(suppression && sayReason(suppression.reason, english)).toBe(reason);
    expect(suppression?.until ?? null).toEqual(until);
  });
});
