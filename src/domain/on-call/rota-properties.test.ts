import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listShifts } from './duties.ts';
import { findDuty, findDutyEdge, findShift, placeVersion, type Rota } from './rota.ts';
import { findHandover, type RotaVersion, startOf } from './rota-version.ts';

/** Half an hour of summer time, a day that was left out, two hours of summer time, winter time in Ramadan. */
const ZONES = [
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Antarctica/Troll',
  'Africa/Casablanca',
];

const MINUTE_MS = 60_000;
const two = (value: number) => String(value).padStart(2, '0');
const anyZone = fc.constantFrom(...ZONES);
const anyClock = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`);
/** The night hours, in which clocks are changed, more often than others. */
const anyHandover = fc.oneof(
  anyClock,
  anyClock.map((clock) => `0${Number(clock.slice(0, 2)) % 5}${clock.slice(2)}`),
);
const anyDay = fc
  .record({ year: fc.constantFrom(2010, 2011, 2026), day: fc.integer({ min: 0, max: 364 }) })
  .map(({ year, day }) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10));
const anyMembers = fc
  .integer({ min: 1, max: 4 })
  .map((count) => Array.from({ length: count }, (_, at) => at + 1));

const anyVersion = (most: number): fc.Arbitrary<RotaVersion> =>
  fc
    .record({
      fromDate: anyDay,
      timeZone: fc.option(anyZone),
      handover: anyHandover,
      every: fc.constantFrom('day' as const, 'week' as const),
      length: fc.integer({ min: 1, max: 12 }),
      members: anyMembers,
      further: fc.array(
        fc.record({
          at: anyHandover,
          timeZone: fc.option(anyZone),
          members: anyMembers.map((members) => members.map((one) => one + 10)),
        }),
        { maxLength: most },
      ),
    })
    .map((one) => ({ version: 1, ...one }));

const rotaOf = (timeZone: string, versions: RotaVersion[]): Rota => ({
  id: 1,
  timeZone,
  versions,
  standIns: [],
  present: new Set(Array.from({ length: 20 }, (_, at) => at)),
});

const anyRota = (most: number) =>
  fc
    .record({ timeZone: anyZone, version: anyVersion(most) })
    .map(({ timeZone, version }) => rotaOf(timeZone, [version]));

const later = (at: Date, minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS);
const anyMinutes = fc.integer({ min: 0, max: 500 * 24 * 60 });

test('handovers never fall', () =>
  fc.assert(
    fc.property(anyRota(0), fc.integer({ min: -800, max: 800 }), (rota, k) => {
      const [version] = rota.versions as [RotaVersion];
      const [one, other] = [k, k + 1].map((each) => findHandover(version, rota.timeZone, each).getTime());
      expect(other).toBeGreaterThanOrEqual(one as number);
    }),
    { numRuns: 400 },
  ));

describe.each([
  ['one handover a day', 0],
  ['several', 5],
])('with %s', (_, most) => {
  test('one person is on call at every instant, and stays so until the next edge', () =>
    fc.assert(
      fc.property(anyRota(most), anyMinutes, (rota, minutes) => {
        const [version] = rota.versions as [RotaVersion];
        const now = later(startOf(version, rota.timeZone), minutes);
        const shift = findShift(rota, now);
        const duty = findDuty(rota, now);
        expect(duty).not.toBeNull();
        expect(shift && shift.startAt <= now && now < shift.endAt).toBe(true);
        const edge = findDutyEdge(rota, now) as Date;
        expect(edge > now).toBe(true);
        const fresh = { ...rota };
        const before = new Date(edge.getTime() - 1);
        expect(before < now ? duty : findDuty(fresh, before)).toEqual(duty);
        expect(findShift({ ...rota }, shift?.startAt as Date)).toEqual(shift);
      }),
      { numRuns: 400 },
    ));

  test('shifts follow each other without a hole, each of them longer than nothing', () =>
    fc.assert(
      fc.property(anyRota(most), anyMinutes, (rota, minutes) => {
        const [version] = rota.versions as [RotaVersion];
        const from = later(startOf(version, rota.timeZone), minutes);
        const shifts = listShifts(rota, from, later(from, 20 * 24 * 60));
        for (const [index, shift] of shifts.entries()) {
          expect(shift.endAt > shift.startAt).toBe(true);
          if (index > 0) expect(shift.startAt).toEqual(shifts[index - 1]?.endAt);
        }
      }),
      { numRuns: 200 },
    ));

  test('one that begins now has somebody at once, and nobody before', () =>
    fc.assert(
      fc.property(anyVersion(most), anyZone, anyMinutes, (described, timeZone, minutes) => {
        const now = later(new Date('2010-06-01T00:00:00Z'), minutes);
        const zone = described.timeZone ?? timeZone;
        const placed = placeVersion(null, { handover: described.handover, timeZone: zone, from: null }, now);
        const rota = rotaOf(timeZone, [{ ...described, ...placed }]);
        expect(findDuty(rota, now)).not.toBeNull();
        expect(findDuty(rota, new Date(now.getTime() - 1))).toBeNull();
      }),
      { numRuns: 400 },
    ));

  test('a change leaves everything as it was until the next handover, and holds from then on', () =>
    fc.assert(
      fc.property(anyRota(most), anyVersion(most), anyMinutes, (rota, described, minutes) => {
        const [version] = rota.versions as [RotaVersion];
        const now = later(startOf(version, rota.timeZone), minutes);
        const zone = described.timeZone ?? rota.timeZone;
        const placed = placeVersion(rota, { handover: described.handover, timeZone: zone, from: null }, now);
        const shift = findShift(rota, now);
        expect(placed.beginsAt).toEqual(shift?.endAt);
        const changed: Rota = {
          ...rota,
          versions: [version, { ...described, ...placed, version: 2, members: [0], further: [] }],
        };
        for (const back of [0, 1, 24 * 60, 9 * 24 * 60]) {
          const at = later(now, -back);
          expect(findDuty(changed, at)).toEqual(findDuty({ ...rota }, at));
        }
        expect(findDuty(changed, placed.beginsAt)?.accountId).toBe(0);
        expect(findShift({ ...changed }, now)?.endAt).toEqual(placed.beginsAt);
      }),
      { numRuns: 400 },
    ));
});
