import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findChangeDay,
  findDuty,
  findDutyEdge,
  findHandover,
  findShift,
  findStrayStandIns,
  listDuties,
  type Rota,
  startOf,
} from './rota.ts';

/** Half an hour of summer time, a day that was left out, two hours of summer time, winter time in Ramadan. */
const ZONES = [
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Antarctica/Troll',
  'Africa/Casablanca',
];

const BERLIN: Rota = {
  id: 1,
  timeZone: 'Europe/Berlin',
  versions: [
    { version: 1, fromDate: '2026-03-23', handover: '02:30', every: 'week', length: 1, members: [1, 2, 3] },
  ],
  standIns: [],
  present: new Set([1, 2, 3, 4]),
};
const at = (text: string) => new Date(text);
const who = (rota: Rota, text: string) => findDuty(rota, at(text))?.accountId ?? null;

describe('a weekly rota', () => {
  test('hands over at its hour, and goes round', () => {
    expect(who(BERLIN, '2026-03-23T01:29:59Z')).toBeNull();
    expect(who(BERLIN, '2026-03-23T01:30:00Z')).toBe(1);
    expect(who(BERLIN, '2026-03-30T00:29:59Z')).toBe(1);
    expect(who(BERLIN, '2026-03-30T00:30:00Z')).toBe(2);
    expect(who(BERLIN, '2026-04-13T00:30:00Z')).toBe(1);
  });

  test('a daily one hands over later in the hour that is skipped, and at the first of the hour that is repeated', () => {
    const daily = (fromDate: string): Rota => ({
      ...BERLIN,
      versions: [{ version: 1, fromDate, handover: '02:30', every: 'day', length: 1, members: [1, 2] }],
    });
    const spring = daily('2026-03-28');
    expect(findHandover(spring.versions[0] as never, 'Europe/Berlin', 1)).toEqual(at('2026-03-29T01:30:00Z'));
    expect(who(spring, '2026-03-29T01:29:00Z')).toBe(1);
    expect(who(spring, '2026-03-29T01:30:00Z')).toBe(2);
    const autumn = daily('2026-10-24');
    expect(findHandover(autumn.versions[0] as never, 'Europe/Berlin', 1)).toEqual(at('2026-10-25T00:30:00Z'));
    expect(who(autumn, '2026-10-25T00:30:00Z')).toBe(2);
    expect(who(autumn, '2026-10-25T01:30:00Z')).toBe(2);
  });

  test('who left passes the shift to the next', () => {
    expect(who({ ...BERLIN, present: new Set([2, 3]) }, '2026-03-24T12:00:00Z')).toBe(2);
    expect(who({ ...BERLIN, present: new Set() }, '2026-03-24T12:00:00Z')).toBeNull();
  });

  test('the newest stand-in wins, for as long as it lasts', () => {
    const standIns = [
      {
        id: 1,
        startAt: at('2026-03-24T00:00:00Z'),
        endAt: at('2026-03-26T00:00:00Z'),
        accountId: 4,
        insteadOfId: 1,
      },
      {
        id: 2,
        startAt: at('2026-03-25T00:00:00Z'),
        endAt: at('2026-03-25T12:00:00Z'),
        accountId: 3,
        insteadOfId: 1,
      },
    ];
    const rota = { ...BERLIN, standIns };
    expect(
      listDuties(rota, at('2026-03-23T12:00:00Z'), at('2026-03-27T00:00:00Z')).map(
        ({ duty }) => duty?.accountId,
      ),
    ).toEqual([1, 4, 3, 4, 1]);
    expect(findDutyEdge(rota, at('2026-03-24T01:00:00Z'))).toEqual(at('2026-03-25T00:00:00Z'));
  });

  test('a change begins with the next handover, and stand-ins that miss their shift are found', () => {
    expect(findChangeDay(BERLIN, at('2026-03-24T12:00:00Z'))).toBe('2026-03-30');
    const changed: Rota = {
      ...BERLIN,
      versions: [
        ...BERLIN.versions,
        { version: 2, fromDate: '2026-03-30', handover: '08:00', every: 'week', length: 1, members: [3, 1] },
      ],
      standIns: [
        {
          id: 1,
          startAt: at('2026-03-31T00:00:00Z'),
          endAt: at('2026-04-01T00:00:00Z'),
          accountId: 4,
          insteadOfId: 2,
        },
      ],
    };
    expect(who({ ...changed, standIns: [] }, '2026-03-30T03:00:00Z')).toBe(2);
    expect(who({ ...changed, standIns: [] }, '2026-03-30T06:00:00Z')).toBe(3);
    expect(findStrayStandIns(changed, at('2026-03-24T00:00:00Z')).map(({ id }) => id)).toEqual([1]);
    expect(findStrayStandIns({ ...BERLIN, standIns: changed.standIns }, at('2026-03-24T00:00:00Z'))).toEqual(
      [],
    );
  });
});

const two = (value: number) => String(value).padStart(2, '0');
const anyRota = fc
  .record({
    timeZone: fc.constantFrom(...ZONES),
    day: fc.integer({ min: 0, max: 364 }),
    year: fc.constantFrom(2010, 2011, 2026),
    minute: fc.integer({ min: 0, max: 1439 }),
    every: fc.constantFrom('day' as const, 'week' as const),
    length: fc.integer({ min: 1, max: 12 }),
    people: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ timeZone, day, year, minute, every, length, people }): Rota => {
    const fromDate = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
    const members = Array.from({ length: people }, (_, index) => index + 1);
    const handover = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
    return {
      id: 1,
      timeZone,
      versions: [{ version: 1, fromDate, handover, every, length, members }],
      standIns: [],
      present: new Set(members),
    };
  });

describe('in every zone', () => {
  test('handovers never fall', () =>
    fc.assert(
      fc.property(anyRota, fc.integer({ min: 0, max: 800 }), (rota, k) => {
        const [version] = rota.versions as [Rota['versions'][number]];
        const [one, other] = [k, k + 1].map((each) => findHandover(version, rota.timeZone, each).getTime());
        expect(other).toBeGreaterThanOrEqual(one as number);
      }),
      { numRuns: 400 },
    ));

  test('one person is on call at every instant, and stays so until the next edge', () =>
    fc.assert(
      fc.property(anyRota, fc.integer({ min: 0, max: 500 * 24 * 60 }), (rota, minutes) => {
        const [version] = rota.versions as [Rota['versions'][number]];
        const now = new Date(startOf(version, rota.timeZone).getTime() + minutes * 60_000);
        const shift = findShift(rota, now);
        const duty = findDuty(rota, now);
        expect(duty).not.toBeNull();
        expect(shift && shift.startAt <= now && now < shift.endAt).toBe(true);
        const edge = findDutyEdge(rota, now) as Date;
        expect(edge > now).toBe(true);
        const before = new Date(edge.getTime() - 1);
        expect(before < now ? duty : findDuty(rota, before)).toEqual(duty);
      }),
      { numRuns: 400 },
    ));
});
