import { describe, expect, test } from 'vitest';
import { type ContactMethod, findWays, isFor, toRecipient } from './contact-method.ts';
import type { LabHours } from './lab-hours.ts';
import type { Recipient } from './recipient.ts';

const HOURS: LabHours = {
  timeZone: 'UTC',
  weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  holidays: [],
};
const MONDAY_NOON = new Date('2026-11-16T12:00:00Z');
const MONDAY_NIGHT = new Date('2026-11-16T23:00:00Z');

const OSCAR: Recipient = {
  transport: 'email',
  recipient: 'oscar@lab.example',
  accountId: 7,
  accountName: 'Oscar',
};

const methodOf = (given: Partial<ContactMethod>): ContactMethod => ({
  id: 1,
  accountId: 7,
  kind: 'sms',
  address: '+491512345678',
  afterMinutes: 0,
  onlyCritical: false,
  during: 'always',
  ...given,
});
const sms = (given: Partial<ContactMethod> = {}) => methodOf(given);
const call = (given: Partial<ContactMethod> = {}) => methodOf({ id: 2, kind: 'voice', ...given });
const mail = (given: Partial<ContactMethod> = {}) =>
  methodOf({ id: 3, kind: 'email', address: 'oscar@home.example', ...given });

/** `sms after 5, critical` */
const write = ({ via = 'account', afterMinutes, only }: Recipient): string =>
  `${via}${afterMinutes === undefined ? '' : ` after ${afterMinutes}`}${only === undefined ? '' : `, ${only}`}`;

describe('the ways to a person', () => {
  test.each<[sentence: string, methods: ContactMethod[], ways: string[]]>([
    ['who has chosen nothing lead to the mail of the account, at once', [], ['account']],
    ['are their own methods alone, without the mail', [sms(), call()], ['sms', 'voice']],
    ['keep their order and their minutes', [call({ afterMinutes: 5 }), sms()], ['voice after 5', 'sms']],
    ['have mail among them where its owner added it', [sms(), mail()], ['sms', 'email']],
    [
      'have mail for the rest, where all are for critical alarms only',
      [sms({ onlyCritical: true })],
      ['sms, critical', 'account, others'],
    ],
    [
      'need no such mail where one of them is for everything',
      [sms({ onlyCritical: true }), call()],
      ['sms, critical', 'voice'],
    ],
    ['at noon leave out what is for off hours', [sms({ during: 'off_hours' }), call()], ['voice']],
    ['at noon are those of lab hours', [sms({ during: 'lab_hours' })], ['sms']],
    [
      'at noon are the mail of the account, where all are for off hours',
      [sms({ during: 'off_hours' })],
      ['account'],
    ],
    [
      'have mail for the rest, where what is for everything is for off hours',
      [sms({ onlyCritical: true }), call({ during: 'off_hours' })],
      ['sms, critical', 'account, others'],
    ],
  ])('%s', (_, methods, ways) => {
    expect(findWays(OSCAR, new Map([[7, methods]]), HOURS, MONDAY_NOON).map(write)).toEqual(ways);
  });

  test('at night are those of off hours', () => {
    const methods = [sms({ during: 'off_hours' }), call({ during: 'lab_hours' })];
    expect(findWays(OSCAR, new Map([[7, methods]]), HOURS, MONDAY_NIGHT).map(write)).toEqual(['sms']);
  });

  test('are all of them where nobody has said when the lab hours are', () => {
    const methods = [sms({ during: 'off_hours' }), call({ during: 'lab_hours' })];
    expect(findWays(OSCAR, new Map([[7, methods]]), null, MONDAY_NOON).map(write)).toEqual(['sms', 'voice']);
  });

  test('are not those of somebody else', () => {
    expect(findWays(OSCAR, new Map([[8, [sms({ accountId: 8 })]]]), HOURS, MONDAY_NOON)).toEqual([OSCAR]);
  });

  test('to an address that is told as nobody are that address', () => {
    const address: Recipient = { transport: 'email', recipient: 'desk@lab.example' };
    expect(findWays(address, new Map([[7, [sms()]]]), HOURS, MONDAY_NOON)).toEqual([address]);
  });
});

describe('as a recipient', () => {
  test('a method is named by its id, so that its address may change', () => {
    expect(toRecipient(sms({ afterMinutes: 5, onlyCritical: true }), OSCAR)).toEqual({
      transport: 'method',
      recipient: '1',
      accountId: 7,
      accountName: 'Oscar',
      via: 'sms',
      afterMinutes: 5,
      only: 'critical',
    });
  });

  test('mail is named by its address', () => {
    expect(toRecipient(mail(), OSCAR)).toEqual({
      transport: 'email',
      recipient: 'oscar@home.example',
      accountId: 7,
      accountName: 'Oscar',
      via: 'email',
    });
  });

  test('who it belongs to is left out where that is not known', () => {
    expect(toRecipient(sms(), { transport: 'email', recipient: 'x@lab.example' })).toEqual({
      transport: 'method',
      recipient: '1',
      via: 'sms',
    });
  });
});

test.each([
  ['a way for everything', undefined, 'critical', true],
  ['a way for everything', undefined, 'recovery', true],
  ['a way for critical alarms', 'critical', 'critical', true],
  ['a way for critical alarms', 'critical', 'warning', false],
  ['a way for the rest', 'others', 'critical', false],
  ['a way for the rest', 'others', 'stale', true],
] as const)('%s (%s) is meant for %s: %s', (_, only, subject, isMeant) => {
  expect(isFor(only === undefined ? {} : { only }, subject)).toBe(isMeant);
});
