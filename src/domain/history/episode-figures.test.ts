import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addUpFigures, findNoisiest, shareOut } from './episode-figures.ts';
import { choosePlaces, everyPlace, readPastEpisodes } from './past-episodes.ts';

interface One {
  serviceId: number;
  isCritical: boolean;
  began: number;
  lasted: number | null;
  waited: number | null;
}

/** As the database packs them. */
function pack(episodes: readonly One[]): Buffer {
  const buffer = Buffer.alloc(episodes.length * 29);
  episodes.forEach(({ serviceId, isCritical, began, lasted, waited }, index) => {
    const at = index * 29;
    buffer.writeInt32BE(serviceId, at);
    buffer.writeUInt8(isCritical ? 1 : 0, at + 4);
    buffer.writeDoubleBE(began, at + 5);
    buffer.writeDoubleBE(lasted ?? Number.NaN, at + 13);
    buffer.writeDoubleBE(waited ?? Number.NaN, at + 21);
  });
  return buffer;
}

function read(packs: readonly Buffer[]) {
  const work = readPastEpisodes(packs);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const one = fc.record({
  serviceId: fc.integer({ min: 1, max: 4 }),
  isCritical: fc.boolean(),
  began: fc.integer({ min: 0, max: 400 }),
  lasted: fc.option(fc.integer({ min: 0, max: 90 })),
  waited: fc.option(fc.integer({ min: 0, max: 90 })),
});

/** The slow way. */
const medianOf = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(half)] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
};

const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);

const figuresOf = (episodes: readonly One[]) => ({
  alarms: episodes.length,
  critical: episodes.filter(({ isCritical }) => isCritical).length,
  acknowledged: known(episodes.map(({ waited }) => waited)).length,
  over: known(episodes.map(({ lasted }) => lasted)).length,
  toAcknowledge: medianOf(known(episodes.map(({ waited }) => waited))),
  toRecover: medianOf(known(episodes.map(({ lasted }) => lasted))),
});

describe('comes to the same as one alarm after the other', () => {
  const several = fc.array(fc.array(one, { maxLength: 12 }), { maxLength: 4 });

  test('in all, and shared out over stretches', () => {
    const begins = [100, 200, 300].map((ms) => new Date(ms));
    fc.assert(
      fc.property(several, (packs) => {
        const episodes = read(packs.map(pack));
        const flat = packs.flat();
        expect(addUpFigures(episodes, everyPlace(episodes))).toEqual(figuresOf(flat));
        const shared = shareOut(episodes, everyPlace(episodes), begins);
        expect(shared.map((places) => addUpFigures(episodes, places))).toEqual([
          figuresOf(flat.filter(({ began }) => began >= 100 && began < 200)),
          figuresOf(flat.filter(({ began }) => began >= 200 && began < 300)),
          figuresOf(flat.filter(({ began }) => began >= 300)),
        ]);
      }),
    );
  });

  test('chosen by units, severity, state and time', () => {
    const choice = fc.record({
      units: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 })).map((units) => new Set(units))),
      severity: fc.constantFrom('critical' as const, 'warning' as const, null),
      state: fc.constantFrom('running' as const, 'unacknowledged' as const, null),
      from: fc.integer({ min: 0, max: 400 }).map((ms) => new Date(ms)),
      to: fc.integer({ min: 0, max: 400 }).map((ms) => new Date(ms)),
    });
    fc.assert(
      fc.property(several, choice, (packs, { units, severity, state, from, to }) => {
        const episodes = read(packs.map(pack));
        const chosen = packs
          .flat()
          .filter(({ began }) => began >= from.getTime() && began < to.getTime())
          .filter(({ serviceId }) => units === null || units.has(serviceId))
          .filter(({ isCritical }) => severity === null || isCritical === (severity === 'critical'))
          .filter(({ lasted }) => state !== 'running' || lasted === null)
          .filter(({ waited }) => state !== 'unacknowledged' || waited === null);
        const places = choosePlaces(episodes, { units, severity, state, from, to });
        expect(addUpFigures(episodes, places)).toEqual(figuresOf(chosen));
      }),
    );
  });
});

test('the noisiest have most alarms, then most time in them, of which one that holds has it until now', () => {
  const alarm = { isCritical: true, began: 0, lasted: 10, waited: null };
  const episodes = read([
    pack([
      { ...alarm, serviceId: 1 },
      { ...alarm, serviceId: 2, lasted: 30, isCritical: false },
      { ...alarm, serviceId: 3 },
      { ...alarm, serviceId: 3, lasted: null, began: 40 },
      { ...alarm, serviceId: 4, lasted: -5 },
    ]),
  ]);
  expect(findNoisiest(episodes, everyPlace(episodes), { now: new Date(100), most: 3 })).toEqual([
    { serviceId: 3, alarms: 2, critical: 2, inAlarmMs: 70 },
    { serviceId: 2, alarms: 1, critical: 0, inAlarmMs: 30 },
    { serviceId: 1, alarms: 1, critical: 1, inAlarmMs: 10 },
  ]);
});
