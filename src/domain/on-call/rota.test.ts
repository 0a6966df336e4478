import { describe, expect, test } from 'vitest';
import { findStrayStandIns, listDuties } from './duties.ts';
import { findDuty, findDutyEdge, placeVersion, type Rota } from './rota.ts';
import { findHandover } from './rota-version.ts';

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
    const placed = { handover: '08:00', timeZone: 'Europe/Berlin', from: null };
    expect(placeVersion(BERLIN, placed, at('2026-03-24T12:00:00Z'))).toEqual({
      fromDate: '2026-03-30',
      beginsAt: at('2026-03-30T00:30:00Z'),
    });
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

describe('a rota that begins', () => {
  const place = { handover: '08:00', timeZone: 'Europe/Berlin', from: null };
  const begun = (now: string, from: string | null = null): Rota => ({
    ...BERLIN,
    versions: [
      {
        version: 1,
        ...placeVersion(null, { ...place, from }, at(now)),
        handover: '08:00',
        every: 'day',
        length: 1,
        members: [1, 2, 3],
      },
    ],
  });

  test('before the handover of that day has its last member until then', () => {
    const rota = begun('2026-03-24T05:00:00Z');
    expect(who(rota, '2026-03-24T04:59:59Z')).toBeNull();
    expect(who(rota, '2026-03-24T05:00:00Z')).toBe(3);
    expect(findDutyEdge(rota, at('2026-03-24T05:00:00Z'))).toEqual(at('2026-03-24T07:00:00Z'));
    expect(who(rota, '2026-03-24T07:00:00Z')).toBe(1);
    expect(who(rota, '2026-03-25T07:00:00Z')).toBe(2);
  });

  test('after it has its first one', () => {
    const rota = begun('2026-03-24T12:00:00Z');
    expect(who(rota, '2026-03-24T11:59:59Z')).toBeNull();
    expect(who(rota, '2026-03-24T12:00:00Z')).toBe(1);
    expect(who(rota, '2026-03-25T07:00:00Z')).toBe(2);
  });

  test('on a day to come has nobody until then; on one that is past, whose turn it is by now', () => {
    const later = begun('2026-03-24T12:00:00Z', '2026-03-26');
    expect(who(later, '2026-03-26T06:59:59Z')).toBeNull();
    expect(who(later, '2026-03-26T07:00:00Z')).toBe(1);
    const earlier = begun('2026-03-24T12:00:00Z', '2026-03-23');
    expect(who(earlier, '2026-03-24T11:00:00Z')).toBeNull();
    expect(who(earlier, '2026-03-24T12:00:00Z')).toBe(2);
  });

  test.each([
    ['an earlier hour', { handover: '02:00', timeZone: 'Europe/Berlin' }],
    ['a later hour', { handover: '20:00', timeZone: 'Europe/Berlin' }],
    ['a zone in the east', { handover: '08:00', timeZone: 'Pacific/Apia' }],
    ['a zone in the west', { handover: '08:00', timeZone: 'Pacific/Honolulu' }],
  ])('and is changed to %s goes on as it was until the next handover', (_, next) => {
    const rota = begun('2026-03-24T12:00:00Z');
    const now = at('2026-03-25T12:00:00Z');
    const version = { version: 2, ...next, every: 'day' as const, length: 1, members: [4] };
    const changed = {
      ...rota,
      versions: [...rota.versions, { ...version, ...placeVersion(rota, { ...next, from: null }, now) }],
    };
    const handover = at('2026-03-26T07:00:00Z');
    expect(listDuties(changed, at('2026-03-24T12:00:00Z'), handover)).toEqual(
      listDuties(rota, at('2026-03-24T12:00:00Z'), handover),
    );
    expect(findDuty(changed, handover)?.accountId).toBe(4);
  });
});

describe('a rota that follows the sun', () => {
  const SUN: Rota = {
    ...BERLIN,
    versions: [
      {
        version: 1,
        fromDate: '2026-03-23',
        handover: '08:00',
        every: 'week',
        length: 1,
        members: [1, 2],
        further: [
          { at: '16:00', members: [3] },
          { at: '15:00', timeZone: 'America/Los_Angeles', members: [4, 5] },
        ],
      },
    ],
    present: new Set([1, 2, 3, 4, 5]),
  };
  const listed = (rota: Rota, from: string, until: string) =>
    listDuties(rota, at(from), at(until)).map(
      ({ startAt, duty }) => `${startAt.toISOString().slice(5, 16)} ${duty?.accountId}`,
    );

  test('hands over at each of its times, each in its own zone, and turns change by the week', () => {
    expect(listed(SUN, '2026-03-23T07:00:00Z', '2026-03-25T00:00:00Z')).toEqual([
      '03-23T07:00 1',
      '03-23T15:00 3',
      '03-23T22:00 4',
      '03-24T07:00 1',
      '03-24T15:00 3',
      '03-24T22:00 4',
    ]);
    // On Sunday Berlin sets its clocks forward; California did so weeks before.
    expect(listed(SUN, '2026-03-29T06:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '03-29T06:00 1',
      '03-29T14:00 3',
      '03-29T22:00 4',
      '03-30T06:00 2',
      '03-30T14:00 3',
      '03-30T22:00 5',
    ]);
  });

  test('a handover in the hour that is skipped does not come after the next one', () => {
    const [version] = SUN.versions as [Rota['versions'][number]];
    const night: Rota = {
      ...SUN,
      versions: [
        {
          ...version,
          further: [
            { at: '02:30', members: [3] },
            { at: '03:15', members: [4] },
          ],
        },
      ],
    };
    expect(listed(night, '2026-03-28T07:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '03-28T07:00 1',
      '03-29T01:15 4',
      '03-29T06:00 1',
    ]);
  });

  test('where nobody of a time is left, nobody is on call then', () => {
    expect(who({ ...SUN, present: new Set([1, 4]) }, '2026-03-23T15:00:00Z')).toBeNull();
  });
});
