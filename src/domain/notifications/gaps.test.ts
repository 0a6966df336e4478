import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import type { Recipient } from '../on-call/recipient.ts';
import { findGaps, listStandings } from './gaps.ts';
import type { Ladder } from './ladder.ts';

const NOW = new Date('2026-11-16T09:00:00Z');
const mail: Recipient = { transport: 'email', recipient: 'cold@lab.example' };
const siren: Recipient = { transport: 'webhook', recipient: '7' };
const HOURS = {
  timeZone: 'Europe/Berlin',
  weekly: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  holidays: ['2026-12-25'],
};

const ladder = (lines: Partial<Ladder>): Ladder => ({
  steps: [],
  targets: [],
  rotas: [],
  people: new Map(),
  methods: new Map(),
  hours: null,
  administrators: [],
  ...lines,
});

const say = (given: Ladder) =>
  finish(findGaps({ id: 1, name: 'Night', ladder: given }, NOW)).value.gaps.map(
    ({ startAt, endAt, kind }) =>
      `${kind} ${startAt.toISOString().slice(5, 16)} to ${endAt.toISOString().slice(5, 16)}`,
  );

describe('the gaps of the next eight weeks', () => {
  test('nobody is on the ladder: one gap that never ends', () => {
    expect(say(ladder({}))).toEqual(['nobody 11-16T09:00 to 01-11T09:00']);
  });

  test('somebody at any hour: none, as long as nobody has said when the lab hours are', () => {
    const targets = [{ step: 0, during: 'always' as const, recipient: mail, rotaId: null }];
    expect(say(ladder({ targets }))).toEqual([]);
  });

  test('somebody in lab hours only: every night until a quarter of an hour before they come, the weekend as one, and the holiday with the days around it', () => {
    const targets = [{ step: 0, during: 'lab_hours' as const, recipient: siren, rotaId: null }];
    const gaps = say(ladder({ targets, hours: HOURS }));
    expect(gaps[0]).toBe('nobody 11-16T17:00 to 11-17T06:45');
    expect(gaps[4]).toBe('nobody 11-20T17:00 to 11-23T06:45');
    expect(gaps).toContain('nobody 12-24T17:00 to 12-28T06:45');
  });

  test('off hours mail alone does not count, unless something louder follows within fifteen minutes', () => {
    const targets = [{ step: 0, during: 'always' as const, recipient: mail, rotaId: null }];
    expect(say(ladder({ targets, hours: HOURS }))[0]).toBe('only_mail 11-16T17:00 to 11-17T06:45');
    const after = (afterMinutes: number) =>
      ladder({
        hours: HOURS,
        steps: [{ step: 1, afterMinutes, subjects: ['critical'] }],
        targets: [...targets, { step: 1, during: 'off_hours', recipient: siren, rotaId: null }],
      });
    expect(say(after(15))).toEqual([]);
    expect(say(after(16))[0]).toBe('only_mail 11-16T17:00 to 11-17T06:45');
  });

  test('somebody who wants an SMS at once is heard off hours, one who wants it later is not', () => {
    const ada = { ...mail, accountId: 5, accountName: 'Ada' };
    const by = (afterMinutes: number) =>
      ladder({
        hours: HOURS,
        targets: [{ step: 0, during: 'always', recipient: ada, rotaId: null }],
        methods: new Map([
          [
            5,
            [
              {
                id: 9,
                accountId: 5,
                kind: 'sms',
                address: '+49',
                afterMinutes,
                onlyCritical: true,
                during: 'always',
              },
            ],
          ],
        ]),
      });
    expect(say(by(0))).toEqual([]);
    expect(say(by(30))[0]).toMatch(/^nobody/);
  });

  test('a rota that begins later leaves a hole until then', () => {
    const rota = {
      id: 3,
      timeZone: 'Europe/Berlin',
      versions: [
        {
          version: 1,
          fromDate: '2026-11-20',
          handover: '08:00',
          every: 'week' as const,
          length: 1,
          members: [5],
        },
      ],
      standIns: [],
      present: new Set([5]),
    };
    const given = ladder({
      rotas: [rota],
      people: new Map([[5, mail]]),
      targets: [{ step: 0, during: 'always', recipient: null, rotaId: 3 }],
    });
    expect(say(given)).toEqual(['nobody 11-16T09:00 to 11-20T06:45']);
  });

  test('people change so often that not all weeks are looked at: it says until when', () => {
    const outlookOf = (given: Ladder) =>
      finish(findGaps({ id: 1, name: 'Night', ladder: given }, NOW))
        .value.endsEarlyAt?.toISOString()
        .slice(5, 16);
    const version = {
      version: 1,
      fromDate: '2026-11-01',
      handover: '00:00',
      every: 'day' as const,
      length: 1,
      members: [5, 6],
    };
    const rota = {
      id: 3,
      timeZone: 'UTC',
      versions: [version],
      standIns: Array.from({ length: 1_500 }, (_, index) => ({
        id: index + 1,
        startAt: new Date(NOW.getTime() + index * 20 * 60_000),
        endAt: new Date(NOW.getTime() + (index + 1) * 20 * 60_000),
        accountId: 5 + (index % 2),
        insteadOfId: null,
      })),
      present: new Set([5, 6]),
    };
    const targets = [{ step: 0, during: 'always' as const, recipient: null, rotaId: 3 }];
    const people = new Map([
      [5, mail],
      [6, siren],
    ]);
    expect(outlookOf(ladder({ targets, people, rotas: [{ ...rota, standIns: [] }] }))).toBeUndefined();
    expect(outlookOf(ladder({ targets, people, rotas: [rota] }))).toBe('12-05T19:40');
  });
});

test('what stands follows without holes from the first moment to the last', () => {
  const targets = [{ step: 0, during: 'lab_hours' as const, recipient: siren, rotaId: null }];
  const until = new Date('2026-11-23T09:00:00Z');
  const spans = finish(listStandings(ladder({ targets, hours: HOURS }), NOW, until)).value;
  expect(spans[0]?.startAt).toEqual(NOW);
  expect(spans.at(-1)?.endAt).toEqual(until);
  for (const [index, { startAt }] of spans.entries())
    if (index > 0) expect(startAt).toEqual(spans[index - 1]?.endAt);
});
