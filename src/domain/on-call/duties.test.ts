import { describe, expect, test } from 'vitest';
import { findBegunDuty, findDutyNow, findStrayStandIns, listDuties, listShifts } from './duties.ts';
import type { Rota } from './rota.ts';
import type { StandIn } from './stand-in-cover.ts';

const at = (text: string) => new Date(text);
const NOW = at('2026-03-24T12:00:00Z');
const FOREVER = at('9999-12-31T23:59:00Z');

const DAILY: Rota = {
  id: 1,
  timeZone: 'UTC',
  versions: [
    { version: 1, fromDate: '2026-03-23', handover: '08:00', every: 'day', length: 1, members: [1, 2] },
  ],
  standIns: [],
  present: new Set([1, 2, 3, 4]),
};

let ids = 0;
const standIn = (accountId: number, insteadOfId: number, from: string, until: string): StandIn => {
  ids += 1;
  return { id: ids, accountId, insteadOfId, startAt: at(from), endAt: at(until) };
};
const withStandIns = (...standIns: StandIn[]): Rota => ({ ...DAILY, standIns });

describe('what is to come is never more than can be read', () => {
  const endless = withStandIns(standIn(3, 4, '2026-03-24T00:00:00Z', '9999-12-31T23:59:00Z'));

  test('shifts and duties until the end of all days', () => {
    expect(listShifts(DAILY, NOW, FOREVER)).toHaveLength(600);
    expect(listShifts(DAILY, NOW, FOREVER, 60)).toHaveLength(60);
    expect(listDuties(DAILY, NOW, FOREVER)).toHaveLength(600);
    expect(listDuties(endless, NOW, FOREVER)).toHaveLength(1);
  });

  test('a stand-in that lasts longer than one looks ahead is not called wrong', () => {
    expect(findStrayStandIns(endless, NOW)).toEqual([]);
  });

  test('the last day of all can be asked about', () => {
    expect(findDutyNow(DAILY, FOREVER).duty).not.toBeNull();
  });
});

describe('who is on call now', () => {
  const describeNow = (rota: Rota, now = NOW) => {
    const { duty, since, until, next } = findDutyNow(rota, now);
    const say = (one: Date | null) => one?.toISOString().slice(5, 16) ?? null;
    return [duty?.accountId ?? null, say(since), say(until), next?.accountId ?? null];
  };

  test('a member has the shift, and the next one comes after', () => {
    expect(describeNow(DAILY)).toEqual([2, '03-24T08:00', '03-25T08:00', 1]);
  });

  test('who is alone has shift after shift', () => {
    expect(describeNow({ ...DAILY, present: new Set([2]) })).toEqual([2, '03-24T08:00', '03-25T08:00', 2]);
  });

  test('a stand-in lasts over handovers, until a newer one begins', () => {
    const long = standIn(3, 2, '2026-03-24T10:00:00Z', '2026-03-27T10:00:00Z');
    expect(describeNow(withStandIns(long))).toEqual([3, '03-24T10:00', '03-27T10:00', 1]);
    const newer = standIn(4, 1, '2026-03-25T10:00:00Z', '2026-03-25T11:00:00Z');
    expect(describeNow(withStandIns(long, newer))).toEqual([3, '03-24T10:00', '03-25T10:00', 4]);
    expect(describeNow(withStandIns(newer, long))).toEqual([3, '03-24T10:00', '03-27T10:00', 1]);
  });

  test('a stand-in cuts a shift short, unless who stands in has left', () => {
    const soon = standIn(3, 2, '2026-03-24T20:00:00Z', '2026-03-24T22:00:00Z');
    expect(describeNow(withStandIns(soon))).toEqual([2, '03-24T08:00', '03-24T20:00', 3]);
    const gone = { ...withStandIns(soon), present: new Set([1, 2]) };
    expect(describeNow(gone)).toEqual([2, '03-24T08:00', '03-25T08:00', 1]);
  });

  test('nobody, until somebody comes or for ever', () => {
    expect(describeNow(DAILY, at('2026-03-22T12:00:00Z'))).toEqual([null, null, '03-23T08:00', 1]);
    expect(describeNow({ ...DAILY, present: new Set() })).toEqual([null, null, '03-25T08:00', null]);
    expect(describeNow({ ...DAILY, versions: [] })).toEqual([null, null, null, null]);
  });
});

describe('whoever came on call lately', () => {
  const span = (from: string, until: string, accountId: number): StandIn => ({
    id: 1,
    startAt: at(from),
    endAt: at(until),
    accountId,
    insteadOfId: null,
  });
  const look = (standIns: StandIn[]) => {
    const begun = findBegunDuty(
      { ...DAILY, standIns },
      { since: at('2026-03-23T12:00:00Z'), now: NOW, until: at('2026-06-01T00:00:00Z') },
    );
    return begun && [begun.before, begun.accountId, begun.startAt.toISOString(), begun.endAt.toISOString()];
  };

  test('with who was on call before, and until when', () => {
    const [today] = listShifts(DAILY, NOW, FOREVER, 1);
    const [yesterday] = listShifts(DAILY, at('2026-03-23T12:00:00Z'), FOREVER, 1);
    expect(look([])).toEqual([
      yesterday?.memberId,
      today?.memberId,
      today?.startAt.toISOString(),
      today?.endAt.toISOString(),
    ]);
  });

  test('who stands in for himself, or is next again, goes on', () => {
    const [today, tomorrow, after] = listShifts(DAILY, NOW, FOREVER, 3);
    const own = today?.memberId ?? 0;
    const begun = look([
      span('2026-03-24T10:00:00Z', '2026-03-24T14:00:00Z', own),
      span(tomorrow?.startAt.toISOString() ?? '', tomorrow?.endAt.toISOString() ?? '', own),
    ]);
    expect(after?.memberId).toBe(own);
    expect(begun?.[3]).toBe(after?.endAt.toISOString());
  });

  test('a stand-in for ever was not begun lately, and is no end of looking', () => {
    expect(look([span('2026-01-01T00:00:00Z', '9999-12-31T00:00:00Z', 2)])).toBe(null);
    expect(look([span('2026-03-24T11:00:00Z', '9999-12-31T00:00:00Z', 2)])?.[3]).toBe(
      '2026-06-01T00:00:00.000Z',
    );
  });
});
