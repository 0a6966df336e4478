import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceId } from '../ids.ts';
import { MOST_PREFERRED, type NamedUnit, nameOf, readPreferred } from './preferred-refuges.ts';

const unit = (id: number, name: string): NamedUnit => ({ id: id as ServiceId, name });
const OWN = 1 as ServiceId;
const UNITS = [
  unit(1, 'Freezer 1'),
  unit(2, 'Freezer 2'),
  unit(3, 'Twin'),
  unit(4, 'twin'),
  ...[5, 6, 7, 8].map((id) => unit(id, `Unit ${id}`)),
];

describe('what is typed', () => {
  test.each<[string[], number[]]>([
    [[], []],
    [['', '  '], []],
    [['Freezer 2'], [2]],
    [
      [' freezer 2 ', 'Unit 5'],
      [2, 5],
    ],
    [
      ['Unit 5', 'Freezer 2', 'unit 5'],
      [5, 2],
    ],
    [
      ['Twin #3', '#4'],
      [3, 4],
    ],
    [['Another name #2'], [2]],
  ])('%j are units', (typed, ids) => {
    expect(readPreferred(typed, UNITS, OWN)).toEqual({ ok: true, value: ids });
  });

  test.each<[string[], string, number]>([
    [['Freezer 2', 'Freezer 9'], 'no_such_unit', 1],
    [['#99'], 'no_such_unit', 0],
    [['Twin'], 'several_units', 0],
    [['Freezer 1'], 'same_unit', 0],
    [['Freezer 2', 'Twin #3', '#4', 'Unit 5', 'Unit 6', 'Unit 7'], 'too_many', MOST_PREFERRED],
  ])('%j is refused', (typed, fault, place) => {
    expect(readPreferred(typed, UNITS, OWN)).toMatchObject({ ok: false, refusal: { fault, place } });
  });

  test('whatever units are called, what a form shows is read as what was meant', () => {
    const names = fc.constantFrom('Freezer', 'freezer', 'Freezer #3', '#4', 'A, B', 'Ö');
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 6 }), (called) => {
        const units = called.map((name, index) => unit(index + 2, name));
        const chosen = units.slice(0, MOST_PREFERRED);
        const shown = chosen.map((one) => nameOf(one, units));
        expect(readPreferred(shown, units, OWN)).toEqual({ ok: true, value: chosen.map(({ id }) => id) });
      }),
    );
  });
});
